"""From what a server streamed to the `Turn` that the loop gets, the same for every server.

A call's id is unique in its conversation: a server's own id is kept unless it is missing or used already.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from agent.backends.recovery import MalformedCall, OnlyThought, Request
from agent.backends.runaway import RepetitionGuard
from agent.backends.salvage import without_thinking, written_calls
from agent.context import left_out
from agent.messages import Message, TextDelta, ToolCall, Turn

MOST_TOKENS = 10**9
"""What a server counts beyond this is no count."""


@dataclass(frozen=True, slots=True)
class RawCall:
    """A call as the server gave it; `arguments` may still be text."""

    id: str
    name: str
    arguments: object


@dataclass(slots=True)
class Spoken:
    """What a model said in one reply, as it comes."""

    content: str = ""
    thinking: str = ""
    calls: list[RawCall] = field(default_factory=list[RawCall])
    prompt_tokens: int = 0
    output_tokens: int = 0
    was_cut: bool = False
    """The reply reached its greatest length."""
    _guard: RepetitionGuard = field(default_factory=RepetitionGuard)

    def say(self, text: object, *, thinking: bool = False) -> Iterator[TextDelta]:
        """Take a piece of text; anything else than a non-empty text is nothing.

        Raises: Runaway.
        """
        if not isinstance(text, str) or not text:
            return
        self._guard.add(text)
        if thinking:
            self.thinking += text
        else:
            self.content += text
        yield TextDelta(text, thinking)

    def turn(self, request: Request, sent: Sequence[Message] = ()) -> Turn:
        """The whole reply to what was `sent` of the request, with calls that stand in the text recovered.

        Raises: MalformedCall, OnlyThought.
        """
        leaked, content = without_thinking(self.content)
        thinking = self.thinking or leaked
        calls = [RawCall(call.id, call.name, _object(call)) for call in self.calls]
        if not calls and request.tools and request.schema is None:
            written, content = written_calls(content, request.tools, request.messages)
            calls = [RawCall("", call.name, call.arguments) for call in written]
        if self.was_cut and thinking and not content.strip() and not calls:
            raise OnlyThought
        return Turn(
            content,
            _with_ids(calls, request.messages),
            thinking,
            self.prompt_tokens,
            self.output_tokens,
            "length" if self.was_cut else "stop",
            left_out(request.messages, sent),
        )


def _object(call: RawCall) -> dict[str, Any]:
    if not call.name:
        raise MalformedCall("a call without a name")
    arguments = call.arguments
    if isinstance(arguments, str):
        try:
            arguments = cast(object, json.loads(arguments or "{}"))
        except (ValueError, RecursionError) as problem:
            raise MalformedCall(f"the arguments of `{call.name}` are no JSON: {problem}") from problem
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise MalformedCall(f"the arguments of `{call.name}` are no object")
    return dict(cast(Mapping[str, Any], arguments))


def _with_ids(calls: Sequence[RawCall], messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    used = {call.id for message in messages for call in message.tool_calls}
    named: list[ToolCall] = []
    for call in calls:
        own = (f"call_{number}" for number in range(len(used), 2 * len(used) + 2))
        id_ = call.id if call.id and call.id not in used else next(id_ for id_ in own if id_ not in used)
        used.add(id_)
        named.append(ToolCall(id_, call.name, cast(Mapping[str, Any], call.arguments)))
    return tuple(named)


def tokens(value: object) -> int:
    """A server's count of tokens; 0 for what is none."""
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else 0
