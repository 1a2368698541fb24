from datetime import UTC, datetime

import pytest
from parcel_events import ParcelEvent
from settle.statements import UnknownCarrier, statements


def routed(parcel_id, carrier):
    return ParcelEvent("parcel.routed", parcel_id, datetime(2026, 5, 1, tzinfo=UTC), {"carrier": carrier})


def test_a_parcel_that_was_routed_twice_is_paid_once():
    settled = statements([routed("p1", "Kurier"), routed("p1", "Kurier")], {"Kurier": 400})
    assert settled["Kurier"].payable_cents == 384


def test_a_carrier_without_a_tariff_stops_the_settlement():
    with pytest.raises(UnknownCarrier):
        statements([routed("p1", "Nobody")], {"Kurier": 400})
