"""The model's window: how much of a conversation goes in, and whether the server read all of it.

The estimate of `agent/context.py` is calibrated by what the server counts. After the first count the scale only
grows, so that a conversation that had to shrink stays shrunk and keeps its prefix. Where a server does not say how
large its window is, `CountedPrompts` tells from its counts alone whether it cut one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.context import DoesNotFit, fit, message_tokens, schema_tokens
from agent.messages import JsonSchema, Message

_MARGIN = 64
"""Tokens that stay free beside the reply."""
_LEAST_SCALE, _MOST_SCALE = 0.6, 4.0
_SUSPICIOUS_SHARE = 0.7
_CLEARLY_MORE = 1.15
_SAFETY = 1.05
_USUAL_WINDOWS = tuple(1024 * 2**power for power in range(1, 9))
_WORTH_A_LOOK = 1_000
"""Estimated tokens: below, the estimate is too coarse and no window too small."""
_LEAST_READ = 0.5
"""Of an estimate: whole prompts were never counted as less than 0.6 of it."""
_LEAST_GROWTH = 0.3
"""Of the estimate of what came newly."""


class Window:
    """The window of one model, as far as it is known."""

    def __init__(self, tokens: int, reply_tokens: int) -> None:
        self.tokens = tokens
        self._reply_tokens = reply_tokens
        self._scale = 1.0
        self._calibrated = False

    @property
    def scale(self) -> float:
        """Tokens by the server's count for one by the estimate."""
        return self._scale

    @property
    def reply_tokens(self) -> int:
        """What a reply may use: the wanted length, but never more than half of the window."""
        return min(self._reply_tokens, self.tokens // 2)

    def fit(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> list[Message]:
        """The messages that go in beside the tools and the reply.

        Raises: DoesNotFit.
        """
        room = self.tokens - self.reply_tokens - _MARGIN - self._scale * schema_tokens(tools)
        return fit(messages, room, lambda message: self._scale * message_tokens(message))

    def estimate(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> float:
        """Tokens by the uncalibrated estimate."""
        return schema_tokens(tools) + sum(map(message_tokens, messages))

    def was_cut(self, estimate: float, counted: int) -> bool:
        """Whether the server read less than it was sent.

        A server that cuts the text itself keeps 4 or 5 tokens and about half of the window, which is told by
        the exact count. One that drops whole messages counts far less than a calibrated estimate near the
        window's end; far from the end nothing can have been dropped.
        """
        expected = estimate * self._scale
        if counted in _counts_of_a_lost_middle(self.tokens):
            return not self._calibrated or expected > counted * _CLEARLY_MORE
        near_the_end = expected >= self.tokens * _SUSPICIOUS_SHARE
        return self._calibrated and near_the_end and counted < expected * _SUSPICIOUS_SHARE

    def learn(self, estimate: float, counted: int) -> None:
        """Calibrate by a prompt that the server read whole."""
        if estimate <= 0 or counted <= 0:
            return
        measured = min(max(counted / estimate * _SAFETY, _LEAST_SCALE), _MOST_SCALE)
        self._scale = max(self._scale, measured) if self._calibrated else measured
        self._calibrated = True

    def must_fit_less(
        self, messages: Sequence[Message], tools: Sequence[JsonSchema], counted: int = 0, tokens: int = 0
    ) -> None:
        """The server could not take the prompt: its size and the window's where they are told (else 0).

        Raises: DoesNotFit when nothing can be left out.
        """
        sent = self.fit(messages, tools)
        estimate = self.estimate(sent, tools)
        self.narrow(tokens)
        least = max(counted, self.tokens) / max(estimate, 1.0)
        self._scale = min(max(self._scale * 1.2, least * _SAFETY), _MOST_SCALE)
        self._calibrated = True
        if self.fit(messages, tools) == sent:
            raise DoesNotFit(round(max(least, self._scale) * estimate), self.tokens)

    def narrow(self, tokens: int) -> None:
        """The server's window is smaller than what was asked for."""
        if 0 < tokens < self.tokens:
            self.tokens = tokens


@dataclass(frozen=True, slots=True)
class _Counted:
    messages: tuple[Message, ...]
    tools: tuple[JsonSchema, ...]
    tokens: int


class CountedPrompts:
    """What a server counted of prompts that it read whole, where its window is anybody's guess.

    Only for servers that count the whole prompt, cached or not: all that speak OpenAI's API do.
    """

    def __init__(self) -> None:
        self._last: _Counted | None = None

    def window_of_a_cut(
        self, messages: Sequence[Message], tools: Sequence[JsonSchema], scale: float, counted: int
    ) -> int:
        """The window that the server seems to have, as it read less than it was sent; 0 when it read all.

        Tools weigh nothing where they would raise an alarm: many a chat template drops them.
        """
        estimate = sum(map(message_tokens, messages))
        if estimate < _WORTH_A_LOOK:
            return 0
        lost_middle = next((size for size in _USUAL_WINDOWS if counted in _counts_of_a_lost_middle(size)), 0)
        if lost_middle and estimate * scale > counted * _CLEARLY_MORE:
            return lost_middle
        least = max(estimate * min(scale, 1.0) * _LEAST_READ, self._least_after_the_last(messages, tools))
        return 2 * counted if counted < least else 0

    def keep(self, messages: Sequence[Message], tools: Sequence[JsonSchema], counted: int) -> None:
        """The server read this one whole."""
        self._last = _Counted(tuple(messages), tuple(tools), counted)

    def _least_after_the_last(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> float:
        """A prompt that begins with the one before it is no shorter."""
        last = self._last
        if (
            last is None
            or last.tools != tuple(tools)
            or tuple(messages[: len(last.messages)]) != last.messages
        ):
            return 0
        return last.tokens + _LEAST_GROWTH * sum(map(message_tokens, messages[len(last.messages) :]))


def _counts_of_a_lost_middle(window: int) -> set[int]:
    """What is counted of a prompt of which 4 or 5 tokens were kept, and about half of the window."""
    return {window - (window - kept) // 2 for kept in (4, 5)}
