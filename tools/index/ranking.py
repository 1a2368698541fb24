"""Signals → one ranked list.

Each leg (symbol, message, keyword, vector) gives ranks; reciprocal ranks are fused by weight (RRF, Cormack et al.,
SIGIR 2009). Where a leg's scores tell more than its ranks, as those of BM25 do, its scores are added as shares of its
best. What a place *is* comes after what it says: tests, docs, examples, generated and legacy code step behind
sources unless the question asks for them, and no file takes more than its share of the first places.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tools.index.records import StoredChunk

RRF_SMOOTHING = 60
VERSION_FOLDER = re.compile(r"(?<![^/])v(\d{1,3})(?=/)")
SPOKEN_VERSION = re.compile(r"\bv(?:ersion )?(\d{1,3})\b", re.IGNORECASE)
AREA_FACTORS: Mapping[str, float] = {
    "source": 1.0,
    "config": 0.4,
    "docs": 0.25,
    "tests": 0.25,
    "examples": 0.25,
    "legacy": 0.3,
    "scripts": 0.4,
    "generated": 0.2,
}
ASKED_FOR = 1.5
"""The factor of an area that the question names ("which test…")."""
OLDER_VERSION = 0.6
"""The factor of what lies under `v3/` where there is a `v4/` beside it, and the question does not say v3."""
FUNCTION_BONUS = 0.1
"""What is asked about is done by some function, oftener than said by a type or a list of imports."""
DEFINITION_BONUS = 0.25
COVERAGE_BONUS = 0.5
NAMES_BONUS = 0.5
PATH_BONUS = 0.5
SUBJECT_BONUS = 0.5
FILE_BONUS = 0.3
SUPPORTING_CHUNKS = 60
"""How much a chunk gains, in parts of its fused score, by holding all of the question, by naming all of it, by lying
in a file the question names, and by lying in the file that is best as a whole (over so many of the best chunks)."""
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
    scores: Sequence[float] = ()
    """Of the ids, positive, where how far apart they are tells something."""
    score_weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for a chunk."""

    fused: float
    """Of the legs, by `fuse`."""
    coverage: float
    """Share of the question's weight that it holds anywhere."""
    names: float
    """Share of it in its qualified name and signature."""
    path: float
    """1 in a file that the question names."""
    area: float
    """`area_factor`."""
    file: float = 0.0
    """Share of the question in the path, of a short question: it names a subject, and so do files."""
    is_named: float = 0.0
    """1 for the definition of a name of the question, rather than what holds or uses it."""
    is_function: float = 0.0
    version: float = 1.0
    """`OLDER_VERSION`, or 1."""

    @property
    def score(self) -> float:
        return (
            self.fused
            * (
                1
                + COVERAGE_BONUS * self.coverage
                + NAMES_BONUS * self.names
                + PATH_BONUS * self.path
                + SUBJECT_BONUS * self.file
            )
            * (1 + FUNCTION_BONUS * self.is_function + DEFINITION_BONUS * self.is_named)
            * self.area
            * self.version
        )


@dataclass(slots=True)
class Candidate:
    """A chunk on its way to a place in the list."""

    chunk: StoredChunk
    held: frozenset[str]
    """Its terms."""
    found_by: tuple[str, ...]
    signals: Signals
    score: float = 0.0


def fuse(legs: Iterable[Leg]) -> dict[int, float]:
    """Chunk id → weighted sum of reciprocal ranks and scores; the first place of a leg has its whole weight."""
    fused: dict[int, float] = {}
    for leg in legs:
        best = leg.scores[0] if leg.scores else 0.0
        for rank, chunk_id in enumerate(leg.ids):
            share = leg.weight * RRF_SMOOTHING / (RRF_SMOOTHING + rank)
            if best > 0:
                share += leg.score_weight * leg.scores[rank] / best
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
    """How far a place of this area steps back; forward when the question asks for it."""
    return ASKED_FOR if area in asked else AREA_FACTORS.get(area, 1.0)


def older_versions(paths: Iterable[str], asked: str) -> frozenset[str]:
    """The folders (`src/v3/`) that have a newer one beside them, less those that the question speaks of."""
    newest: dict[str, int] = {}
    folders = {match for path in paths for match in _version_folders(path)}
    for before, version in folders:
        newest[before] = max(version, newest.get(before, 0))
    spoken_of = {int(number) for number in SPOKEN_VERSION.findall(asked)}
    return frozenset(
        f"{before}v{version}/"
        for before, version in folders
        if version < newest[before] and version not in spoken_of
    )


def _version_folders(path: str) -> Iterator[tuple[str, int]]:
    for match in VERSION_FOLDER.finditer(path):
        yield path[: match.start(1) - 1], int(match[1])


def scored(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates with their scores, best first. A file that is good in many places lends its chunks some of it."""
    for each in candidates:
        each.score = each.signals.score
    ordered = sorted(candidates, key=_place)
    support: dict[str, float] = {}
    for each in ordered[:SUPPORTING_CHUNKS]:
        support[each.chunk.path] = support.get(each.chunk.path, 0.0) + each.score
    most = max(support.values(), default=0.0) or 1.0
    for each in candidates:
        each.score *= 1 + FILE_BONUS * support.get(each.chunk.path, 0.0) / most
    return sorted(candidates, key=_place)


def ranked(ordered: Sequence[Candidate], limit: int) -> list[Candidate]:
    """The best `limit` of candidates in order: without repetitions, no file crowding out the others."""
    return _spread(_distinct(ordered, limit))[:limit]


def _place(candidate: Candidate) -> tuple[float, str, int]:
    return -candidate.score, candidate.chunk.path, candidate.chunk.first_line


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
