"""What a small model gets wrong in one turn, and the changed question that mends it.

A backend's `send` plays one request and raises one of the signals below; `ask` sends it again, changed, a few
times at most: identical input gives identical trouble. What was written before a signal is dropped, so the one
`Turn` that comes out is whole. Where nothing helps, an empty turn goes back: the loop knows what to do with it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace

from agent.backends.runaway import Runaway
from agent.context import DoesNotFit
from agent.errors import ModelUnavailable
from agent.messages import JsonSchema, Message, Piece, Turn
from agent.prompts import prompt

_MAX_REMINDERS = 2
_MAX_SHRINKS = 2


@dataclass(frozen=True, slots=True)
class Request:
    """One question to the model. Tools and a schema are never asked for together."""

    messages: tuple[Message, ...]
    tools: tuple[JsonSchema, ...] = ()
    schema: JsonSchema | None = None
    may_think: bool = True
    reminders: int = 0
    shrinks: int = 0


class MalformedCall(Exception):
    """The model wrote a tool call that cannot be read."""


class PromptTooLong(Exception):
    """The server refused the prompt or read only a part of it. The window knows by now, and fits less."""


class OnlyThought(Exception):
    """The model used the whole length of its reply for thinking."""


class CannotThink(Exception):
    """The model has no thinking mode."""


Send = Callable[[Request], AsyncGenerator[Piece, None]]


async def ask(send: Send, request: Request) -> AsyncGenerator[Piece, None]:
    """Text pieces of every try as they come, then one `Turn`.

    Raises: ModelUnavailable.
    """
    while True:
        try:
            async with aclosing(send(request)) as pieces:
                async for piece in pieces:
                    yield piece
            return
        except (MalformedCall, PromptTooLong, OnlyThought, CannotThink, Runaway) as signal:
            changed = _changed(request, signal)
            if changed is None:
                break
            request = changed
    yield Turn(finish="length")


def _changed(request: Request, signal: Exception) -> Request | None:
    """The request that is worth sending after `signal`; None when the turn is lost."""
    if isinstance(signal, MalformedCall) and request.reminders < _MAX_REMINDERS:
        reminder = Message("user", prompt("malformed"))
        return replace(request, messages=(*request.messages, reminder), reminders=request.reminders + 1)
    if isinstance(signal, PromptTooLong):
        if request.shrinks >= _MAX_SHRINKS:
            raise _does_not_fit(str(signal)) from signal
        return replace(request, shrinks=request.shrinks + 1)
    if isinstance(signal, (OnlyThought, CannotThink, Runaway)) and request.may_think:
        return replace(request, may_think=False)
    return None


@contextmanager
def fitting() -> Generator[None]:
    """Tells a person what does not fit. Raises: ModelUnavailable."""
    try:
        yield
    except DoesNotFit as problem:
        raise _does_not_fit(str(problem)) from problem


def _does_not_fit(cause: str) -> ModelUnavailable:
    """Nothing more can be left out."""
    return ModelUnavailable(
        "the conversation does not fit into the model's window",
        cause=cause,
        hint="set a larger `model.num_ctx` or a smaller `model.num_predict`, or ask a shorter question",
    )
