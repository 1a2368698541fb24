"""What a run may spend, and which limit ended it.

The final answer has a reserve of its own: it is asked for even when everything else is spent, and a third of the
seconds is kept for it. Whoever iterates a model's reply does so through `in_time`, which ends it when time is up.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from agent.messages import Piece, Turn

_SHARE_OF_THE_ANSWER = 1 / 3
"""Of the seconds: reading what was looked up takes a slow computer as long as finding it did."""


class TimeIsUp(Exception):
    """A reply was ended before it was whole, as no seconds were left."""


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
        self._end = max_seconds * (1 - _SHARE_OF_THE_ANSWER)
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

    def begin_answer(self) -> None:
        """Open the reserve: the answer has all the seconds that are left, and its share if look-ups took longer."""
        self._end = max(self._max_seconds, self.seconds + self._max_seconds * _SHARE_OF_THE_ANSWER)

    async def in_time(self, reply: AsyncGenerator[Piece, None]) -> AsyncGenerator[Piece, None]:
        """The pieces of `reply` while seconds are left; then it is closed, which stops the model.

        Raises: TimeIsUp, and what `reply` raises.
        """
        async with aclosing(reply) as pieces:
            while left := self.seconds_left:
                limit = asyncio.timeout(left)
                try:
                    async with limit:
                        piece = await anext(pieces)
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    if not limit.expired():
                        raise
                    break
                yield piece
                if isinstance(piece, Turn):
                    return  # the last piece: a reply that is whole is kept, however late
        self.charge(Turn())
        raise TimeIsUp

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return self._clock() - self._started

    @property
    def turns_left(self) -> int:
        """Replies that the model may still give."""
        return max(0, self._max_turns - self.turns)

    @property
    def tokens_left(self) -> int:
        """To be read and written."""
        return max(0, self._max_tokens - self.prompt_tokens - self.output_tokens)

    @property
    def seconds_left(self) -> float:
        """Until the answer is asked for; once it was (`begin_answer`), until it must be there."""
        return max(0.0, self._end - self.seconds)

    def spent(self) -> str:
        """The limit that is reached: "turns", "seconds" or "tokens"; "" while there is something left."""
        if self.turns >= self._max_turns:
            return "turns"
        if not self.seconds_left:
            return "seconds"
        return "tokens" if self.prompt_tokens + self.output_tokens >= self._max_tokens else ""

    def share_left(self) -> float:
        """Of the seconds or tokens, whichever is scarcer: 1 at the beginning, 0 when spent."""
        seconds = self.seconds / self._max_seconds
        tokens = (self.prompt_tokens + self.output_tokens) / self._max_tokens
        return max(0.0, 1 - max(seconds, tokens))
