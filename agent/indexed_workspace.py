"""A workspace with its index: brought up to date, filled with vectors, told how it stands; nothing is asked of it here.

What may take long runs in whatever thread calls it and opens its own parts, since SQLite's belong to one thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from functools import cached_property, partial
from pathlib import Path

from agent.answer import IndexState
from agent.embedders import embedder_of
from agent.events import Indexing
from agent.settings import Settings
from tools.errors import IndexUnusable, RevisionUnknown
from tools.git import NotARepository, open_repository
from tools.index import build, turns, vector_fill
from tools.index.catalog import Catalog
from tools.index.embedder import Embedder, EmbedderUnavailable
from tools.index.file_state import FileState, file_state
from tools.index.location import index_folder, index_place
from tools.index.lock import WriterLock
from tools.index.progress import IndexProgress, IndexReport, IndexStatus
from tools.index.status import status
from tools.index.store import ChromaVectors, Reconciled
from tools.show import show_name
from tools.workspace import Workspace


class IndexedWorkspace:
    """One folder, opened, and what the program knows of it."""

    def __init__(self, settings: Settings, root: Path, *, looking_only: bool = False) -> None:
        """Nothing is indexed yet; `looking_only` makes no folder for an index where there is none.

        Raises: WorkspaceInvalid, IndexUnusable.
        """
        self._settings = settings
        self.workspace = Workspace(root)
        place = index_place if looking_only else index_folder
        self.folder = place(self.workspace.root, settings.data_folder)
        self._notes: tuple[str, ...] = ()
        self.store: ChromaVectors | None = None
        """Once it was reconciled here."""

    @cached_property
    def _embedder(self) -> Embedder | EmbedderUnavailable:
        """The embedder of the settings, not at work yet; or why there is none.

        Raises: SettingsInvalid.
        """
        try:
            return embedder_of(self._settings)
        except EmbedderUnavailable as why:
            return why

    def refresh(
        self,
        progress: Callable[[IndexProgress], None],
        stop: Callable[[], bool],
        *,
        rebuild: bool = False,
        lock: WriterLock | None = None,
    ) -> IndexReport:
        """Bring the keyword and symbol index up to date; may be called from any thread.

        Raises: IndexUnusable, when another process writes now or the index cannot be written.
        """
        settings = self._settings.index
        return build.refresh(
            self.workspace,
            self.folder,
            progress=progress,
            stop=stop,
            rebuild=rebuild,
            lock=lock,
            max_file_bytes=settings.max_file_bytes,
            extra_ignores=settings.ignore,
        )

    def fill_vectors(
        self,
        progress: Callable[[IndexProgress], None],
        stop: Callable[[], bool],
        *,
        seconds: float | None = None,
        low_priority: bool = False,
        lock: WriterLock | None = None,
    ) -> IndexReport:
        """Give chunks their vectors, as many as `seconds` allow; may be called from any thread.

        Raises: EmbedderUnavailable, IndexUnusable.
        """
        if isinstance(self._embedder, EmbedderUnavailable):
            raise self._embedder
        return vector_fill.fill_vectors(
            self.folder,
            self._embedder,
            progress=progress,
            stop=stop,
            seconds=seconds,
            low_priority=low_priority,
            lock=lock,
        )

    def reconcile_store(self) -> Reconciled:
        """Make Chroma hold the catalog's vectors; for the holder of the writer lock only. It stays open until `aclose`.

        Raises: StoreUnavailable, EmbedderUnavailable, IndexUnusable.
        """
        if isinstance(self._embedder, EmbedderUnavailable):
            raise self._embedder
        fingerprint = self._embedder.fingerprint
        if self.store is None:
            place = self._settings.index.chroma_server or self.folder
            self.store = ChromaVectors(place, index_name=self.folder.name, fingerprint=fingerprint)
        with Catalog.open(self.folder, read_only=True) as catalog:
            return self.store.reconcile(catalog, fingerprint)

    def changed_since(self, revision: str) -> tuple[str, ...]:
        """The files that differ from a commit, tag or branch, as they are now; new ones included.

        Raises: RevisionUnknown.
        """
        try:
            repository = open_repository(self.workspace.root)
            commit = repository.commit_named(revision)
            if commit:
                return tuple(repository.changed_since(commit))
            cause = "this repository has no commit, tag or branch of that name"
        except NotARepository as reason:
            cause = reason.reason or "this workspace is not a git repository"
        raise RevisionUnknown(
            f"nothing can be compared with `{show_name(revision)}`",
            cause=cause,
            hint="`git log --oneline` lists commits; leave the option out to search everything",
        )

    def index_status(self) -> IndexStatus:
        """The index as it stands. Raises: IndexUnusable when it cannot be read."""
        embedder = self._embedder
        if isinstance(embedder, EmbedderUnavailable):
            return status(self.workspace.root, self.folder, f"none: {embedder.cause}")
        return status(self.workspace.root, self.folder, embedder.name, embedder.fingerprint)

    def file_state(self, path: str) -> FileState:
        """How one file stands with the index. Raises: IndexUnusable when that cannot be read."""
        most, ignores = self._settings.index.max_file_bytes, self._settings.index.ignore
        return file_state(self.workspace, self.folder, path, max_file_bytes=most, extra_ignores=ignores)

    async def refreshed(self) -> AsyncGenerator[Indexing, None]:
        """Bring the index up to date in a thread; its progress as events.

        Where another process writes now, the index is used as it is, and answers say so; its first run is waited for.
        Raises: IndexUnusable when there is no index that could be used.
        """
        loop = asyncio.get_running_loop()
        steps: asyncio.Queue[IndexProgress | None] = asyncio.Queue()
        stop = threading.Event()

        def say(step: IndexProgress | None) -> None:
            loop.call_soon_threadsafe(steps.put_nowait, step)

        def work() -> IndexReport:
            try:
                refresh = partial(self.refresh, say, stop.is_set)
                return turns.in_turn(refresh, self.folder, say, stop.is_set)
            finally:
                say(None)

        working = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            while (step := await steps.get()) is not None:
                yield Indexing(step)
        finally:
            stop.set()
            await asyncio.wait([working])
        self._take(working)

    def _take(self, working: asyncio.Future[IndexReport]) -> None:
        try:
            self._notes = working.result().notes
        except IndexUnusable as busy:
            if not turns.is_built(self.folder):
                raise  # a beginning of an index says nothing about what the sources do not hold
            self._notes = (f"the index was used as it stood: {busy.cause}",)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the last `refreshed` has to tell: that the index was used as it stood, that it was built anew."""
        return self._notes

    def index_state(self) -> IndexState:
        """The same in short, for an answer. Raises: IndexUnusable when it cannot be read."""
        now = self.index_status()
        return IndexState(
            files=now.files,
            chunks=now.chunks,
            vectors_share=round(now.vectors_share, 4),
            skipped=sum(now.skipped.values()),
            notes=(*now.notes, *self._notes),
        )

    def close_index(self) -> None:
        """End the embedder's process and close the files."""
        if self.store is not None:
            self.store.close()
        if not isinstance(self._embedder, EmbedderUnavailable):
            self._embedder.close()
        self.workspace.close()
