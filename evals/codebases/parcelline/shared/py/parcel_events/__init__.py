"""The events of the `parcels` stream, for every Python job: one definition, checked when it is read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

KNOWN_TYPES = frozenset({"parcel.booked", "parcel.cancelled", "parcel.routed"})


class UnknownEvent(ValueError):
    """A type that this version does not know: the reader decides whether to skip it."""


@dataclass(frozen=True)
class ParcelEvent:
    type: str
    parcel_id: str
    at: datetime
    body: dict[str, object]


def parse_event(line: str) -> ParcelEvent:
    """One line of the stream. Raises: UnknownEvent, KeyError for a missing field."""
    raw = json.loads(line)
    if raw["type"] not in KNOWN_TYPES:
        raise UnknownEvent(raw["type"])
    return ParcelEvent(raw["type"], raw["parcelId"], datetime.fromisoformat(raw["at"]), raw.get("body", {}))
