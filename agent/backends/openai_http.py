"""A model behind any server that speaks OpenAI's chat API: llama.cpp, vLLM, LM Studio, or a hosted one.

Calls come as pieces: the arguments of one call are text that is joined by its index. The key is sent in one
header and nowhere else: never shown, never part of an error. A reply is whole when it said why it ended
(`finish_reason`) or that it did (`[DONE]`).
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, cast

import httpx

from agent.backends.openai_errors import failure_of, sizes_in
from agent.backends.recovery import PromptTooLong, Request, ask, does_not_fit
from agent.backends.streams import ServerConnection, ServerSaid, error_text
from agent.backends.turns import RawCall, Spoken
from agent.backends.window import Window
from agent.context import DoesNotFit
from agent.errors import ModelUnavailable
from agent.messages import BackendInfo, JsonSchema, Message, Piece, TextDelta

_CHAT = "chat/completions"
_MODELS = "models"
_PROBE_SECONDS = 10.0
_TOKEN = re.compile(rb'"(?:content|reasoning|reasoning_content|name|arguments)"\s*:\s*"[^"]')


@dataclass(frozen=True, slots=True)
class SamplingProfile:
    """How the model is asked. The window is the server's own matter; this one is what we fill at most."""

    context_tokens: int = 16_384
    max_tokens: int = 4_096
    temperature: float | None = None
    seed: int | None = None


class OpenAIHttp:
    """One model of one server."""

    def __init__(self, connection: ServerConnection, model: str, profile: SamplingProfile) -> None:
        self._connection = connection
        self._model = model
        self._profile = profile
        self._window = Window(profile.context_tokens, profile.max_tokens)

    @property
    def info(self) -> BackendInfo:
        """The host is there to be shown: it may be another computer."""
        return BackendInfo("openai", self._model, self._connection.name.host)

    def reply(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> AsyncIterator[Piece]:
        """One turn with tools. Raises: ModelUnavailable. Closing the iterator closes the socket."""
        return ask(self._send, Request(tuple(messages), tuple(tools), may_think=False))

    def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncIterator[Piece]:
        """One turn by `schema`, without tools. Raises: ModelUnavailable."""
        return ask(self._send, Request(tuple(messages), schema=schema, may_think=False))

    def notice(self, question: str) -> str:
        """None is needed: a model wrote this."""
        return ""

    async def aclose(self) -> None:
        """Close the connection."""
        await self._connection.aclose()

    async def _send(self, request: Request) -> AsyncGenerator[Piece, None]:
        try:
            messages = self._window.fit(request.messages, request.tools)
        except DoesNotFit as problem:
            raise does_not_fit(str(problem)) from problem
        estimate = self._window.estimate(messages, request.tools)
        reply = StreamedReply()
        try:
            async with aclosing(self._exchange(self._body(request, messages), reply)) as pieces:
                async for piece in pieces:
                    yield piece
        except PromptTooLong as signal:
            self._window.was_too_small(estimate, *sizes_in(str(signal)))
            raise
        self._window.learn(estimate, reply.spoken.prompt_tokens)
        yield reply.whole().turn(request)

    async def _exchange(self, body: dict[str, Any], reply: StreamedReply) -> AsyncGenerator[Piece, None]:
        try:
            async with aclosing(self._connection.lines(_CHAT, body, lambda line: bool(_TOKEN.search(line)))) as lines:
                async for line in lines:
                    data = _data(line)
                    if data == b"[DONE]":
                        reply.done = True
                        break
                    if data:
                        for piece in reply.take(self._connection.object(data)):
                            yield piece
        except ServerSaid as said:
            raise failure_of(said, self._model) from said
        if not reply.done:
            raise ModelUnavailable(
                "the model's reply is not whole",
                cause="the server ended it without saying that it is done",
                hint="ask again; if it stays, look at the server's log",
            )

    def _body(self, request: Request, messages: Sequence[Message]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [_wire(message) for message in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": self._window.reply_tokens,
        }
        if request.tools:
            body["tools"] = list(request.tools)
        elif request.schema is not None:
            schema = {"name": "answer", "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        if self._profile.temperature is not None:
            body["temperature"] = self._profile.temperature
        if self._profile.seed is not None:
            body["seed"] = self._profile.seed
        return body


async def find_model(connection: ServerConnection, wanted: str) -> str:
    """The model that is `wanted`, else the first that the server lists.

    Raises: ModelUnavailable.
    """
    try:
        reply = await connection.json("GET", _MODELS, seconds=_PROBE_SECONDS)
    except ServerSaid as said:
        if said.status == httpx.codes.NOT_FOUND and wanted:
            return wanted
        raise failure_of(said, wanted or "of the server") from said
    listed = reply.get("data")
    entries = [entry for entry in cast(list[object], listed) if isinstance(entry, dict)] if isinstance(listed, list) else []
    names = [str(cast(dict[str, Any], entry).get("id")) for entry in entries]
    if wanted:
        return wanted
    if names:
        return names[0]
    raise ModelUnavailable(
        f"the model server at `{connection.name.url}` has no model",
        cause="its list of models is empty",
        hint="load one in the server, or name one: `--model NAME`",
    )


def api_url(url: httpx.URL) -> httpx.URL:
    """The address that the paths are added to: a bare host gets `/v1`."""
    return url.copy_with(path="/v1") if url.path in ("", "/") else url


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
        pieces.arguments += arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments else ""

    def _usage(self, usage: object) -> None:
        if isinstance(usage, dict):
            counts = cast(dict[str, Any], usage)
            self.spoken.prompt_tokens = int(counts.get("prompt_tokens") or 0)
            self.spoken.output_tokens = int(counts.get("completion_tokens") or 0)


@dataclass(slots=True)
class _CallPieces:
    id: str = ""
    name: str = ""
    arguments: str = ""


def _data(line: bytes) -> bytes:
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
                "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments), ensure_ascii=False)},
            }
            for call in message.tool_calls
        ]
    return wire
