"""The words by which a claim's prose is judged: names, numbers and units, sayings. Data, one TOML file each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class NameWords:
    """What decides whether a word of prose is a name. All in lower case, `plain_acronyms` in upper case."""

    technologies: frozenset[str]
    katakana: tuple[str, ...]
    openers: frozenset[str]
    abstract_endings: tuple[str, ...]
    verbs: frozenset[str]
    plain_acronyms: frozenset[str]
    stressed: frozenset[str]
    trivial: frozenset[str]


@dataclass(frozen=True, slots=True)
class NumberWords:
    """Numbers in words, and units."""

    values: Mapping[str, int]
    ones: frozenset[str]
    halves: frozenset[str]
    counters: tuple[str, ...]
    not_counts: tuple[str, ...]
    times: frozenset[str]
    structure: frozenset[str]
    spoken_units: Mapping[str, str]
    """A unit as a claim says it → its key."""
    code_units: Mapping[str, str]
    """A part of a name in code → the unit it says."""


@dataclass(frozen=True, slots=True)
class Sayings:
    """What no cited line can prove, and what no claim may repeat."""

    tests_passed: tuple[re.Pattern[str], ...]
    tests_failed: tuple[re.Pattern[str], ...]
    instructions: tuple[re.Pattern[str], ...]


@cache
def name_words() -> NameWords:
    """From `names.toml`, read once."""
    words = {key: tuple(text.split()) for key, text in _data("names").items()}
    return NameWords(
        technologies=frozenset(words["technologies"]),
        katakana=tuple(sorted(words["katakana"], key=len, reverse=True)),
        openers=frozenset(words["openers"]),
        abstract_endings=words["abstract_endings"],
        verbs=frozenset(words["verbs"]),
        plain_acronyms=frozenset(words["plain_acronyms"]),
        stressed=frozenset(words["stressed"]),
        trivial=frozenset(words["trivial"]),
    )


@cache
def number_words() -> NumberWords:
    """From `numbers.toml`, read once."""
    data = _data("numbers")
    units: dict[str, dict[str, str]] = data["units"]
    return NumberWords(
        values={str(word): int(value) for word, value in data["words"].items()},
        ones=frozenset(data["ones"]["words"].split()),
        halves=frozenset(data["halves"]["words"].split()),
        counters=_longest_first(data["counters"]["japanese"]),
        not_counts=tuple(data["counters"]["not_counts"].split()),
        times=frozenset(data["counters"]["times"].split()),
        structure=frozenset(data["counters"]["structure"].split()),
        spoken_units={word: unit for unit, words in units.items() for word in words["spoken"].split()},
        code_units={word: unit for unit, words in units.items() for word in words["code"].split()},
    )


@cache
def sayings() -> Sayings:
    """From `sayings.toml`, read once."""
    data = _data("sayings")
    tests: dict[str, list[str]] = data["tests"]
    return Sayings(
        _compiled(tests["passed"]), _compiled(tests["failed"]), _compiled(data["instructions"]["patterns"])
    )


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def _longest_first(words: str) -> tuple[str, ...]:
    return tuple(sorted(words.split(), key=len, reverse=True))


def _compiled(patterns: list[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in patterns)
