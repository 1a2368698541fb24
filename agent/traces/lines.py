"""The lines of a report without what a terminal, a logger or a container put around them.

Colour codes go, and so do time stamps, levels and container names before a line, indentation kept: the parsers see
what the program itself wrote.
"""

from __future__ import annotations

import re

MAX_LINES = 20_000
MAX_COLUMNS = 2_000
"""Longer lines are cut: no frame is that long, and patterns stay quick."""

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_STAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_PREFIX = re.compile(
    rf"(?:{_STAMP}"
    r"|\[(?=[^\]\n]{0,60}(?:\d\d:\d\d|\b(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL|stderr|stdout)\b))[^\]\n]{1,80}\]"
    r"|(?=\d{0,39}[A-Za-z_])[\w./-]{1,40}[ ]{0,20}\|"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,60} [\w./-]{1,60}(?:\[\d+\])?:"
    r"|(?:stdout|stderr) F"
    r"|(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b:?"
    r")(?: |$)"
)
_MOST_PREFIXES = 4


def clean_lines(text: str) -> list[str]:
    """The lines that the program wrote, at most `MAX_LINES` of them."""
    raw = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:MAX_LINES]
    return [_without_prefix(_ESCAPES.sub("", line[:MAX_COLUMNS])).rstrip() for line in raw]


def _without_prefix(line: str) -> str:
    for _ in range(_MOST_PREFIXES):
        match = _PREFIX.match(line)
        if match is None:
            return line
        line = line[match.end() :]
    return line
