"""`read_file_lines`: exact lines of one file, read now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from tools.errors import ToolError
from tools.evidence import Evidence, LinesShown
from tools.evidence_text import Room, clip_around, clipped_text, lines_that_fit, numbered, path_text, place
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.near_paths import did_you_mean
from tools.sources import Source, Sources
from tools.tool import Arguments
from tools.workspace import Unreadable, Workspace

MAX_LINES = 400


class ReadFileLinesArguments(Arguments):
    """Read lines of one file, at most 400 in one call."""

    path: str = Field(description="File, relative to the workspace.")
    first_line: int = Field(ge=1, description="First line, counted from 1.")
    last_line: int = Field(ge=1, description="Last line, included.")


@dataclass(frozen=True)
class FileLines:
    """The lines that were read."""

    lines: LinesShown
    n_lines: int
    """Of the whole file."""
    asked_last_line: int
    language: str

    @property
    def evidence(self) -> Sequence[Evidence]:
        return (self.lines,)

    @property
    def count(self) -> int:
        return self.lines.last_line - self.lines.first_line + 1

    @property
    def truncated(self) -> bool:
        return self.lines.last_line < min(self.asked_last_line, self.n_lines)

    def for_model(self, ids: Sequence[str]) -> str:
        head = f"[{ids[0]}] {place(self.lines)} of {self.n_lines} lines"
        if self.lines.symbol:
            head += f", in {self.lines.symbol}"
        return "\n".join(part for part in (head, self._header(), numbered(self.lines), self._next()) if part)

    def as_json(self, ids: Sequence[str]) -> dict[str, Any]:
        return {
            "id": ids[0],
            "path": self.lines.path,
            "first_line": self.lines.first_line,
            "last_line": self.lines.last_line,
            "n_lines": self.n_lines,
            "text": clipped_text(self.lines),
            "symbol": self.lines.symbol,
            "header": self.lines.header,
            "language": self.language,
            "truncated": self.truncated,
        }

    def _header(self) -> str:
        """The signatures around the first line, unless they are among the lines themselves."""
        text = self.lines.text
        outside = [line for line in self.lines.header.split("\n") if line and line not in text]
        return "\n".join(f"in: {clip_around(line, 0)}" for line in outside)

    def _next(self) -> str:
        if self.truncated:
            last = min(self.asked_last_line, self.n_lines)
            return f"(cut here; next: read_file_lines {path_text(self.lines.path)} {self.lines.last_line + 1}-{last})"
        if self.asked_last_line > self.n_lines:
            return f"(the file ends at line {self.n_lines})"
        return ""


@dataclass(frozen=True)
class ReadFileLines:
    name: ClassVar[str] = "read_file_lines"
    arguments: ClassVar[type[ReadFileLinesArguments]] = ReadFileLinesArguments
    workspace: Workspace
    catalog: Catalog
    workers: ChunkWorkers

    async def __call__(self, arguments: ReadFileLinesArguments) -> FileLines:
        source = await self._read(arguments.path)
        first, last = _checked_range(source, arguments)
        wanted = source.file.lines[first - 1 : min(last, source.n_lines, first + MAX_LINES - 1)]
        shown = max(1, lines_that_fit(iter(wanted), Room()))
        return FileLines(source.show(first, first + shown - 1), source.n_lines, last, source.language)

    async def _read(self, path: str) -> Source:
        sources = Sources(self.workspace, self.catalog, self.workers)
        try:
            inside = self.workspace.normalise(path)
            await sources.load([inside])
            return sources.opened(inside)
        except Unreadable as unreadable:
            near = did_you_mean(path, sources.records) if "not found" in unreadable.reason else ""
            raise ToolError(f"`{path_text(path)}`: {_reason(unreadable)}.{near}") from unreadable


def _reason(unreadable: Unreadable) -> str:
    """The reason for a model: of a secret file it learns that it is withheld, not that it is missing."""
    return "withheld (secret file)" if unreadable.reason == "secret file" else unreadable.reason


def _checked_range(source: Source, arguments: ReadFileLinesArguments) -> tuple[int, int]:
    first, last = arguments.first_line, arguments.last_line
    path = path_text(source.file.path)
    if not source.n_lines:
        raise ToolError(f"`{path}` is empty.")
    if last < first:
        raise ToolError(
            f"`{path}`: last_line {last} comes before first_line {first}. Ask for {last}-{first}."
        )
    if first > source.n_lines:
        raise ToolError(
            f"`{path}` has {source.n_lines} lines; you asked for {first}-{last}. Ask within 1-{source.n_lines}."
        )
    return first, last
