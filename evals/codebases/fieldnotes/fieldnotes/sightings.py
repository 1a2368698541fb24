"""What was seen: reading the lines of a notebook, and counting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from fieldnotes.days import parse_day


class LineInvalid(ValueError):
    """A line is not a sighting; the message says why."""


@dataclass(frozen=True)
class Sighting:
    """Some birds of one species at one place."""

    species: str
    count: int
    place: str
    day: date


def parse_line(line: str) -> Sighting:
    """A line of a notebook: day, species, count and place, with semicolons between.

    >>> parse_line("2024-05-01; Heron; 3; River").count
    3
    """
    parts = [part.strip() for part in line.split(";")]
    if len(parts) != 4:
        raise LineInvalid(f"4 parts expected, {len(parts)} found")
    day, species, count, place = parts
    if not count.isdecimal():
        raise LineInvalid(f"no count: {count}")
    return Sighting(species.capitalize(), int(count), place, parse_day(day))


def total(sightings: Iterable[Sighting], species: str | None = None) -> int:
    """How many birds, of one species or of all."""
    return sum(one.count for one in sightings if species is None or one.species == species)


def by_place(sightings: Iterable[Sighting]) -> dict[str, int]:
    """How many birds were seen at each place."""
    found: dict[str, int] = {}
    for one in sightings:
        found[one.place] = found.get(one.place, 0) + one.count
    return found


def merge_counts(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """The counts of two walks together.

    >>> merge_counts({"Heron": 1}, {"Heron": 2, "Tern": 5})
    {'Heron': 3, 'Tern': 5}
    """
    merged = dict(one)
    for species, count in other.items():
        merged[species] = merged.get(species, 0) + count
    return merged


def most_seen(counts: Mapping[str, int], limit: int = 3) -> list[str]:
    """The species of the highest counts; of equal counts the first by name.

    >>> most_seen({"Tern": 5, "Heron": 1, "Gull": 5}, 2)
    ['Gull', 'Tern']
    """
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [species for species, _ in ordered[:limit]]


def summary(counts: Mapping[str, int], empty: str = "nothing seen") -> str:
    """One line about a walk.

    >>> summary({"Heron": 1, "Tern": 5})
    '6 birds of 2 species'
    """
    if not counts:
        return empty
    birds = sum(counts.values())
    return f"{birds} bird{'' if birds == 1 else 's'} of {len(counts)} species"


def since(sightings: Iterable[Sighting], day: date) -> list[Sighting]:
    """What was seen on that day or later, in the order of the days."""
    return sorted((one for one in sightings if one.day >= day), key=lambda one: one.day)
