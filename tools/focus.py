"""The part of a long chunk that speaks to the question: at most `MAX_LINES` lines around the matching words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tools.index.words import terms

MAX_LINES = 25
HEAD_IS_ENOUGH = 0.8
"""The chunk's own beginning (signature, docstring) is shown when it holds this share of what the best part holds."""


def focus(lines: Sequence[str], weights: Mapping[str, float], size: int = MAX_LINES) -> tuple[int, int]:
    """Which lines to show, as a half-open range of indexes into `lines`.

    `weights` says how much each word of the question tells.
    """
    if len(lines) <= size:
        return without_blank_edges(lines, 0, len(lines))
    told = [{term for term in terms(line) if term in weights} for line in lines]
    scores = [_score(told[start : start + size], weights) for start in range(len(lines) - size + 1)]
    best = max(scores)
    start = 0 if scores[0] >= HEAD_IS_ENOUGH * best else _middle(scores, best)
    return without_blank_edges(lines, start, start + size)


def _score(told: Sequence[set[str]], weights: Mapping[str, float]) -> float:
    """Each word counts once, and a little for every further line that holds it."""
    distinct = set[str]().union(*told)
    return sum(weights[term] for term in distinct) + 0.05 * sum(
        weights[term] for line in told for term in line
    )


def _middle(scores: Sequence[float], best: float) -> int:
    """The middle one of the first run of equally good starts, so that the words stand amid their surroundings."""
    first = scores.index(best)
    last = first
    while last + 1 < len(scores) and scores[last + 1] == best:
        last += 1
    return (first + last) // 2


def without_blank_edges(lines: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """The same half-open range without its blank first and last lines; at least one line stays."""
    while end - start > 1 and not lines[start].strip():
        start += 1
    while end - start > 1 and not lines[end - 1].strip():
        end -= 1
    return start, end
