"""Reading one day of the `parcels` stream over HTTP."""

from __future__ import annotations

from datetime import date
from urllib.request import urlopen

TIMEOUT_SECONDS = 30


def lines_of_day(url: str, day: date) -> list[str]:
    """Every event of the day, in the order it was written."""
    with urlopen(f"{url}/parcels?day={day.isoformat()}", timeout=TIMEOUT_SECONDS) as response:
        return response.read().decode("utf-8").splitlines()
