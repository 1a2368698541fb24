"""`git_history`: commits of a file, of lines, of a symbol or about something; who changed lines last.

A commit is evidence by its id, and by the lines of what was shown of it. What the files hold that no commit has is told
as not committed yet. Everything that a repository says (names, messages, patches) is data: masked and safe to show.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from tools.errors import ToolError
from tools.evidence import CommitShown, Evidence, LinesShown
from tools.evidence_text import Room, clip_line, path_text, place
from tools.git import NotARepository, open_repository
from tools.git_excerpt import shown_commit
from tools.git_lines import CommittedLines, committed_lines, last_commits
from tools.git_log import Commit, History, Log
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.index.commits import search_commits
from tools.near_paths import did_you_mean
from tools.sources import Source, Sources
from tools.tool import Arguments
from tools.workspace import Unreadable, Workspace

MOST_LINES = 120
"""Of a file that are asked about at once."""
LINE_LOG_SECONDS = 4.0
"""`log -L` compares every version of the file: on a long history it is stopped, and the whole file is told instead."""
_ONE_COMMIT_LINES, _EACH_COMMIT_LINES = 240, 40


class GitHistoryArguments(Arguments):
    """Commits, newest first: of a path, its lines, a symbol, or about words; and who changed lines last."""

    path: str | None = Field(default=None, description="File or folder.")
    first_line: int | None = Field(default=None, ge=1)
    last_line: int | None = Field(default=None, ge=1)
    symbol: str | None = Field(default=None, description="A definition's name.")
    words: str | None = Field(default=None, description="What commits are about.")
    commit: str | None = Field(default=None, description="One commit's id.")
    limit: int = Field(default=5, ge=1, le=20)


@dataclass(frozen=True)
class GitHistoryResult:
    """Commits, and the lines that were asked about with the commit that changed each last."""

    commits: tuple[CommitShown, ...]
    lines: LinesShown | None = None
    changed_by: Mapping[int, str] | None = None
    """Line → id of the commit that changed it last, "" where it is not committed yet. None where that is not known."""
    notes: tuple[str, ...] = ()
    cut: bool = False
    """There may be more commits."""

    @property
    def evidence(self) -> Sequence[Evidence]:
        return (*self.commits, *((self.lines,) if self.lines else ()))

    @property
    def count(self) -> int:
        return len(self.commits)

    @property
    def truncated(self) -> bool:
        return self.cut

    def for_model(self, ids: Sequence[str]) -> str:
        room = Room()
        parts = [f"({note})" for note in self.notes]
        parts += [self._lines_text(ids[-1])] if self.lines else []
        parts += [_commit_text(id_, commit) for id_, commit in zip(ids, self.commits, strict=False)]
        if not self.commits:
            parts.append("No commit found.")
        fitting = [part for part in parts if room.take(part)]
        cut = self.cut or len(fitting) < len(parts)
        return "\n".join([*fitting, *(["(cut here; next: git_history with one commit)"] if cut else [])])

    def as_json(self, ids: Sequence[str]) -> dict[str, Any]:
        commits = [_commit_json(id_, commit) for id_, commit in zip(ids, self.commits, strict=False)]
        result: dict[str, Any] = {"commits": commits, "notes": list(self.notes), "truncated": self.truncated}
        if self.lines:
            result["lines"] = {
                "id": ids[-1],
                "path": self.lines.path,
                "first_line": self.lines.first_line,
                "last_line": self.lines.last_line,
                "text": self.lines.text,
                "symbol": self.lines.symbol,
                "changed_by": {str(line): sha for line, sha in (self.changed_by or {}).items()},
            }
        return result

    def _lines_text(self, id_: str) -> str:
        assert self.lines is not None
        known = self.changed_by
        rows = [
            f"{number}| {_by(known, number)}{clip_line(line)}"
            for number, line in enumerate(self.lines.lines(), self.lines.first_line)
        ]
        head = f"[{id_}] {place(self.lines)}" + (
            ", each line behind the commit that changed it last" if known else ""
        )
        return "\n".join([head, *rows])


def _by(known: Mapping[int, str] | None, number: int) -> str:
    if known is None:
        return ""
    return f"{known.get(number, '')[:10] or 'uncommitted':<11} | "


def _commit_text(id_: str, commit: CommitShown) -> str:
    head = f"[{id_}] commit {commit.sha[:12]}, {commit.date[:10]}, by {commit.author}"
    return "\n".join([head, *(f"{number}| {line}" for number, line in enumerate(commit.lines(), 1))])


def _commit_json(id_: str, commit: CommitShown) -> dict[str, Any]:
    return {
        "id": id_,
        "sha": commit.sha,
        "date": commit.date,
        "author": commit.author,
        "subject": commit.subject,
        "paths": list(commit.paths),
        "text": commit.text,
    }


@dataclass(frozen=True)
class _Target:
    """Lines of a file as it is now, and where its last commit has them."""

    source: Source
    first: int
    last: int
    committed: CommittedLines


@dataclass(frozen=True)
class GitHistory:
    name: ClassVar[str] = "git_history"
    arguments: ClassVar[type[GitHistoryArguments]] = GitHistoryArguments
    workspace: Workspace
    catalog: Catalog
    workers: ChunkWorkers

    async def __call__(self, arguments: GitHistoryArguments) -> GitHistoryResult:
        try:
            history = await asyncio.to_thread(self._history)
            result = await self._looked_up(history, arguments)
        except NotARepository as reason:
            raise ToolError(_why_none(reason)) from reason
        return result

    def _history(self) -> History:
        """Raises: NotARepository; ToolError before the first commit."""
        history = History(open_repository(self.workspace.root))
        if not history.repository.head().commit:
            raise ToolError("this repository has no commit yet, so there is no history.")
        return history

    async def _looked_up(self, history: History, asked: GitHistoryArguments) -> GitHistoryResult:
        if asked.commit:
            return await asyncio.to_thread(_one_commit, history, asked.commit.strip())
        if asked.symbol and not asked.path:
            path, first, last = self._defined(asked.symbol.strip())
            return await self._of_lines(history, path, first, last, asked.limit)
        if asked.words:
            return await self._about(history, asked)
        if not asked.path:
            found = await asyncio.to_thread(history.log, "--no-merges", count=asked.limit)
            return _result(found, history, asked.limit)
        path = self._inside(asked.path)
        if asked.symbol:
            path, first, last = self._defined(asked.symbol.strip(), path)
            return await self._of_lines(history, path, first, last, asked.limit)
        if asked.first_line is None:
            return await asyncio.to_thread(self._of_path, history, path, asked.limit)
        last = asked.last_line or asked.first_line
        return await self._of_lines(history, path, asked.first_line, last, asked.limit)

    def _inside(self, path: str) -> str:
        try:
            return self.workspace.normalise(path)
        except Unreadable as unreadable:
            raise ToolError(f"`{path_text(path)}`: {unreadable.reason}.") from unreadable

    def _defined(self, symbol: str, path: str = "") -> tuple[str, int, int]:
        """Where a name is defined. Raises: ToolError where it is not, or in several places."""
        found = [one for one in self.catalog.definitions(symbol) if one.path == (path or one.path)]
        outer = [one for one in found if one.area not in ("tests", "docs", "examples")] or found
        if not outer:
            raise ToolError(f"nothing defines `{symbol}`. Ask by path and lines, or by words.")
        if len({(one.path, one.first_line) for one in outer}) > 1:
            places = ", ".join(f"{path_text(one.path)}:{one.first_line}" for one in outer[:4])
            raise ToolError(f"`{symbol}` is defined in {places}. Name the path too, or its lines.")
        return outer[0].path, outer[0].first_line, outer[0].last_line

    async def _about(self, history: History, asked: GitHistoryArguments) -> GitHistoryResult:
        """Recent commits by what they say and change. Their patches are git's, read now."""
        words = (asked.words or "").strip()
        found = search_commits(self.catalog, words, limit=100 if asked.path else asked.limit)
        if asked.path:
            path = self._inside(asked.path).rstrip("/")
            found = [
                one
                for one in found
                if any(each == path or each.startswith(f"{path}/") for each in one.commit.paths)
            ][: asked.limit]
        shas = [one.commit.sha for one in found]
        commits = await asyncio.to_thread(_read, history, shas)
        head, _ = self.catalog.commit_state()
        notes = () if head else ("not all of the last commits are indexed yet",)
        shown = tuple(shown_commit(one, _EACH_COMMIT_LINES, words) for one in commits)
        return GitHistoryResult(shown, notes=(*notes, *_shallow(history)))

    def _of_path(self, history: History, path: str, limit: int) -> GitHistoryResult:
        self._refuse_submodule(history, path)
        follow = () if path == "." or self._is_folder(path) else ("--follow",)
        found = history.log(*follow, count=limit, paths=(path,))
        if not found.commits and not follow:
            found = history.log(count=limit, paths=(path,))
        if not found.commits:
            raise ToolError(self._unknown(path))
        notes = self._renames(found, path)
        return _result(found, history, limit, notes=notes)

    async def _of_lines(
        self, history: History, path: str, first: int, last: int, limit: int
    ) -> GitHistoryResult:
        """Who changed the lines last, and the commits that changed any of them."""
        source = await self._source(history, path)
        if not 1 <= first <= last or first > source.n_lines:
            raise ToolError(f"`{path_text(path)}` has {source.n_lines} lines; ask within 1-{source.n_lines}.")
        last = min(last, source.n_lines, first + MOST_LINES - 1)
        return await asyncio.to_thread(_lines_history, history, source, first, last, limit)

    async def _source(self, history: History, path: str) -> Source:
        sources = Sources(self.workspace, self.catalog, self.workers)
        await sources.load([path])
        try:
            return sources.opened(path)
        except Unreadable as unreadable:
            self._refuse_submodule(history, path)
            reason = "withheld (secret file)" if unreadable.reason == "secret file" else unreadable.reason
            near = did_you_mean(path, sources.records) if "not found" in reason else ""
            raise ToolError(f"`{path_text(path)}`: {reason}.{near}") from unreadable

    def _refuse_submodule(self, history: History, path: str) -> None:
        if path != "." and history.repository.is_submodule(path):
            raise ToolError(f"`{path_text(path)}` is in a submodule, which has a history of its own.")

    def _is_folder(self, path: str) -> bool:
        try:
            self.workspace.entries(path)
        except Unreadable:
            return False
        return True

    def _unknown(self, path: str) -> str:
        if self.workspace.stat(path) is not None:
            return f"`{path_text(path)}` is not committed yet, so it has no history."
        return f"no commit has a file `{path_text(path)}`.{did_you_mean(path, self.catalog.files())}"

    def _renames(self, found: Log, path: str) -> tuple[str, ...]:
        olds = dict.fromkeys(change.was for one in found.commits for change in one.changes if change.was)
        renamed = (
            (f"`{path_text(path)}` was renamed; earlier: {', '.join(olds)}",)
            if olds and path not in olds
            else ()
        )
        return (
            *renamed,
            *(() if self.workspace.stat(path) or self._is_folder(path) else ("the path is gone today",)),
        )


def _lines_history(history: History, source: Source, first: int, last: int, limit: int) -> GitHistoryResult:
    path, lines = source.file.path, source.show(first, last)
    target = _Target(source, first, last, committed_lines(history.repository, source.file))
    if not target.committed.is_tracked:
        note = f"`{path_text(path)}` is not committed yet, so it has no history"
        return GitHistoryResult((), lines, dict.fromkeys(range(first, last + 1), ""), (note,))
    changed_by = _blamed(history, target)
    span = target.committed.range_of(first, last)
    if span is None:
        return GitHistoryResult((), lines, changed_by, ("these lines are not committed yet",))
    found, notes = _log_of_lines(history, path, span, limit)
    if changed_by and "" in changed_by.values():
        notes = ("some of these lines are not committed yet", *notes)
    return _result(found, history, limit, lines=lines, changed_by=changed_by, notes=notes)


def _blamed(history: History, target: _Target) -> dict[int, str] | None:
    wanted = {
        line: at
        for line in range(target.first, target.last + 1)
        if (at := target.committed.by_line.get(line))
    }
    if not wanted:
        return dict.fromkeys(range(target.first, target.last + 1), "")
    path = target.source.file.path
    blamed = last_commits(history.repository, path, min(wanted.values()), max(wanted.values()))
    if blamed is None:
        return None
    return {
        line: blamed.get(wanted[line], "") if line in wanted else ""
        for line in range(target.first, target.last + 1)
    }


def _log_of_lines(
    history: History, path: str, span: tuple[int, int], limit: int
) -> tuple[Log, tuple[str, ...]]:
    """The commits that changed these lines; those of the whole file where that takes too long."""
    found = history.log(f"-L{span[0]},{span[1]}:{path}", count=limit, seconds=LINE_LOG_SECONDS)
    if found.commits or found.ended == "exit":
        return found, ()
    found = history.log("--follow", count=limit, paths=(path,))
    return found, ("following the lines took too long: these are the commits of the whole file",)


def _one_commit(history: History, sha: str) -> GitHistoryResult:
    commit = history.commit(sha)
    if commit is None:
        raise ToolError(f"there is no commit `{sha[:80]}` in this repository, or several begin so.")
    shown = shown_commit(commit, _ONE_COMMIT_LINES)
    return GitHistoryResult(
        (shown,), notes=_shallow(history) if commit.is_edge else (), cut=not commit.is_whole
    )


def _read(history: History, shas: Sequence[str]) -> tuple[Commit, ...]:
    return history.log("--no-walk=unsorted", *shas, count=len(shas)).commits if shas else ()


def _result(
    found: Log,
    history: History,
    limit: int,
    *,
    lines: LinesShown | None = None,
    changed_by: Mapping[int, str] | None = None,
    notes: tuple[str, ...] = (),
) -> GitHistoryResult:
    shown = tuple(shown_commit(one, _EACH_COMMIT_LINES) for one in found.commits)
    edges = _shallow(history) if any(one.is_edge for one in found.commits) else ()
    cut = found.ended != "exit" or len(shown) == limit
    return GitHistoryResult(shown, lines, changed_by, (*notes, *edges), cut)


def _shallow(history: History) -> tuple[str, ...]:
    if not history.edges:
        return ()
    return ("this is a shallow clone: what its oldest commits changed, and all before them, is not here",)


def _why_none(reason: NotARepository) -> str:
    if not reason.reason:
        return "this workspace is not a git repository of its own, so there is no history."
    return f"there is no history to read: {reason.reason}."
