"""Stock that orders ask for."""

from orders.parsing import parse_order

WARNING_LEVEL = 20
"""Below this many pieces the buyers are told."""


def is_low(pieces):
    return pieces < WARNING_LEVEL


def total_quantity(lines):
    total = 0
    for line in lines:
        total += line.quantity
    return total


def reserve(text):
    lines = parse_order(text)
    return {"articles": len(lines), "pieces": total_quantity(lines)}
