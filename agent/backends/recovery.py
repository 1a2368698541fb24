"""What a small model gets wrong in one turn, and the changed question that mends it.

A backend's `send` plays one request and raises one of the signals below; `ask` sends it again, changed, a few
times at most: identical input gives identical trouble. What was written before a signal is dropped, so the one
`Turn` that comes out is whole. Where nothing helps, an empty turn goes back: the loop knows what to do with it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace

from agent.backends.runaway import Endless, Runaway
from agent.context import DoesNotFit
from agent.errors import ModelUnavailable
from agent.messages import JsonSchema, Message, Piece, Turn
from agent.prompts import prompt

_MAX_REMINDERS = 2
_MAX_SHRINKS = 2
_USUAL_TEMPERATURE = 0.7
_WARMER_BY = 0.4


@dataclass(frozen=True, slots=True)
class Request:
    """One question to the model. Tools beside a schema are there for the prefix alone (`prefix`)."""

    messages: tuple[Message, ...]
    tools: tuple[JsonSchema, ...] = ()
    schema: JsonSchema | None = None
    may_think: bool = True
    reminders: int = 0
    shrinks: int = 0
    warmer: bool = False
    """At a higher temperature than usual, as the model went in circles."""


class MalformedCall(Exception):
    """The model wrote a tool call that cannot be read."""


class PromptTooLong(Exception):
    """The server refused the prompt or read only a part of it. The window knows by now, and fits less.

    `window`: its size, where that was seen and stands not in the text; else 0.
    """

    def __init__(self, text: str, window: int = 0) -> None:
        super().__init__(text)
        self.window = window


class OnlyThought(Exception):
    """The model used the whole length of its reply for thinking."""


class ToolsRefused(Exception):
    """The server takes no tools beside a schema."""


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
        except (MalformedCall, PromptTooLong, OnlyThought, ToolsRefused, CannotThink, Runaway) as signal:
            changed = _changed(request, signal)
            if changed is None:
                break
            request = changed
    yield Turn(finish="length")


def _changed(request: Request, signal: Exception) -> Request | None:
    """The request that is worth sending after `signal`; None when the turn is lost."""
    if request.schema and request.tools and isinstance(signal, (ToolsRefused, MalformedCall)):
        return replace(request, tools=(), reminders=request.reminders + 1)
    if isinstance(signal, MalformedCall) and request.reminders < _MAX_REMINDERS:
        reminder = Message("user", prompt("malformed"))
        return replace(request, messages=(*request.messages, reminder), reminders=request.reminders + 1)
    if isinstance(signal, PromptTooLong):
        if request.shrinks >= _MAX_SHRINKS:
            raise _does_not_fit(str(signal)) from signal
        return replace(request, shrinks=request.shrinks + 1)
    if isinstance(signal, Runaway) and not isinstance(signal, Endless) and not request.warmer:
        return replace(request, may_think=False, warmer=True)
    if isinstance(signal, (OnlyThought, CannotThink, Endless)) and request.may_think:
        return replace(request, may_think=False)
    return None


def temperature_of(request: Request, usual: float | None) -> float | None:
    """What to sample a reply at; None leaves it to the model."""
    if not request.warmer:
        return usual
    return min(2.0, (_USUAL_TEMPERATURE if usual is None else usual) + _WARMER_BY)


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
