"""A small real toolbox for tests of the loop: one tool that shows lines of a workspace, one that is broken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tools.errors import IndexUnusable, ToolError
from tools.evidence import Evidence, LinesShown
from tools.tool import Arguments
from tools.toolbox import Toolbox
from tools.workspace import Unreadable, Workspace


class SearchArguments(Arguments):
    """Find a file whose lines hold the words."""

    queries: list[str]


class ReadArguments(Arguments):
    """Read lines."""

    path: str
    first_line: int = 1
    last_line: int = 1


@dataclass(frozen=True)
class Shown:
    """Lines as they were read."""

    evidence: Sequence[Evidence]
    truncated: bool = False

    @property
    def count(self) -> int:
        return len(self.evidence)

    def for_model(self, ids: Sequence[str]) -> str:
        pieces = [piece for piece in self.evidence if isinstance(piece, LinesShown)]
        return (
            "\n".join(f"[{name}] {piece.path}\n{piece.text}" for name, piece in zip(ids, pieces, strict=True))
            or "nothing"
        )

    def as_json(self, ids: Sequence[str]) -> dict[str, Any]:
        return {"results": list(ids)}


@dataclass(frozen=True)
class ShowEveryFile:
    """Shows the whole of the given files, whatever is asked."""

    name: ClassVar[str] = "semantic_search"
    arguments: ClassVar[type[SearchArguments]] = SearchArguments
    workspace: Workspace
    paths: tuple[str, ...]

    async def __call__(self, arguments: SearchArguments) -> Shown:
        files = [self.workspace.read(path) for path in self.paths]
        return Shown(
            [
                LinesShown(
                    file.path,
                    1,
                    len(file.lines),
                    "\n".join(file.lines),
                    file.sha256,
                    header=file.lines[0],
                    header_until=len(file.lines),
                )
                for file in files
            ]
        )


@dataclass(frozen=True)
class ReadLines:
    """Shows the lines asked for."""

    name: ClassVar[str] = "read_file_lines"
    arguments: ClassVar[type[ReadArguments]] = ReadArguments
    workspace: Workspace

    async def __call__(self, arguments: ReadArguments) -> Shown:
        try:
            file = self.workspace.read(arguments.path)
            text = file.text(arguments.first_line, arguments.last_line)
        except (Unreadable, ValueError) as problem:
            raise ToolError(str(problem)) from None
        return Shown([LinesShown(file.path, arguments.first_line, arguments.last_line, text, file.sha256)])


@dataclass(frozen=True)
class BrokenSearch:
    """A search whose index cannot be used."""

    name: ClassVar[str] = "semantic_search"
    arguments: ClassVar[type[SearchArguments]] = SearchArguments

    async def __call__(self, arguments: SearchArguments) -> Shown:
        raise IndexUnusable("the index cannot be read", cause="it is damaged", hint="build it anew")


def toolbox(workspace: Workspace, *paths: str) -> Toolbox:
    """Both working tools."""
    return Toolbox((ShowEveryFile(workspace, paths), ReadLines(workspace)))
