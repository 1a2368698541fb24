"""A model that repeats itself without end is told by its own text."""

from __future__ import annotations

_WINDOW = 200
_TIMES = 4
_LOOK_BACK = 8_000
_EVERY = 100


class Runaway(Exception):
    """The model's text goes in circles, or leads nowhere."""


class Endless(Runaway):
    """It takes longer than a reply may take, and would again."""


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
