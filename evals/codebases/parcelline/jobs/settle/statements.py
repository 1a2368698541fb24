"""What we owe each carrier for a day's parcels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from parcel_events import ParcelEvent

COMMISSION_PERCENT = 4


class UnknownCarrier(KeyError):
    """A parcel was routed to somebody who has no tariff."""


@dataclass
class Statement:
    """One carrier's parcels of a day."""

    carrier: str
    parcels: list[str] = field(default_factory=list)
    gross_cents: int = 0

    @property
    def commission_cents(self) -> int:
        """Ours, rounded down."""
        return self.gross_cents * COMMISSION_PERCENT // 100

    @property
    def payable_cents(self) -> int:
        return self.gross_cents - self.commission_cents


def statements(events: Iterable[ParcelEvent], tariffs: Mapping[str, int]) -> dict[str, Statement]:
    """A statement for each carrier; a parcel cancelled after it was routed is still paid for."""
    by_carrier: dict[str, Statement] = {}
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for event in events:
        if event.type != "parcel.routed":
            continue
        carrier = str(event.body["carrier"])
        if carrier not in tariffs:
            raise UnknownCarrier(carrier)
        if event.parcel_id in seen[carrier]:
            continue
        seen[carrier].add(event.parcel_id)
        statement = by_carrier.setdefault(carrier, Statement(carrier))
        statement.parcels.append(event.parcel_id)
        statement.gross_cents += tariffs[carrier]
    return by_carrier
