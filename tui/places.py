"""A place in the sources that can be opened: cited lines, lines that a tool showed, a definition, a search result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the first paint comes before
    from agent.answer import LinesCitation
    from tools.evidence import LinesShown


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of one file; `text` and `sha256` are what they were when they were shown, where that is known."""

    path: str
    first_line: int
    last_line: int
    text: str = ""
    sha256: str = ""
    verified: bool = False
    moved_from: str = ""

    @property
    def label(self) -> str:
        """What people read: `path:41-52`, or `path:41` for one line."""
        lines = (
            f"{self.first_line}"
            if self.first_line == self.last_line
            else f"{self.first_line}-{self.last_line}"
        )
        return f"{self.path}:{lines}"


def cited(citation: LinesCitation) -> Place:
    """Where the lines of a verified citation are."""
    return Place(
        citation.path,
        citation.first_line,
        citation.last_line,
        citation.text,
        citation.sha256,
        verified=True,
        moved_from=citation.moved_from,
    )


def shown(lines: LinesShown) -> Place:
    """Where lines are that a tool showed."""
    return Place(lines.path, lines.first_line, lines.last_line, lines.text, lines.sha256)
