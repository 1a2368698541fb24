"""Which lines of a place matter: those that hold what is asked, what it returns, what guards a line."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent.backends.extractive.documentation import docstring_lines, documentation_of
from agent.backends.extractive.findings import Place
from agent.backends.extractive.quotes import (
    COMMENT,
    MAX_QUOTED,
    Quote,
    signature_of,
    squeezed,
    statement_at,
)
from agent.question import Question

_OUTCOME = re.compile(
    r"^\s*(?:return|raise|throw|yield|panic!?\(|if|elif|else if|match|switch|case|when|guard|assert)\b|=>|\?;$"
)
_RETURN = re.compile(r"^\s*(?:return|yield)\b(?!\s*(?:;|$))")
_ENDS_IT = re.compile(r"^\s*(?:return|raise|throw|break|continue)\b.*[^({\[,]$")
_COMMENTED = re.compile(r"\s(?:#|//)\s")
_GUARD = re.compile(
    r"^\s*(?:\}?\s*(?:else )?if|elif|unless|when|case|except|catch|while|for|match|assert|guard)\b"
)


def telling_lines(question: Question, place: Place, others: Iterable[Place], most: int = 3) -> list[Quote]:
    """The statements of its body that hold most of what the question is about, in their order."""
    weights = idea_weights(question, [place, *others])
    skip = _head_lines(place)
    scored: list[tuple[float, int]] = []
    for at, line in enumerate(place.lines):
        held = question.ideas_in(line)
        if at not in skip and held and not COMMENT.match(line) and re.search(r"\w{2}", line):
            bonus = 1.25 if _OUTCOME.search(line) else 1.0
            scored.append((bonus * sum(weights[idea] for idea in held), at))
    best = max((score for score, _ in scored), default=0.0)
    kept = sorted(scored, key=lambda entry: (-entry[0], entry[1]))[:most]
    chosen = sorted(at for score, at in kept if score >= 0.5 * best)
    return _distinct(_with_outcome(place, at) for at in chosen)


def _with_outcome(place: Place, at: int) -> Quote:
    """The statement, and what comes of it where it is a condition with its outcome right below."""
    quote = statement_at(place, place.first_line + at)
    below = quote.last_line + 1 - place.first_line
    if not _GUARD.match(place.lines[at]) or below >= len(place.lines):
        return quote
    both = squeezed(" ".join(place.lines[at : below + 1]))
    if not _ENDS_IT.match(place.lines[below]) or len(both) > MAX_QUOTED or _COMMENTED.search(both):
        return quote
    return Quote(place, quote.first_line, quote.last_line + 1, both.rstrip(" ;"))


def outcomes(place: Place, most: int = 2) -> list[Quote]:
    """What it returns, without the word for it."""
    skip = _head_lines(place)
    found = [at for at, line in enumerate(place.lines) if at not in skip and _RETURN.match(line)]
    quotes = _distinct(statement_at(place, place.first_line + at) for at in found[-most:])
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
                return statement_at(place, place.first_line + above)
            if re.search(r"(?:def|fn|func|function|class)\b", text):
                return None
            indent = _indent(text)
    return None


def coverage(question: Question, place: Place, weights: dict[str, float]) -> float:
    """The weight of the question's ideas that the place holds."""
    text = "\n".join((place.name, place.signature, place.docstring, *place.lines))
    return sum(weights[idea] for idea in question.ideas_in(text))


def idea_weights(question: Question, places: Sequence[Place]) -> dict[str, float]:
    """The rarer an idea among the places, the more it tells them apart."""
    lines = [line for place in places for line in place.lines]
    holding = Counter(idea for line in lines for idea in question.ideas_in(line))
    return {one.word: math.log(1 + len(lines) / (1 + holding[one.word])) for one in question.concepts}


def _head_lines(place: Place) -> set[int]:
    """Indexes of the signature and the documentation: quoted apart."""
    quotes = [quote for quote in (signature_of(place), documentation_of(place)) if quote]
    return {
        line - place.first_line for quote in quotes for line in range(quote.first_line, quote.last_line + 1)
    } | docstring_lines(place)


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
