"""Ollama's chat on the wire: our messages as its JSON, its lines as what a model said.

Conventions of the server that this module owns: arguments are objects in both directions; text beside calls
erases the calls from history in some templates, so it is left out; tool messages follow their calls in order,
as most templates pair them by order alone; a `message` may come in every line, the `done` line included.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from agent.backends.ollama_models import not_local
from agent.backends.streams import ServerSaid, error_text
from agent.backends.turns import RawCall, Spoken, tokens
from agent.messages import Message, TextDelta
from tools.ollama_names import remote_reason


def wire_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The conversation as the server takes it. Equal messages give equal bytes."""
    return [_wire(message) for message in messages]


def _wire(message: Message) -> dict[str, Any]:
    if message.role == "tool" and message.call:
        return {
            "role": "tool",
            "content": message.content,
            "tool_name": message.call.name,
            "tool_call_id": message.call.id,
        }
    wire: dict[str, Any] = {"role": message.role, "content": "" if message.tool_calls else message.content}
    if message.thinking:
        wire["thinking"] = message.thinking
    if message.tool_calls:
        wire["tool_calls"] = [
            {"id": call.id, "function": {"name": call.name, "arguments": dict(call.arguments)}}
            for call in message.tool_calls
        ]
    return wire


class OllamaReply:
    """One streamed reply. It is whole only when `done` is true."""

    def __init__(self, model: str) -> None:
        self._model = model
        self.spoken = Spoken()
        self.done = False
        self.has_begun = False

    def take(self, line: Mapping[str, Any]) -> Iterator[TextDelta]:
        """Take one line.

        Raises: ServerSaid for an error line, ModelUnavailable when the reply comes from another computer, Runaway.
        """
        if "error" in line:
            raise ServerSaid(200, error_text(line["error"]))
        if line.get("remote_host") or line.get("remote_model"):
            raise not_local(self._model, remote_reason(self._model, line))
        self.has_begun = True
        message = line.get("message")
        if isinstance(message, dict):
            yield from self._message(cast(dict[str, Any], message))
        if line.get("done") is True:
            self._end(line)

    def _message(self, message: Mapping[str, Any]) -> Iterator[TextDelta]:
        yield from self.spoken.say(message.get("thinking"), thinking=True)
        yield from self.spoken.say(message.get("content"))
        calls = message.get("tool_calls")
        for call in cast(list[object], calls) if isinstance(calls, list) else []:
            if isinstance(call, dict):
                self.spoken.calls.append(_raw_call(cast(dict[str, Any], call)))

    def _end(self, line: Mapping[str, Any]) -> None:
        self.done = True
        self.spoken.was_cut = line.get("done_reason") == "length"
        self.spoken.prompt_tokens = tokens(line.get("prompt_eval_count"))
        self.spoken.output_tokens = tokens(line.get("eval_count"))


def _raw_call(call: Mapping[str, Any]) -> RawCall:
    function = call.get("function")
    fields = cast(dict[str, Any], function) if isinstance(function, dict) else {}
    return RawCall(str(call.get("id") or ""), str(fields.get("name") or ""), fields.get("arguments"))
