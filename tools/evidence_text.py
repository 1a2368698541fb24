"""Evidence as text for a model: a heading with its id, then numbered lines, within the limits of one result.

Every line of a file stands behind its number and a bar, so nothing that a file says can pass for a heading. A
line is cut at `MAX_LINE_CHARACTERS` in the text only: the evidence itself stays exact. Paths that could be misread
(control characters, quotes, edge blanks, undecodable bytes) are written as JSON strings, which read back exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.evidence import LinesShown

MAX_LINE_CHARACTERS = 2_000
MAX_RESULT_CHARACTERS = 24_000

_PLAIN_PATH = re.compile(r"[^\x00-\x1f\x7f-\xa0\"'`\\\u2028\u2029\ud800-\udfff]+")


def path_text(path: str) -> str:
    """The path as a model reads it and can give it back."""
    plain = _PLAIN_PATH.fullmatch(path) and path == path.strip()
    return path if plain else json.dumps(path)


def clip_line(line: str) -> str:
    """The line, cut with a marker where it is longer than a result can bear."""
    hidden = len(line) - MAX_LINE_CHARACTERS
    return line if hidden <= 0 else f"{line[:MAX_LINE_CHARACTERS]} …[{hidden} more characters]"


def clip_around(line: str, at: int, width: int = 300) -> str:
    """The part of a long line around column `at`, with markers for what is left out."""
    if len(line) <= width:
        return line
    start = max(0, min(at - width // 3, len(line) - width))
    before = f"[{start} characters]… " if start else ""
    hidden = len(line) - start - width
    return f"{before}{line[start : start + width]}{f' …[{hidden} more characters]' if hidden else ''}"


def clipped_text(shown: LinesShown) -> str:
    """The text of the evidence with its long lines cut, without numbers."""
    return "\n".join(clip_line(line) for line in shown.lines())


def place(shown: LinesShown) -> str:
    """`path:41-52`, or `path:41` for one line."""
    lines = (
        f"{shown.first_line}"
        if shown.last_line == shown.first_line
        else f"{shown.first_line}-{shown.last_line}"
    )
    return f"{path_text(shown.path)}:{lines}"


def numbered(shown: LinesShown) -> str:
    """The lines of the evidence, each behind its number."""
    width = len(str(shown.last_line))
    return "\n".join(
        f"{number:>{width}}| {clip_line(line)}" for number, line in enumerate(shown.lines(), shown.first_line)
    )


@dataclass
class Room:
    """What is left of one result's size, in characters of model text."""

    left: int = MAX_RESULT_CHARACTERS

    def take(self, text: str) -> bool:
        """True, and the room shrinks, when `text` still fits."""
        if len(text) > self.left:
            return False
        self.left -= len(text) + 1
        return True


def lines_that_fit(lines: Iterator[str], room: Room) -> int:
    """How many of the lines fit into the room, from the first on; numbers and bars are counted."""
    count = 0
    for line in lines:
        if not room.take(f"1234567| {clip_line(line)}"):
            break
        count += 1
    return count
