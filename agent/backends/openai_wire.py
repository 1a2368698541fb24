"""OpenAI's chat API on the wire: our messages as its JSON, its chunks as what a model said.

Arguments are text in both directions. Calls come as pieces that are joined by their index.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agent.backends.streams import ServerSaid, error_text
from agent.backends.turns import RawCall, Spoken, tokens
from agent.messages import Message, TextDelta


def wire_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The conversation as the server takes it. Equal messages give equal bytes."""
    return [_wire(message) for message in messages]


class StreamedReply:
    """One streamed reply, joined."""

    def __init__(self) -> None:
        self.done = False
        self.spoken = Spoken()
        self._calls: dict[int, _CallPieces] = {}

    def take(self, chunk: Mapping[str, Any]) -> Iterator[TextDelta]:
        """Take one chunk.

        Raises: ServerSaid for an error in the stream, Runaway.
        """
        if chunk.get("error"):
            raise ServerSaid(200, error_text(chunk["error"]))
        self._usage(chunk.get("usage"))
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return
        choice = cast(dict[str, Any], choices[0])
        delta = choice.get("delta")
        if isinstance(delta, dict):
            yield from self._delta(cast(dict[str, Any], delta))
        if reason := choice.get("finish_reason"):
            self.done = True
            self.spoken.was_cut = reason == "length"

    def whole(self) -> Spoken:
        """Everything, with its calls in their order."""
        self.spoken.calls = [
            RawCall(pieces.id, pieces.name, pieces.arguments) for _, pieces in sorted(self._calls.items())
        ]
        return self.spoken

    def _delta(self, delta: Mapping[str, Any]) -> Iterator[TextDelta]:
        yield from self.spoken.say(delta.get("reasoning_content") or delta.get("reasoning"), thinking=True)
        yield from self.spoken.say(delta.get("content"))
        calls = delta.get("tool_calls")
        for at, entry in enumerate(cast(list[object], calls) if isinstance(calls, list) else []):
            if isinstance(entry, dict):
                self._call(cast(dict[str, Any], entry), at)

    def _call(self, entry: Mapping[str, Any], at: int) -> None:
        index = entry.get("index")
        pieces = self._calls.setdefault(index if isinstance(index, int) else at, _CallPieces())
        function = entry.get("function")
        fields = cast(dict[str, Any], function) if isinstance(function, dict) else {}
        pieces.id = pieces.id or str(entry.get("id") or "")
        pieces.name += str(fields.get("name") or "")
        arguments = fields.get("arguments")
        pieces.arguments += (
            arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments else ""
        )

    def _usage(self, usage: object) -> None:
        if isinstance(usage, dict):
            counts = cast(dict[str, Any], usage)
            self.spoken.prompt_tokens = tokens(counts.get("prompt_tokens"))
            self.spoken.output_tokens = tokens(counts.get("completion_tokens"))


@dataclass(slots=True)
class _CallPieces:
    id: str = ""
    name: str = ""
    arguments: str = ""


def event_data(line: bytes) -> bytes:
    """The payload of one line of server-sent events; comments and other fields are nothing.

    An `error:` line is how older llama.cpp servers report one.
    """
    field, colon, value = line.partition(b":")
    return value.strip() if colon and field in (b"data", b"error") else b""


def _wire(message: Message) -> dict[str, Any]:
    if message.role == "tool" and message.call:
        return {"role": "tool", "tool_call_id": message.call.id, "content": message.content}
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        wire["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": json.dumps(dict(call.arguments), ensure_ascii=False),
                },
            }
            for call in message.tool_calls
        ]
    return wire
