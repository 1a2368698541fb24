"""A model behind any server that speaks OpenAI's chat API: llama.cpp, vLLM, LM Studio, or a hosted one.

The key is sent in one header and nowhere else: never shown, never part of an error. A reply is whole when it
said why it ended (`finish_reason`) or that it did (`[DONE]`). How large the window is these servers mostly do not
say, and some cut a prompt without a word: their own count of it tells.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, cast

import httpx

from agent.backends.openai_errors import failure_of, refusal_of, sizes_in
from agent.backends.openai_wire import StreamedReply, event_data, wire_messages
from agent.backends.prefix import Prefix
from agent.backends.recovery import PromptTooLong, Request, ToolsRefused, ask, fitting, temperature_of
from agent.backends.streams import ServerConnection, ServerSaid
from agent.backends.turns import Spoken
from agent.backends.window import CountedPrompts, Window
from agent.errors import ModelUnavailable
from agent.messages import BackendInfo, JsonSchema, Message, Piece
from agent.question import QuestionReader

_CHAT = "chat/completions"
_MODELS = "models"
_PROBE_SECONDS = 10.0
_WINDOWS_STEP, _LEFT_FREE = 256, 2
"""llama.cpp rounds a window up to the first; what others are set to mostly is a multiple, too. The second: the tokens at
its end that may stay unused."""
_LEAST_SHARE = 4
"""A reply that filled up less than this part of the window was cut by its prompt."""
_REFUSALS = (400, 422, 500, 501)
"""That may mean: no tools beside a schema."""
_TOKEN = re.compile(rb'"(?:content|reasoning|reasoning_content|name|arguments)"\s*:\s*"[^"]')


@dataclass(frozen=True, slots=True)
class SamplingProfile:
    """How the model is asked. The window is the server's own matter; this one is what we fill at most."""

    context_tokens: int = 16_384
    max_tokens: int = 4_096
    temperature: float | None = None
    seed: int | None = None
    window_is_known: bool = False
    """The server holds as many tokens as `context_tokens` or more, and refuses what is too long."""

    def within(self, window: int) -> SamplingProfile:
        """The same for a server that says how many tokens it holds; 0: it does not say."""
        known = min(window, self.context_tokens) if window else self.context_tokens
        return replace(self, context_tokens=known, window_is_known=window > 0)


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model that a server lists."""

    name: str
    window: int = 0
    """Tokens, as vLLM and llama.cpp say beside the name; 0: the server does not say."""


class OpenAIHttp:
    """One model of one server."""

    def __init__(self, connection: ServerConnection, model: str, profile: SamplingProfile) -> None:
        self._connection = connection
        self._model = model
        self._profile = profile
        self._window = Window(profile.context_tokens, profile.max_tokens)
        self._counted = CountedPrompts()
        self._prefix = Prefix()
        self._silent_on_counts = False
        self._told = False

    @property
    def info(self) -> BackendInfo:
        """The host is there to be shown: it may be another computer."""
        return BackendInfo("openai", self._model, self._connection.name.host)

    def reply(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> AsyncGenerator[Piece, None]:
        """One turn with tools. Raises: ModelUnavailable. Closing the iterator closes the socket."""
        self._prefix.conversation(messages, tools)
        return ask(self._send, Request(tuple(messages), tuple(tools), may_think=False))

    def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        """One turn by `schema`, in which no tool can be called. Raises: ModelUnavailable."""
        tools = self._prefix.tools_for(messages)
        return ask(self._send, Request(tuple(messages), tools, schema, may_think=False))

    def notice(self, question: str) -> str:
        """Once, that nobody can tell whether the server read all of the conversation."""
        if self._told or not self._silent_on_counts:
            return ""
        self._told = True
        reader = QuestionReader()
        return reader.phrases[reader.read(question).language].write("notice_uncounted")

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
                counted, window = sizes_in(str(signal))
                self._window.must_fit_less(request.messages, request.tools, counted, signal.window or window)
            raise

    async def _attempt(self, request: Request) -> AsyncGenerator[Piece, None]:
        with fitting():
            messages = self._window.fit(request.messages, request.tools)
        reply = StreamedReply()
        async with aclosing(self._exchange(self._body(request, messages), reply)) as pieces:
            async for piece in pieces:
                yield piece
        self._check_window(request, messages, reply.spoken)
        turn = reply.whole().turn(request, messages)
        self._prefix.learn(request, turn)
        yield turn

    def _check_window(self, request: Request, sent: Sequence[Message], spoken: Spoken) -> None:
        """Make sure that the server read all it was `sent`; a cut prompt must not be answered from.

        Raises: PromptTooLong.
        """
        counted = spoken.prompt_tokens
        if not counted:
            self._silent_on_counts = True
            return
        if not self._profile.window_is_known:
            seems = self._counted.window_of_a_cut(sent, request.tools, self._window.scale, counted)
            if seems:
                raise PromptTooLong(
                    f"the server read {counted} tokens of a longer prompt and said nothing",
                    counted if request.shrinks else seems,
                )
            self._counted.keep(sent, request.tools, counted)
        self._window.learn(self._window.estimate(sent, request.tools), counted)
        if spoken.was_cut and 0 < spoken.output_tokens < self._window.reply_tokens:
            self._narrow_to_what_was_full(counted, spoken.output_tokens)

    def _narrow_to_what_was_full(self, read: int, written: int) -> None:
        """A reply that ends before its greatest length has filled the server's window, which is then known.

        Raises: PromptTooLong where the prompt left it little room.
        """
        full = read + written
        if -full % _WINDOWS_STEP > _LEFT_FREE:
            return  # a limit of the server's own for replies, which ends anywhere
        if written * _LEAST_SHARE < full:
            raise PromptTooLong(f"the server's window was full after {full} tokens", full)
        self._window.narrow(full)

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
            failure = failure_of(
                ServerSaid(said.status, self._connection.without_key(said.text)), self._model
            )
            refused = said.status in _REFUSALS and isinstance(failure, ModelUnavailable)
            if refused and "tool_choice" in body:
                self._prefix.spoil()
                raise ToolsRefused from None
            raise failure from None
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
        if request.tools and request.schema is not None:
            body["tool_choice"] = "none"
        if request.schema is not None:
            schema = {"name": "answer", "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        temperature = temperature_of(request, self._profile.temperature)
        if temperature is not None:
            body["temperature"] = temperature
        if self._profile.seed is not None:
            body["seed"] = self._profile.seed
        return body


async def find_model(connection: ServerConnection, wanted: str) -> FoundModel:
    """The model that is `wanted`, else the first that the server lists.

    Raises: ModelUnavailable.
    """
    try:
        reply = await connection.json("GET", _MODELS, seconds=_PROBE_SECONDS)
    except ServerSaid as said:
        if said.status == HTTPStatus.NOT_FOUND and wanted:
            return FoundModel(wanted)
        raise refusal_of(said, wanted or "list of models") from said
    listed = [_found(cast(dict[str, Any], entry)) for entry in _entries(reply) if isinstance(entry, dict)]
    if wanted:
        return next((model for model in listed if model.name == wanted), FoundModel(wanted))
    if listed and listed[0].name:
        return listed[0]
    raise ModelUnavailable(
        f"the model server at `{connection.name.url}` has no model",
        cause="its list of models is empty",
        hint="load one in the server, or name one: `--model NAME`",
    )


def _entries(reply: Mapping[str, Any]) -> list[object]:
    listed = reply.get("data")
    return cast(list[object], listed) if isinstance(listed, list) else []


def _found(entry: Mapping[str, Any]) -> FoundModel:
    meta = entry.get("meta")
    said = (
        entry.get("max_model_len"),
        cast(dict[str, Any], meta).get("n_ctx") if isinstance(meta, dict) else 0,
    )
    windows = [tokens for tokens in said if isinstance(tokens, int) and tokens > 0]
    return FoundModel(str(entry.get("id") or ""), windows[0] if windows else 0)


def api_url(url: httpx.URL) -> httpx.URL:
    """The address that the paths are added to: a bare host gets `/v1`."""
    return url.copy_with(path="/v1") if url.path in ("", "/") else url
