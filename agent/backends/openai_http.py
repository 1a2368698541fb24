"""A model behind any server that speaks OpenAI's chat API: llama.cpp, vLLM, LM Studio, or a hosted one.

The key is sent in one header and nowhere else: never shown, never part of an error. A reply is whole when it
said why it ended (`finish_reason`) or that it did (`[DONE]`).
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

import httpx

from agent.backends.openai_errors import failure_of, refusal_of, sizes_in
from agent.backends.openai_wire import StreamedReply, event_data, wire_messages
from agent.backends.recovery import PromptTooLong, Request, ask, fitting
from agent.backends.streams import ServerConnection, ServerSaid
from agent.backends.window import Window
from agent.errors import ModelUnavailable
from agent.messages import BackendInfo, JsonSchema, Message, Piece

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

    def reply(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> AsyncGenerator[Piece, None]:
        """One turn with tools. Raises: ModelUnavailable. Closing the iterator closes the socket."""
        return ask(self._send, Request(tuple(messages), tuple(tools), may_think=False))

    def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
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
            async with aclosing(self._attempt(request)) as pieces:
                async for piece in pieces:
                    yield piece
        except PromptTooLong as signal:
            with fitting():
                self._window.must_fit_less(request.messages, request.tools, *sizes_in(str(signal)))
            raise

    async def _attempt(self, request: Request) -> AsyncGenerator[Piece, None]:
        with fitting():
            messages = self._window.fit(request.messages, request.tools)
        reply = StreamedReply()
        async with aclosing(self._exchange(self._body(request, messages), reply)) as pieces:
            async for piece in pieces:
                yield piece
        self._window.learn(self._window.estimate(messages, request.tools), reply.spoken.prompt_tokens)
        yield reply.whole().turn(request)

    async def _exchange(self, body: dict[str, Any], reply: StreamedReply) -> AsyncGenerator[Piece, None]:
        try:
            async with aclosing(
                self._connection.lines(_CHAT, body, lambda line: bool(_TOKEN.search(line)))
            ) as lines:
                async for line in lines:
                    data = event_data(line)
                    if data == b"[DONE]":
                        reply.done = True
                        break
                    if data:
                        for piece in reply.take(self._connection.object(data)):
                            yield piece
        except ServerSaid as said:
            raise failure_of(
                ServerSaid(said.status, self._connection.without_key(said.text)), self._model
            ) from None
        if not reply.done:
            raise ModelUnavailable(
                "the model's reply is not whole",
                cause="the server ended it without saying that it is done",
                hint="ask again; if it stays, look at the server's log",
            )

    def _body(self, request: Request, messages: Sequence[Message]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": wire_messages(messages),
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
        if said.status == HTTPStatus.NOT_FOUND and wanted:
            return wanted
        raise refusal_of(said, wanted or "list of models") from said
    if wanted:
        return wanted
    listed = reply.get("data")
    first: object = cast(list[object], listed)[0] if isinstance(listed, list) and listed else None
    if isinstance(first, dict) and "id" in first:
        return str(cast(dict[str, Any], first)["id"])
    raise ModelUnavailable(
        f"the model server at `{connection.name.url}` has no model",
        cause="its list of models is empty",
        hint="load one in the server, or name one: `--model NAME`",
    )


def api_url(url: httpx.URL) -> httpx.URL:
    """The address that the paths are added to: a bare host gets `/v1`."""
    return url.copy_with(path="/v1") if url.path in ("", "/") else url
