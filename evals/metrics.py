"""Measures of a ranked list of places against gold, and of abstention; each a number from 0 to 1.

A row of a question set names its gold places (`path`, `start`, `end`, 1-based and inclusive) and files that are right as
well (`also_ok`). A place is right when it shares a line with a gold place; files are compared in the order in which they
first occur. What holds for one row is averaged over rows, with the interval that resampling the rows gives.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]
Place: TypeAlias = Mapping[str, Any]

FILE_LEVEL = "file"
"""The `gold_level` of rows whose gold are whole files: they have no measures of places."""
DEPTHS = (1, 5)
FILES_LOOKED_AT = 10
RESAMPLES = 1_000
LEFT_OUT = 0.025
"""At each end of the resampled means: what is between is the 95 % interval."""
RETRIEVAL_MEASURES = (
    "file Acc@1",
    "file hit@1",
    "file hit@5",
    "MRR",
    "nDCG@10",
    "span hit@1",
    "span hit@5",
    "span all@5",
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of a measure over rows, and its 95 % interval."""

    mean: float
    low: float
    high: float
    rows: int


def retrieval_measures(row: Row, ranked: Sequence[Place]) -> dict[str, float]:
    """Every measure that the row has, of places ranked best first."""
    files = list(dict.fromkeys(place["path"] for place in ranked))
    gold = {place["path"] for place in row["gold"]}
    right = gold | {place["path"] for place in row.get("also_ok", ())}
    found = [place for place, path in enumerate(files[:FILES_LOOKED_AT]) if path in right]
    measured = {
        "file Acc@1": float(gold <= set(files[:1])),
        **{f"file hit@{depth}": float(any(path in right for path in files[:depth])) for depth in DEPTHS},
        "MRR": 1 / (found[0] + 1) if found else 0.0,
        "nDCG@10": _gain(found) / _gain(range(min(FILES_LOOKED_AT, len(right)))) if right else 0.0,
    }
    return measured if row.get("gold_level") == FILE_LEVEL else measured | _span_measures(row, ranked)


def _span_measures(row: Row, ranked: Sequence[Place]) -> dict[str, float]:
    first = {depth: ranked[:depth] for depth in DEPTHS}
    hits = {
        f"span hit@{depth}": float(any(overlap(place, gold) for place in places for gold in row["gold"]))
        for depth, places in first.items()
    }
    covered = all(any(overlap(place, gold) for place in first[5]) for gold in row["gold"])
    return hits | {"span all@5": float(covered)}


def _gain(places: Iterable[int]) -> float:
    return sum(1 / math.log2(place + 2) for place in places)


def overlap(one: Place, other: Place) -> bool:
    """Whether two places share a line."""
    return one["path"] == other["path"] and one["start"] <= other["end"] and other["start"] <= one["end"]


def citation_measures(row: Row, citations: Sequence[Place]) -> dict[str, float]:
    """Of one answer that cites something: the share of citations on gold, the share of gold cited, any at all."""
    whole = row.get("gold_level") == FILE_LEVEL
    right = [_all_of(place) if whole else place for place in (*row["gold"], *row.get("also_ok", ()))]
    on_gold = [any(overlap(cited, place) for place in right) for cited in citations]
    covered = [any(overlap(cited, place) for cited in citations) for place in right[: len(row["gold"])]]
    return {
        "citations on gold": sum(on_gold) / len(on_gold),
        "gold cited": sum(covered) / len(covered) if covered else 0.0,
        "any gold cited": float(any(on_gold)),
    }


def _all_of(place: Place) -> Place:
    return {"path": place["path"], "start": 1, "end": math.inf}


def estimate(values: Sequence[float]) -> Estimate:
    """The mean and its interval, the same at every run."""
    chance = random.Random(0)
    means = sorted(sum(chance.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    cut = int(LEFT_OUT * RESAMPLES)
    return Estimate(sum(values) / len(values), means[cut], means[-cut], len(values))


def estimates(measured: Iterable[Mapping[str, float]]) -> dict[str, Estimate]:
    """Each measure over the rows that have it, in the order in which they first occur."""
    values: dict[str, list[float]] = {}
    for one in measured:
        for name, value in one.items():
            values.setdefault(name, []).append(value)
    return {name: estimate(each) for name, each in values.items()}


def grouped(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    """Rows by a key, in the order of the keys."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return dict(sorted(groups.items()))


def is_answerable(row: Row) -> bool:
    """Whether the row has an answer; the right reply to the others is that there is no evidence."""
    return row["kind"] != "absent"


def abstentions(rows: Iterable[Row], predictions: Mapping[str, Row]) -> dict[str, tuple[int, int]]:
    """Who abstained, of how many: rightly on absent rows, wrongly on others. Issues tell symptoms: apart."""
    names = {"absent": "absent rows", "issue": "issue rows, wrongly"}
    counted: dict[str, tuple[int, int]] = {}
    for row in rows:
        name = names.get(row["kind"], "question and symbol rows, wrongly")
        did, of = counted.get(name, (0, 0))
        counted[name] = did + bool(predictions.get(row["id"], {}).get("abstained")), of + 1
    return dict(sorted(counted.items()))
