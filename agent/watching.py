"""`index --watch`: the index of one workspace kept up to date for as long as the process lives.

It holds the writer lock throughout, which makes it the one process that may open Chroma on the index's folder.
"""

from __future__ import annotations

from collections.abc import Callable

from agent.session import Session
from tools.errors import UserError
from tools.index.discovery import discover
from tools.index.embedder import EmbedderUnavailable
from tools.index.lock import WriterLock
from tools.index.progress import IndexProgress, IndexReport
from tools.index.walk import Stopped
from tools.index.watch import folders_to_watch, watch

SLICE_SECONDS = 5.0
"""Vectors are filled in slices, so that a changed file waits no longer than this for its turn."""


class Watching:
    """One watch over one session's workspace; it blocks the thread it runs in."""

    def __init__(
        self,
        session: Session,
        *,
        progress: Callable[[IndexProgress], None],
        stop: Callable[[], bool],
        say: Callable[[str], None],
        vectors: bool = True,
    ) -> None:
        self._session = session
        self._progress = progress
        self._stop = stop
        self._say = say
        self._vectors = vectors
        self._unmatched = True
        self._lock = WriterLock(session.folder)

    def run(self) -> None:
        """Follow the workspace until the stop.

        Raises: IndexUnusable when another process writes; WorkspaceInvalid when the workspace goes away.
        """
        with self._lock:
            watch(
                self._session.workspace.root,
                refresh=self._refresh,
                fill=self._fill,
                stop=self._stop,
                note=self._say,
            )

    def _refresh(self) -> frozenset[str]:
        report = self._session.refresh(self._progress, self._stop, lock=self._lock)
        self._unmatched = True
        if changes := described(report):
            self._say(changes)
        workspace = self._session.workspace
        try:
            ignored = discover(workspace, stop=self._stop).ignored_folders
        except Stopped:
            ignored = ()
        return folders_to_watch(workspace.root, ignored)

    def _fill(self) -> bool:
        """A slice of the missing vectors; once none is missing, Chroma is made to hold the same."""
        if not self._vectors:
            return False
        try:
            report = self._session.fill_vectors(
                self._progress, self._stop, seconds=SLICE_SECONDS, low_priority=True, lock=self._lock
            )
            if report.stopped:
                return True
            self._reconcile()
        except EmbedderUnavailable as why:
            self._vectors = False
            self._say(f"no vectors: {why.cause}; {why.hint}")
        return False

    def _reconcile(self) -> None:
        if not self._unmatched:
            return
        self._unmatched = False
        try:
            done = self._session.reconcile_store()
        except UserError as why:  # a copy only: search goes on without it
            self._say(f"{why.what}: {why.cause}; {why.hint}")
            return
        if done.added or done.deleted:
            self._say("search by meaning now covers everything")


def described(report: IndexReport) -> str:
    """What an index run changed, on one line; "" when it changed nothing."""
    counts = {
        "added": report.added,
        "changed": report.changed,
        "renamed": report.renamed,
        "removed": report.removed,
        "vectors computed": report.embedded,
        "vectors reused": report.reused,
    }
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count)
