"""A model that repeats itself without end is told by its own text."""

from __future__ import annotations

import re

_WINDOW = 200
_TIMES = 4
_LOOK_BACK = 8_000
_EVERY = 100


class Runaway(Exception):
    """The model's text goes in circles, or it takes longer than a reply may take."""


class RepetitionGuard:
    """Watches a text as it grows: four times the same 200 characters within the last 8,000 is running away."""

    def __init__(self) -> None:
        self._recent = ""
        self._unchecked = 0

    def add(self, text: str) -> None:
        """Take the next piece.

        Raises: Runaway.
        """
        self._recent = (self._recent + text)[-_LOOK_BACK:]
        self._unchecked += len(text)
        if self._unchecked < _EVERY or len(self._recent) < _WINDOW:
            return
        self._unchecked = 0
        if self._recent.count(self._recent[-_WINDOW:]) >= _TIMES:
            raise Runaway("the model repeats itself")


_LOOP_AT_THE_END = re.compile(r"(?:(.{1,24}?)\1{24,}|\s{30,})\Z", re.DOTALL)


def ends_in_a_loop(text: str) -> bool:
    """Whether a text ends with dozens of equal pieces: some servers then break the reply off without a word."""
    return _LOOP_AT_THE_END.search(text[-1_000:]) is not None
