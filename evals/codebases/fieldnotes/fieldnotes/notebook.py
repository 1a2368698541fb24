"""The notebook on disk, and the clock."""

from __future__ import annotations

import logging
from datetime import date
from pathlib import Path

from fieldnotes.sightings import LineInvalid, Sighting, parse_line

_log = logging.getLogger(__name__)


class Notebook:
    """A file of sightings, one a line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[Sighting]:
        """Every sighting; lines that are none are passed over."""
        if not self.path.exists():
            return []
        found: list[Sighting] = []
        for line in self.path.read_text(encoding="utf-8").splitlines():
            try:
                found.append(parse_line(line))
            except LineInvalid as why:
                _log.warning("%s: %s", self.path.name, why)
        return found

    def add(self, species: str, count: int, place: str, day: date | None = None) -> None:
        """Write one down, of today where no day is given."""
        when = day or date.today()
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{when.isoformat()}; {species}; {count}; {place}\n")


def is_recent(sighting: Sighting, days: int = 7) -> bool:
    """Whether it was seen in the last days."""
    return (date.today() - sighting.day).days < days
