"""Counts and lengths of time in words, in one place so that one is never "1 files"."""

from __future__ import annotations

import math

PIECES_PER_SECOND = 6.0
"""Vectors that one core computes: measured 5 to 9 for pieces of everyday length."""


def many(count: int, what: str, plural: str = "") -> str:
    """`1 file`, `3 files`, `1 index`, `2 indexes`."""
    return f"{count} {what if count == 1 else plural or what + 's'}"


def about(seconds: float) -> str:
    """A length of time as people estimate it; never shorter than what is likely."""
    if seconds < 90:
        return f"about {max(10, 10 * math.ceil(seconds / 10))} seconds"
    if seconds < 90 * 60:
        return f"about {math.ceil(seconds / 60)} minutes"
    return f"about {math.ceil(seconds / 3600)} hours"
