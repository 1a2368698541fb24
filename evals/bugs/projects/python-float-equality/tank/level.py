"""Fills a tank in equal steps."""

STEP = 0.1


def fill_steps(amount):
    """How many steps it takes to fill in an amount."""
    steps, filled = 0, 0.0
    while filled != amount:
        filled += STEP
        steps += 1
        if steps > 1_000:
            raise OverflowError(f"tank overflows: {amount} asked for, {filled:.1f} filled")
    return steps
