"""Documentation of a definition: the first sentence of its docstring or of the comment above it, as it stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.backends.extractive.findings import Place
from agent.backends.extractive.quotes import COMMENT, Quote, signature_of, squeezed

MAX_SENTENCE = 260

_MARKER = re.compile(r"^\s*(?:///?!?|/\*+!?|\*+/?|#+!?|--|;+|\"\"\"|'''|r\"\"\")\s?")
_SENTENCE = re.compile(r"(.+?[.!?。])(?:\s|$)", re.DOTALL)


def documentation_of(place: Place, above: Place | None = None) -> Quote | None:
    """The first sentence of its docstring or of the comment above it; `above` is what was read right before it."""
    for source, text in _documentation(place, above):
        if (sentence := _first_sentence(text)) and (quote := _found_in(source, sentence)):
            return quote
    return None


def _documentation(place: Place, above: Place | None) -> Iterator[tuple[Place, str]]:
    """Where documentation may stand, with its text without markers: as it stands there before as the index has it."""
    signature = signature_of(place)
    if signature:
        yield place, _string_at(place, signature.last_line - place.first_line + 1)
        yield place, _comment_ending(place.lines[: signature.first_line - place.first_line])
    if above is not None:
        yield above, _comment_ending(above.lines)
    if place.docstring:
        yield place, place.docstring


def _string_at(place: Place, at: int) -> str:
    """The triple-quoted string that begins on the line."""
    inside = docstring_lines(place)
    block: list[str] = []
    while at in inside:
        block.append(_unmarked(place.lines[at]))
        at += 1
    return "\n".join(block)


def _comment_ending(lines: Sequence[str]) -> str:
    """The comment block that the lines end with; decorators and attributes may follow it."""
    block: list[str] = []
    for line in reversed(lines):
        if COMMENT.match(line):
            block.insert(0, _unmarked(line))
        elif block or not re.match(r"\s*[@#\[]", line):
            break
    return "\n".join(block)


def _first_sentence(text: str) -> str:
    paragraph = re.split(r"\n\s*\n", text.strip())[0]
    match = _SENTENCE.match(paragraph + " ")
    sentence = squeezed(match[1] if match else paragraph)
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
    return sentence in squeezed(" ".join(lines))


def _unmarked(line: str) -> str:
    return re.sub(r"(?:\"\"\"|\'\'\'|\*/)\s*$", "", _MARKER.sub("", line))


def docstring_lines(place: Place) -> set[int]:
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
