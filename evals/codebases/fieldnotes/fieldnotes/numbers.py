"""Counts and shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"))
_ROMAN_SMALL = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def clamp(value: float, low: float, high: float) -> float:
    """The value, or the end of the range that it is beyond."""
    if low > high:
        raise ValueError("the range is empty")
    return max(low, min(value, high))


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean."""
    if not values:
        raise ValueError("no values")
    return sum(values) / len(values)


def median(values: Sequence[float]) -> float:
    """The one in the middle, or what lies between the two there.

    >>> median([3, 1, 2])
    2
    """
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def percent(part: float, whole: float, digits: int = 1) -> float:
    """How much of the whole; of nothing, nothing.

    >>> percent(1, 3)
    33.3
    """
    if whole == 0:
        return 0.0
    return round(100 * part / whole, digits)


def running_totals(values: Iterable[int]) -> list[int]:
    """The sum so far, after each value."""
    totals: list[int] = []
    so_far = 0
    for value in values:
        so_far += value
        totals.append(so_far)
    return totals


def to_roman(number: int) -> str:
    """Roman numerals, as on the covers of notebooks.

    >>> to_roman(1994)
    'MCMXCIV'
    """
    if not 0 < number < 4000:
        raise ValueError(f"no numeral for {number}")
    letters = ""
    for value, letter in _ROMAN + _ROMAN_SMALL:
        while number >= value:
            letters += letter
            number -= value
    return letters


def bucket(count: int, edges: Sequence[int] = (1, 5, 20)) -> str:
    """The range that a count falls into, as a label."""
    if count < edges[0]:
        return "none"
    for low, high in pairwise(edges):
        if low <= count < high:
            return f"{low}-{high - 1}"
    return f"{edges[-1]}+"
