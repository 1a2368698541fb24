"""Quotations: exact substrings of a place's lines, with the numbers of these lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.backends.extractive.findings import Place

MAX_QUOTED = 180
"""Characters of one quotation; a longer statement is cut to its first line."""
_MAX_STATEMENT_LINES = 8
_MAX_HEADER_LINES = 10
_MAX_SIGNATURE_LINES = 5
_MAX_SIGNATURE = 150
"""Of a longer signature only the line that names the definition is quoted: the rest cut in two tells nothing."""

COMMENT = re.compile(r"^\s*(?://|/\*|\*|#(?!\[|!\[|include|define|if)|--|\"\"\"|''')")
_NOT_A_HEADER = re.compile(rf"{COMMENT.pattern}|\s*@|\s*#\[")
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Quote:
    """Text that stands in lines `first_line` to `last_line` of a place, white space squeezed."""

    place: Place
    first_line: int
    last_line: int
    text: str


def signature_of(place: Place) -> Quote | None:
    """The line that names the definition, with those that finish its header."""
    if not place.symbol:
        return None
    wanted = squeezed(place.signature)
    named = re.compile(rf"(?<![\w$]){re.escape(place.symbol)}(?![\w$])")
    candidates = [
        at for at, line in enumerate(place.lines) if named.search(line) and not _NOT_A_HEADER.match(line)
    ]
    matching = [at for at in candidates if wanted.startswith(squeezed(place.lines[at]).rstrip(" {:"))]
    for at in matching or candidates:
        quote = _statement(place, at, most=_MAX_HEADER_LINES)
        short = (
            quote.last_line - quote.first_line < _MAX_SIGNATURE_LINES and len(quote.text) <= _MAX_SIGNATURE
        )
        return quote if short else _line(place, at)
    return None


def first_statement(place: Place) -> Quote | None:
    """The first line that says something: what a block without a name is quoted by."""
    for at, line in enumerate(place.lines):
        if re.search(r"\w{2}", line) and not COMMENT.match(line):
            return _line(place, at)
    return next((_line(place, at) for at, line in enumerate(place.lines) if re.search(r"\w{2}", line)), None)


def statement_at(place: Place, line: int) -> Quote:
    """The statement that begins on the line."""
    return _statement(place, line - place.first_line)


def statement_through(place: Place, first_line: int, last_line: int) -> Quote:
    """The lines from `first_line` to `last_line` and what follows of the same statement, as far as it is short."""
    text, end = "", last_line
    for last in range(last_line, min(last_line + _MAX_STATEMENT_LINES, place.last_line) + 1):
        lines = place.lines[first_line - place.first_line : last - place.first_line + 1]
        longer = squeezed(" ".join(lines))
        if text and len(longer) > MAX_QUOTED:
            break
        text, end = longer, last
        if sum(map(longer.count, _OPENING)) <= sum(map(longer.count, _CLOSING)):
            break
    return Quote(place, first_line, end, _trimmed(text))


def is_open(place: Place, first_line: int, line: int) -> bool:
    """True when a bracket opened since `first_line` is still open where `line` begins; one that opens a body is not."""
    text = "".join(place.lines[first_line - place.first_line : line - place.first_line]).rstrip(" {")
    return sum(map(text.count, _OPENING)) > sum(map(text.count, _CLOSING))


def _statement(place: Place, at: int, most: int = _MAX_STATEMENT_LINES) -> Quote:
    """The statement from line `at` to where its brackets close, if that is near and short; else that line."""
    depth = 0
    for last in range(at, min(at + most, len(place.lines))):
        line = place.lines[last]
        depth += sum(line.count(mark) for mark in _OPENING) - sum(line.count(mark) for mark in _CLOSING)
        depth -= line.rstrip().endswith("{")
        text = _trimmed(squeezed(" ".join(place.lines[at : last + 1])))
        if len(text) > MAX_QUOTED:
            break
        if depth <= 0:
            return Quote(place, place.first_line + at, place.first_line + last, text)
    return _line(place, at)


def _line(place: Place, at: int) -> Quote:
    text = _trimmed(squeezed(place.lines[at]))
    if len(text) > MAX_QUOTED:
        text = text[:MAX_QUOTED].rsplit(" ", 1)[0]
    number = place.first_line + at
    return Quote(place, number, number, text)


def _trimmed(text: str) -> str:
    """Without a comment at its end, and without the bracket or colon that opens what follows."""
    comment = re.search(r"\s+(?:#|//)\s", text)
    if comment and not any(text[: comment.start()].count(mark) % 2 for mark in "\"'`"):
        text = text[: comment.start()]
    return re.sub(r"\s*(?:=>\s*)?[{(\[:;,=]+$", "", text) or text


def squeezed(text: str) -> str:
    return " ".join(text.split())
