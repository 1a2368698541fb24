"""Places that a text of any kind names: `src/app.py:41`, `src/app.py(41)`, `app.py, line 41`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.traces.report import Failure, Frame

_PLACE = re.compile(
    r"(?<![\w/.-])(?P<path>(?:[A-Za-z]:[\\/]|[./\\]{0,3})[\w@+-][\w@+./\\-]{0,200}\.[A-Za-z]{1,5})(?::(?P<line>\d{1,6})\b|\((?P<line2>\d{1,6})[,)]|\"?,? line (?P<line3>\d{1,6})\b)"
)
_ERROR = re.compile(
    r"\b(?P<type>[A-Z]\w*(?:Error|Exception|Warning)|error|ERROR|fatal|panic)\b:? ?(?P<message>.{0,300})"
)
_MOST_PLACES = 30


def placed_failures(lines: Sequence[str]) -> list[Failure]:
    """One failure with every place that the text names, in its order, and the first error message in it."""
    frames: dict[tuple[str, int], Frame] = {}
    named: re.Match[str] | None = None
    for line in lines:
        named = named or _ERROR.search(line)
        for match in _PLACE.finditer(line):
            number = int(match["line"] or match["line2"] or match["line3"])
            frames.setdefault((match["path"], number), Frame(match["path"], number))
    if not frames and named is None:
        return []
    kind, message = (named["type"], named["message"].strip()) if named else ("", "")
    return [Failure(kind, message, tuple(frames.values())[:_MOST_PLACES])]
