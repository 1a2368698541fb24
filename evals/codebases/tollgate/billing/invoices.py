"""Invoices: amounts are whole cents, dates are UTC."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

VAT_RATE = Decimal("0.19")
PAYMENT_DAYS = 30
LATE_FEE_PERCENT = 5
GRACE_DAYS = 7


@dataclass(frozen=True)
class InvoiceLine:
    description: str
    quantity: int
    unit_cents: int

    @property
    def total_cents(self) -> int:
        return self.quantity * self.unit_cents


@dataclass
class Invoice:
    """One invoice of one customer."""

    customer_id: int
    issued_on: date
    lines: list[InvoiceLine] = field(default_factory=list[InvoiceLine])
    paid_on: date | None = None

    @property
    def net_cents(self) -> int:
        return sum(line.total_cents for line in self.lines)

    @property
    def vat_cents(self) -> int:
        """VAT is rounded once, on the sum and not on each line."""
        return int((self.net_cents * VAT_RATE).quantize(Decimal("1"), ROUND_HALF_UP))

    @property
    def due_on(self) -> date:
        return self.issued_on + timedelta(days=PAYMENT_DAYS)

    def late_fee_cents(self, today: date) -> int:
        """Nothing within the grace period; then a flat share of the net amount."""
        if self.paid_on is not None or today <= self.due_on + timedelta(days=GRACE_DAYS):
            return 0
        return self.net_cents * LATE_FEE_PERCENT // 100
