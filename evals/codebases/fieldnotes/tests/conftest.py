"""A walk to test on."""

from datetime import date

import pytest
from fieldnotes.sightings import Sighting


@pytest.fixture
def walk() -> list[Sighting]:
    return [
        Sighting("Heron", 1, "River", date(2024, 5, 1)),
        Sighting("Tern", 5, "Harbour", date(2024, 5, 2)),
        Sighting("Tern", 2, "River", date(2024, 5, 3)),
    ]
