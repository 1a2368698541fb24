"""Places by their degrees."""

from __future__ import annotations

import math
from dataclasses import dataclass

_EARTH_KM = 6371.0


@dataclass(frozen=True)
class Place:
    """A point with a name."""

    name: str
    north: float
    east: float

    def label(self, digits: int = 2) -> str:
        """The name with its degrees."""
        return f"{self.name} ({self.north:.{digits}f}, {self.east:.{digits}f})"


def to_degrees(degrees: int, minutes: int = 0, seconds: float = 0.0, side: str = "N") -> float:
    """Degrees, minutes and seconds as one number, below zero in the south and the west.

    >>> to_degrees(48, 30)
    48.5
    """
    if side not in ("N", "S", "E", "W"):
        raise ValueError(f"no such side: {side}")
    value = degrees + minutes / 60 + seconds / 3600
    return -value if side in ("S", "W") else value


def distance_km(one: Place, other: Place) -> float:
    """Along the surface, to a tenth of a kilometre."""
    north = math.radians(other.north - one.north) / 2
    east = math.radians(other.east - one.east) / 2
    chord = (
        math.sin(north) ** 2
        + math.cos(math.radians(one.north)) * math.cos(math.radians(other.north)) * math.sin(east) ** 2
    )
    return round(2 * _EARTH_KM * math.asin(math.sqrt(chord)), 1)


def compass(degrees: float) -> str:
    """The nearest of the eight winds.

    >>> compass(100)
    'E'
    """
    names = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
    return names[round(degrees % 360 / 45) % 8]
