"""The beginning of a conversation, which a server keeps in its cache from request to request.

Chat templates write the tools before the conversation. A request for an answer by schema therefore carries the tools
of the conversation that it goes on with, though none may be called any more: else the server reads all of it anew.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from agent.backends.recovery import Request
from agent.messages import JsonSchema, Message, Turn


class Prefix:
    """What one model was sent last, and whether its server keeps to a schema beside tools."""

    def __init__(self) -> None:
        self._messages: tuple[Message, ...] = ()
        self._tools: tuple[JsonSchema, ...] = ()
        self._is_spoiled = False

    def conversation(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> None:
        """A turn of a conversation is asked for."""
        self._messages, self._tools = tuple(messages), tuple(tools)

    def tools_for(self, messages: Sequence[Message]) -> tuple[JsonSchema, ...]:
        """The tools that go along with a request for an answer; none where it begins differently."""
        begins_so = self._messages and tuple(messages[: len(self._messages)]) == self._messages
        return self._tools if begins_so and not self._is_spoiled else ()

    def learn(self, request: Request, turn: Turn) -> None:
        """See by an answer whether the tools beside its schema led the model astray: it called one, or wrote no object.

        They are then left out from the next request on; the caller asks again for an answer that cannot be read.
        """
        if request.schema and request.tools and turn.finish == "stop":
            self._is_spoiled = bool(turn.tool_calls) or not _is_object(turn.content)

    def spoil(self) -> None:
        """This server does not take tools beside a schema."""
        self._is_spoiled = True


def _is_object(content: str) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except (ValueError, RecursionError):
        return False
