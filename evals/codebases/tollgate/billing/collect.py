"""Charging a card, with patience for a provider that is briefly away."""

from __future__ import annotations

import time
from collections.abc import Callable

from .invoices import Invoice

MAX_ATTEMPTS = 4
FIRST_WAIT_SECONDS = 2.0


class CardDeclined(Exception):
    """The bank said no: trying again would not help."""


class ProviderAway(Exception):
    """The provider did not answer."""


def collect(
    invoice: Invoice, charge: Callable[[int, int], str], wait: Callable[[float], None] = time.sleep
) -> str:
    """Charge the invoice and return the provider's reference.

    `ProviderAway` is tried again with doubled waits; `CardDeclined` goes straight to the caller.
    """
    amount = invoice.net_cents + invoice.vat_cents
    for attempt in range(MAX_ATTEMPTS):
        try:
            return charge(invoice.customer_id, amount)
        except ProviderAway:
            if attempt == MAX_ATTEMPTS - 1:
                raise
            wait(FIRST_WAIT_SECONDS * 2**attempt)
    raise AssertionError("unreachable")
