"""What a run may spend, and which limit ended it.

The final answer has a reserve of its own: it is asked for even when everything else is spent.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from agent.messages import Turn


class Budget:
    """Turns, seconds and tokens left for one run."""

    def __init__(
        self,
        *,
        max_turns: int = 12,
        max_seconds: float = 600.0,
        max_tokens: int = 200_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_turns = max_turns
        self._max_seconds = max_seconds
        self._max_tokens = max_tokens
        self._clock = clock
        self._started = clock()
        self.turns = 0
        self.tool_calls = 0
        self.prompt_tokens = 0
        self.output_tokens = 0

    def charge(self, turn: Turn) -> None:
        """Count one reply of the model."""
        self.turns += 1
        self.prompt_tokens += turn.prompt_tokens
        self.output_tokens += turn.output_tokens

    def charge_call(self) -> None:
        """Count one tool call."""
        self.tool_calls += 1

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return self._clock() - self._started

    def spent(self) -> str:
        """The limit that is reached: "turns", "seconds" or "tokens"; "" while there is something left."""
        if self.turns >= self._max_turns:
            return "turns"
        if self.seconds >= self._max_seconds:
            return "seconds"
        return "tokens" if self.prompt_tokens + self.output_tokens >= self._max_tokens else ""

    def share_left(self) -> float:
        """Of the seconds or tokens, whichever is scarcer: 1 at the beginning, 0 when spent."""
        seconds = self.seconds / self._max_seconds
        tokens = (self.prompt_tokens + self.output_tokens) / self._max_tokens
        return max(0.0, 1 - max(seconds, tokens))
