"""The commit that changed a piece of a file last: asked for lazily, one piece at a time, in bounded time.

Lines that are not committed yet do not count. Where blame takes too long, the file's last commit stands for the piece's.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from tools.git import NotARepository, open_repository
from tools.git_lines import committed_lines, last_commits
from tools.git_log import Commit, History
from tools.workspace import SourceFile, Unreadable, Workspace

ALL_SECONDS = 4.0
"""For all the pieces of one list; those beyond it have no commit."""
_ONE_SECONDS = 1.5


def last_commit(history: History, source: SourceFile, first: int, last: int) -> Commit | None:
    """The newest commit among those that the lines come from; None where none has them.

    Raises: NotARepository, where git fails.
    """
    committed = committed_lines(history.repository, source)
    lines = [at for line in range(first, last + 1) if (at := committed.by_line.get(line))]
    if not lines:
        return None
    blamed = last_commits(history.repository, source.path, min(lines), max(lines), seconds=_ONE_SECONDS)
    if blamed is None:
        found = history.log(count=1, paths=(source.path,), patches=False, seconds=_ONE_SECONDS).commits
    else:
        shas = sorted({blamed[line] for line in lines if line in blamed})
        found = history.log("--no-walk=sorted", *shas, count=1, patches=False).commits if shas else ()
    return found[0] if found else None


def last_commits_of(workspace: Workspace, places: Iterable[tuple[str, int, int]]) -> Iterator[Commit | None]:
    """The same for each (path, first line, last line), as far as the time reaches; nothing without a history."""
    deadline = time.monotonic() + ALL_SECONDS
    try:
        history = History(open_repository(workspace.root))
    except NotARepository:
        return
    for path, first, last in places:
        yield _tried(history, workspace, path, first, last) if time.monotonic() < deadline else None


def _tried(history: History, workspace: Workspace, path: str, first: int, last: int) -> Commit | None:
    try:
        return last_commit(history, workspace.read(path), first, last)
    except (NotARepository, Unreadable):
        return None
