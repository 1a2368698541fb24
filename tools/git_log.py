"""The history of a workspace, read from commits alone: logs and single commits, in bounded time and size.

Nothing here looks at the files of the working folder, so no filter driver can run; external diffs, textconv and every
setting that changes what a patch looks like are overruled. Commits are told apart by a mark that is new for each call,
since a message may hold anything but NUL. All that leaves here is masked and safe to show. A commit never goes stale:
its id is the hash of what it says.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from tools.git import NotARepository, Repository
from tools.git_patch import FileChange, mask_history, read_patch
from tools.show import show, show_name
from tools.subprocesses import EndReason

MAX_SUBJECT = 200
MAX_MESSAGE_LINES = 40
_MAX_BYTES = 24 * 1024 * 1024
_SECONDS = 5.0
_COMMIT_ID = re.compile(r"[0-9a-fA-F]{4,64}")
_PATCH = (
    "--patch",
    "--unified=3",
    "--inter-hunk-context=0",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--submodule=short",
    "--ignore-submodules=none",
    "--find-renames",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "-O/dev/null",
)
_LOG = ("--no-show-signature", "--no-notes", "--no-mailmap", "--encoding=UTF-8", "--no-decorate")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit, safe to show."""

    sha: str
    date: str
    """The author's, ISO 8601 with its zone."""
    author: str
    message: str
    changes: tuple[FileChange, ...] = ()
    is_edge: bool = False
    """A shallow clone ends here: what it changed is not known."""
    is_whole: bool = True
    """False where git was stopped in the middle of its patch."""

    @property
    def subject(self) -> str:
        """The message's first line."""
        return self.message.split("\n", 1)[0][:MAX_SUBJECT]


@dataclass(frozen=True, slots=True)
class Log:
    """Commits, newest first."""

    commits: tuple[Commit, ...]
    ended: EndReason
    """Anything but "exit" and "enough" means that there may be more."""


class History:
    """Reads one repository's commits."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository

    @cached_property
    def edges(self) -> frozenset[str]:
        """Where a shallow clone ends; empty for a whole one."""
        return self.repository.shallow_edges()

    def log(
        self,
        *arguments: str,
        count: int,
        paths: tuple[str, ...] = (),
        patches: bool = True,
        seconds: float = _SECONDS,
        stop: Callable[[], bool] = lambda: False,
    ) -> Log:
        """The newest commits that `arguments` of `git log` select; `patches`: with what they changed.

        Raises: NotARepository, where git fails.
        """
        mark = secrets.token_hex(8)
        shown = _PATCH if patches else ("--no-patch",)
        form = f"--format=%x00{mark}%H%x00%aI%x00%an%x00%B%x00"
        finished = self.repository.finished(
            "log",
            *_LOG,
            *shown,
            form,
            f"--max-count={count}",
            *arguments,
            "--",
            *paths,
            seconds=seconds,
            most_bytes=_MAX_BYTES,
            stop=stop,
        )
        if finished.reason == "exit" and finished.exit_code:
            raise NotARepository(f"git failed with exit code {finished.exit_code}")
        whole = finished.reason == "exit"
        return Log(tuple(self._commits(finished.stdout, mark, whole=whole)), finished.reason)

    def commit(self, sha: str) -> Commit | None:
        """One commit with what it changed against its first parent; None where there is none such."""
        full = self.resolve(sha)
        if not full:
            return None
        found = self.log("-m", "--first-parent", full, count=1).commits
        return found[0] if found else None

    def described(self, sha: str) -> Commit | None:
        """The same without what it changed."""
        full = self.resolve(sha)
        found = self.log(full, count=1, patches=False).commits if full else ()
        return found[0] if found else None

    def resolve(self, sha: str) -> str:
        """The whole id of the one commit that begins so, or ""."""
        return self.repository.commit_named(sha.lower()) if _COMMIT_ID.fullmatch(sha) else ""

    def _commits(self, output: bytes, mark: str, *, whole: bool) -> Iterator[Commit]:
        parts = output.split(b"\0" + mark.encode())[1:]
        for at, part in enumerate(parts):
            complete = whole or at < len(parts) - 1
            fields = part.split(b"\0", 4)
            if len(fields) == 5:
                yield self._commit(*fields, is_whole=complete)

    def _commit(
        self, sha: bytes, date: bytes, author: bytes, message: bytes, patch: bytes, *, is_whole: bool
    ) -> Commit:
        name = sha.decode("ascii", "replace")
        is_edge = name in self.edges
        text = patch.decode("utf-8", "surrogateescape")
        return Commit(
            sha=name,
            date=date.decode("ascii", "replace").strip(),
            author=show_name(_text(author))[:MAX_SUBJECT],
            message=_message(_text(message)),
            changes=() if is_edge else read_patch(text),
            is_edge=is_edge,
            is_whole=is_whole,
        )


def _message(text: str) -> str:
    lines = show(mask_history(text.strip())).split("\n")
    more = [f"[{len(lines) - MAX_MESSAGE_LINES} more lines]"] if len(lines) > MAX_MESSAGE_LINES else []
    return "\n".join([line[:MAX_SUBJECT] for line in lines[:MAX_MESSAGE_LINES]] + more)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
