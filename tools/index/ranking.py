"""Signals → one ranked list.

Each leg (symbol, message, keyword, vector) gives ranks; reciprocal ranks are fused by weight (RRF, Cormack et al.,
SIGIR 2009). What a place *is* comes after what it says: tests, docs, examples, generated and legacy code step behind
sources unless the question asks for them, and no file takes more than its share of the first places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tools.index.records import StoredChunk

RRF_SMOOTHING = 60
AREA_FACTORS: Mapping[str, float] = {
    "source": 1.0,
    "config": 0.7,
    "docs": 0.5,
    "tests": 0.5,
    "examples": 0.5,
    "legacy": 0.5,
    "generated": 0.3,
}
CHUNKS_PER_FILE = 3
FIRST_PLACES = 10
"""Within these, a file has at most `CHUNKS_PER_FILE`; its others come after them."""
NEARLY_THE_SAME = 0.9
"""Share of common terms from which the later of two chunks only repeats the earlier."""


@dataclass(frozen=True, slots=True)
class Leg:
    """What one way of looking found, best first."""

    name: str
    weight: float
    ids: Sequence[int]


@dataclass(slots=True)
class Candidate:
    """A chunk on its way to a place in the list."""

    chunk: StoredChunk
    held: frozenset[str]
    """Its terms."""
    found_by: tuple[str, ...]
    signals: dict[str, float] = field(default_factory=dict[str, float])
    score: float = 0.0


def fuse(legs: Iterable[Leg]) -> dict[int, float]:
    """Chunk id → weighted sum of reciprocal ranks; 1 is the first place of a leg of weight 1."""
    fused: dict[int, float] = {}
    for leg in legs:
        for rank, chunk_id in enumerate(leg.ids):
            share = leg.weight * RRF_SMOOTHING / (RRF_SMOOTHING + rank)
            fused[chunk_id] = fused.get(chunk_id, 0.0) + share
    return fused


def found_by(legs: Iterable[Leg]) -> dict[int, tuple[str, ...]]:
    """Chunk id → names of the legs that found it."""
    names: dict[int, dict[str, None]] = {}
    for leg in legs:
        for chunk_id in leg.ids:
            names.setdefault(chunk_id, {})[leg.name] = None
    return {chunk_id: tuple(each) for chunk_id, each in names.items()}


def area_factor(area: str, asked: frozenset[str]) -> float:
    """How far a place of this area steps back; not at all when the question asks for it."""
    return 1.0 if area in asked else AREA_FACTORS.get(area, 1.0)


def ranked(candidates: Iterable[Candidate], limit: int) -> list[Candidate]:
    """The best `limit` candidates: by score, without repetitions, no file crowding out the others."""
    ordered = sorted(candidates, key=lambda each: (-each.score, each.chunk.path, each.chunk.first_line))
    return _spread(_distinct(ordered, limit))[:limit]


def _distinct(ordered: Sequence[Candidate], limit: int) -> list[Candidate]:
    """Without near copies of something better; the search for them ends where nobody looks."""
    kept: list[Candidate] = []
    for each in ordered[: 3 * limit]:
        if not any(_nearly_the_same(each, earlier) for earlier in kept):
            kept.append(each)
    return kept


def _nearly_the_same(one: Candidate, other: Candidate) -> bool:
    if one.chunk.text == other.chunk.text:
        return True
    if one.chunk.symbol != other.chunk.symbol or not one.held or one.chunk.path == other.chunk.path:
        return False
    return len(one.held & other.held) >= NEARLY_THE_SAME * len(one.held | other.held)


def _spread(ordered: Sequence[Candidate]) -> list[Candidate]:
    taken: Counter[str] = Counter()
    first: list[Candidate] = []
    rest: list[Candidate] = []
    for each in ordered:
        fits = len(first) < FIRST_PLACES and taken[each.chunk.path] < CHUNKS_PER_FILE
        taken[each.chunk.path] += fits
        (first if fits else rest).append(each)
    return [*first, *rest]
