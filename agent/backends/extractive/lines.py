"""Which lines of a place to quote: its signature, its documentation's first sentence, the statements that matter.

Everything here returns exact substrings of the place's lines with their numbers, so that what is said can be cited.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from agent.backends.extractive.findings import Place
from agent.question import Question

MAX_QUOTED = 180
"""Characters of one quotation; a longer statement is cut to its first line."""
MAX_SENTENCE = 260
_MAX_STATEMENT_LINES = 8
_MAX_HEADER_LINES = 10

_MARKER = re.compile(r"^\s*(?:///?!?|/\*+!?|\*+/?|#+!?|--|;+|\"\"\"|'''|r\"\"\")\s?")
_COMMENT = re.compile(r"^\s*(?://|/\*|\*|#(?!\[|!\[|include|define|if)|--|\"\"\"|''')")
_OUTCOME = re.compile(
    r"^\s*(?:return|raise|throw|yield|panic!?\(|if|elif|else if|match|switch|case|when|guard|assert)\b|=>|\?;$"
)
_RETURN = re.compile(r"^\s*(?:return|yield)\b(?!\s*(?:;|$))")
_GUARD = re.compile(
    r"^\s*(?:\}?\s*(?:else )?if|elif|unless|when|case|except|catch|while|for|match|assert|guard)\b"
)
_SENTENCE = re.compile(r"(.+?[.!?。])(?:\s|$)", re.DOTALL)
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
    wanted = _squeezed(place.signature)
    named = re.compile(rf"(?<![\w$]){re.escape(place.symbol)}(?![\w$])")
    candidates = [
        at for at, line in enumerate(place.lines) if named.search(line) and not _COMMENT.match(line)
    ]
    matching = [at for at in candidates if wanted.startswith(_squeezed(place.lines[at]).rstrip(" {:"))]
    for at in matching or candidates:
        return _statement(place, at, most=_MAX_HEADER_LINES)
    return None


def first_statement(place: Place) -> Quote | None:
    """The first line that says something: what a block without a name is quoted by."""
    for at, line in enumerate(place.lines):
        if re.search(r"\w{2}", line) and not _COMMENT.match(line):
            return _line(place, at)
    return next((_line(place, at) for at, line in enumerate(place.lines) if re.search(r"\w{2}", line)), None)


def documentation_of(place: Place, above: Place | None = None) -> Quote | None:
    """The first sentence of its docstring or of the comment above it; `above` is what was read right before it."""
    for source, text in _documentation(place, above):
        if (sentence := _first_sentence(text)) and (quote := _found_in(source, sentence)):
            return quote
    return None


def _documentation(place: Place, above: Place | None) -> Iterator[tuple[Place, str]]:
    """Where documentation may stand, with its text without markers."""
    if place.docstring:
        yield place, place.docstring
    inside = sorted(_docstring_lines(place))
    yield place, "\n".join(_unmarked(place.lines[at]) for at in inside)
    signature = signature_of(place)
    before = place.lines[: signature.first_line - place.first_line] if signature else ()
    yield place, _comment_ending(before)
    if above is not None:
        yield above, _comment_ending(above.lines)


def _comment_ending(lines: Sequence[str]) -> str:
    """The comment block that the lines end with; decorators and attributes may follow it."""
    block: list[str] = []
    for line in reversed(lines):
        if _COMMENT.match(line):
            block.insert(0, _unmarked(line))
        elif block or not re.match(r"\s*[@#\[]", line):
            break
    return "\n".join(block)


def _first_sentence(text: str) -> str:
    paragraph = re.split(r"\n\s*\n", text.strip())[0]
    match = _SENTENCE.match(paragraph + " ")
    sentence = _squeezed(match[1] if match else paragraph)
    if len(sentence) > MAX_SENTENCE:
        sentence = sentence[:MAX_SENTENCE].rsplit(" ", 1)[0]
    return sentence if re.search(r"\w{3}", sentence) else ""


def _found_in(place: Place, sentence: str) -> Quote | None:
    """The lines of the place that hold the sentence, comment markers left aside."""
    plain = [_unmarked(line) for line in place.lines]
    start = sentence.split()[0]
    ranges: list[tuple[int, int]] = []
    for first in (at for at, line in enumerate(plain) if start in line):
        ends = (
            end
            for end in range(first, min(first + 8, len(plain)))
            if _holds(plain[first : end + 1], sentence)
        )
        if (last := next(ends, None)) is not None:
            ranges.append((last - first, first))
    if not ranges:
        return None
    more, first = min(ranges)
    return Quote(place, place.first_line + first, place.first_line + first + more, sentence)


def _holds(lines: Sequence[str], sentence: str) -> bool:
    return sentence in _squeezed(" ".join(lines))


def _unmarked(line: str) -> str:
    return re.sub(r"(?:\"\"\"|\'\'\'|\*/)\s*$", "", _MARKER.sub("", line))


def telling_lines(question: Question, place: Place, others: Iterable[Place], most: int = 3) -> list[Quote]:
    """The statements of its body that hold most of what the question is about, in their order."""
    weights = _weights(question, [place, *others])
    skip = _head_lines(place)
    scored: list[tuple[float, int]] = []
    for at, line in enumerate(place.lines):
        held = question.ideas_in(line)
        if at not in skip and held and not _COMMENT.match(line) and re.search(r"\w{2}", line):
            bonus = 1.25 if _OUTCOME.search(line) else 1.0
            scored.append((bonus * sum(weights[idea] for idea in held), at))
    best = max((score for score, _ in scored), default=0.0)
    kept = sorted(scored, key=lambda entry: (-entry[0], entry[1]))[:most]
    chosen = sorted(at for score, at in kept if score >= 0.5 * best)
    return _distinct(_statement(place, at) for at in chosen)


def outcomes(place: Place, most: int = 2) -> list[Quote]:
    """What it returns, without the word for it."""
    skip = _head_lines(place)
    found = [at for at, line in enumerate(place.lines) if at not in skip and _RETURN.match(line)]
    quotes = _distinct(_statement(place, at) for at in found[-most:])
    return [replace(quote, text=re.sub(r"^(?:return|yield)\s+", "", quote.text)) for quote in quotes]


def guard_of(place: Place, line: int) -> Quote | None:
    """The condition that leads to the line: the nearest line above it that is indented less and tests something."""
    at = line - place.first_line
    if not 0 <= at < len(place.lines):
        return None
    indent = _indent(place.lines[at])
    for above in range(at - 1, -1, -1):
        text = place.lines[above]
        if text.strip() and _indent(text) < indent:
            if _GUARD.match(text):
                return _statement(place, above)
            if re.search(r"(?:def|fn|func|function|class)\b", text):
                return None
            indent = _indent(text)
    return None


def statement_at(place: Place, line: int) -> Quote:
    """The statement that begins on the line."""
    return _statement(place, line - place.first_line)


def statement_through(place: Place, first_line: int, last_line: int) -> Quote:
    """The lines from `first_line` to `last_line` and what follows of the same statement, as far as it is short."""
    text, end = "", last_line
    for last in range(last_line, min(last_line + _MAX_STATEMENT_LINES, place.last_line) + 1):
        lines = place.lines[first_line - place.first_line : last - place.first_line + 1]
        longer = _squeezed(" ".join(lines))
        if text and len(longer) > MAX_QUOTED:
            break
        text, end = longer, last
        if sum(map(longer.count, _OPENING)) <= sum(map(longer.count, _CLOSING)):
            break
    return Quote(place, first_line, end, _trimmed(text))


def coverage(question: Question, place: Place, weights: dict[str, float]) -> float:
    """The weight of the question's ideas that the place holds."""
    text = "\n".join((place.name, place.signature, place.docstring, *place.lines))
    return sum(weights[idea] for idea in question.ideas_in(text))


def idea_weights(question: Question, places: Sequence[Place]) -> dict[str, float]:
    """The rarer an idea among the places, the more it tells them apart."""
    return _weights(question, places)


def _weights(question: Question, places: Sequence[Place]) -> dict[str, float]:
    lines = [line for place in places for line in place.lines]
    holding = Counter(idea for line in lines for idea in question.ideas_in(line))
    return {one.word: math.log(1 + len(lines) / (1 + holding[one.word])) for one in question.concepts}


def _head_lines(place: Place) -> set[int]:
    """Indexes of the signature and the documentation: quoted apart."""
    quotes = [quote for quote in (signature_of(place), documentation_of(place)) if quote]
    return {
        line - place.first_line for quote in quotes for line in range(quote.first_line, quote.last_line + 1)
    } | _docstring_lines(place)


def _docstring_lines(place: Place) -> set[int]:
    """Indexes of the lines inside a triple-quoted string or a block comment."""
    inside: set[int] = set()
    closing = ""
    for at, line in enumerate(place.lines):
        bare = line.strip()
        if closing:
            inside.add(at)
            closing = "" if closing in bare else closing
            continue
        opening = re.match(r"[rRbBuUfF]?(\"\"\"|''')|(/\*)", bare)
        if opening:
            inside.add(at)
            mark = opening[1] or "*/"
            closing = "" if mark in bare[opening.end() :] else mark
    return inside


def _statement(place: Place, at: int, most: int = _MAX_STATEMENT_LINES) -> Quote:
    """The statement from line `at` to where its brackets close, if that is near and short; else that line."""
    depth = 0
    for last in range(at, min(at + most, len(place.lines))):
        line = place.lines[last]
        depth += sum(line.count(mark) for mark in _OPENING) - sum(line.count(mark) for mark in _CLOSING)
        depth -= line.rstrip().endswith("{")
        text = _trimmed(_squeezed(" ".join(place.lines[at : last + 1])))
        if len(text) > MAX_QUOTED:
            break
        if depth <= 0:
            return Quote(place, place.first_line + at, place.first_line + last, text)
    return _line(place, at)


def _line(place: Place, at: int) -> Quote:
    text = _trimmed(_squeezed(place.lines[at]))
    if len(text) > MAX_QUOTED:
        text = text[:MAX_QUOTED].rsplit(" ", 1)[0]
    number = place.first_line + at
    return Quote(place, number, number, text)


def _trimmed(text: str) -> str:
    """Without a comment at its end, and without the bracket or colon that opens what follows."""
    comment = re.search(r"\s+(?:#|//)\s", text)
    if comment and not any(text[: comment.start()].count(mark) % 2 for mark in "\"'`"):
        text = text[: comment.start()]
    return re.sub(r"\s*(?:=>\s*)?[{(\[:;,]+$", "", text) or text


def _distinct(quotes: Iterable[Quote]) -> list[Quote]:
    kept: list[Quote] = []
    for quote in quotes:
        if not any(
            other.first_line <= quote.first_line <= other.last_line or other.text == quote.text
            for other in kept
        ):
            kept.append(quote)
    return kept


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def _squeezed(text: str) -> str:
    return " ".join(text.split())
