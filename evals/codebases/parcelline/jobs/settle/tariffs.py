"""What each carrier gets for a parcel, from a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path

HIGHEST_CENTS = 10_000


class InvalidTariff(ValueError):
    """A price that nobody can have meant."""


def load_tariffs(path: Path) -> dict[str, int]:
    """Carrier → cents for one parcel. Raises: InvalidTariff for what is not a whole number from 1 to HIGHEST_CENTS."""
    tariffs = tomllib.loads(path.read_text(encoding="utf-8"))["cents"]
    for carrier, cents in tariffs.items():
        if not isinstance(cents, int) or not 0 < cents <= HIGHEST_CENTS:
            raise InvalidTariff(f"{carrier}: {cents}")
    return tariffs
