"""Reads a report of a failure, in whatever form people have it: `read_report(text)` → `Report`.

Each language has a parser of its own; the one that finds most in the text speaks for it. Nothing here raises, whatever
the text, and the time it takes grows with its length only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.traces.go import go_failures
from agent.traces.java import java_failures
from agent.traces.javascript import javascript_failures
from agent.traces.lines import clean_lines
from agent.traces.places import placed_failures
from agent.traces.pytest_output import pytest_failures
from agent.traces.python import python_failures
from agent.traces.report import Failure, Report, TraceLanguage
from agent.traces.rust import rust_failures

__all__ = ["read_report"]

_Reading = tuple[list[Failure], list[str], list[str]]

_TRACE_LINE = re.compile(
    r'^\s*(?:File "|at |\^|~|❯|E  |>  |\d+[:|] |---|\+|\||goroutine |Traceback|Caused by|panic:|thread \'|note: |left: |right: |exit status)'
    r"|^\S*[\w.]*(?:Error|Exception)\b|:\d+(?::\d+)?\)?$|[{}();=]$|={5,}|_{5,}|-{5,}"
)
_JAPANESE = re.compile(r"[\u3040-\u30ff]")


def _python(lines: Sequence[str]) -> _Reading:
    """Both styles may stand in one text (pytest with captured output): the one with more frames is the report."""
    plain = python_failures(lines)
    tested, values, tests = pytest_failures(lines)
    failures = tested if _frames(tested) >= _frames(plain) and tested else plain
    return failures, values, tests


_PARSERS: dict[TraceLanguage, Callable[[Sequence[str]], _Reading]] = {
    "python": _python,
    "javascript": javascript_failures,
    "go": go_failures,
    "rust": rust_failures,
    "java": lambda lines: (java_failures(lines), [], []),
}


def read_report(text: str) -> Report:
    """Take the text apart."""
    lines = clean_lines(text)
    prose = "\n".join(line for line in lines if _is_prose(line))
    best: tuple[int, TraceLanguage, _Reading] = (0, "", ([], [], []))
    for language, parse in _PARSERS.items():
        reading = parse(lines)
        found = _frames(reading[0])
        if found > best[0]:
            best = (found, language, reading)
    _, language, (failures, values, tests) = best
    if not failures:
        failures = placed_failures(lines)
    return Report(text, language, tuple(failures), tuple(values), tuple(tests), prose)


def _is_prose(line: str) -> bool:
    """A sentence of a person: several words, or Japanese, and no sign of a program's output."""
    words = len(re.findall(r"(?<![\w/.])[^\W\d_]{2,}(?![\w/(])", line))
    return (words >= 4 or _JAPANESE.search(line) is not None) and not _TRACE_LINE.search(line)


def _frames(failures: Sequence[Failure]) -> int:
    return sum(len(failure.frames) for failure in failures)
