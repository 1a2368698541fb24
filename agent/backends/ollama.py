"""A model on an Ollama server: chat with tools and answers by schema, over our own stream reader.

Every request carries the same load profile, since a change of it would load the model anew; `truncate` and
`shift` are off, since the server would otherwise cut a prompt without a word; beside a schema tools stand for the
prefix alone.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from agent.backends.ollama_errors import failure_of, sizes_in
from agent.backends.ollama_models import ModelCard, OllamaServer, RunningModel
from agent.backends.ollama_wire import OllamaReply, wire_messages
from agent.backends.prefix import Prefix
from agent.backends.recovery import (
    CannotThink,
    MalformedCall,
    PromptTooLong,
    Request,
    ask,
    fitting,
    temperature_of,
)
from agent.backends.runaway import Runaway
from agent.backends.streams import ServerConnection, ServerSaid
from agent.backends.window import Window
from agent.errors import ModelUnavailable
from agent.messages import BackendInfo, JsonSchema, Message, Piece

Think: TypeAlias = bool | Literal["low", "medium", "high", "max"]
ADAPTED = "adapted"
"""The key in `BackendInfo.details` under which stands what is done differently with this model."""
_CHAT = "/api/chat"


@dataclass(frozen=True, slots=True)
class LoadProfile:
    """How a model is loaded and asked: one for the life of the program."""

    num_ctx: int = 16_384
    num_batch: int = 512
    num_predict: int = 4_096
    """Tokens of one reply at most, thinking included."""
    keep_alive: str = "30m"
    think: Think = False
    temperature: float | None = None
    """None: what the model brings."""
    seed: int | None = None
    one_call_at_a_time: bool = False
    """Of several calls in one turn only the first is taken."""


class Ollama:
    """One model of one server."""

    def __init__(
        self, connection: ServerConnection, card: ModelCard, profile: LoadProfile, adapted: str = ""
    ) -> None:
        """`adapted`: what of the profile differs from the settings, and why."""
        self._connection = connection
        self._server = OllamaServer(connection)
        self._model = card.name
        self.digest = card.digest
        self._thinks = "thinking" in card.capabilities
        self._profile = profile
        self._adapted = {ADAPTED: adapted} if adapted else {}
        self.num_ctx = min(profile.num_ctx, card.trained_context or profile.num_ctx)
        self._window = Window(self.num_ctx, profile.num_predict)
        self._window_is_known = False
        self._prefix = Prefix()

    @property
    def info(self) -> BackendInfo:
        """The window in force is among the details."""
        return BackendInfo(
            "ollama",
            self._model,
            self._connection.name.host,
            {"num_ctx": str(self._window.tokens)} | self._adapted,
        )

    def reply(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> AsyncGenerator[Piece, None]:
        """One turn with tools. Raises: ModelUnavailable. Closing the iterator closes the socket."""
        self._prefix.conversation(messages, tools)
        return ask(self._send, Request(tuple(messages), tuple(tools)))

    def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        """One turn by `schema`, without calls and without thinking. Raises: ModelUnavailable."""
        tools = self._prefix.tools_for(messages)
        return ask(self._send, Request(tuple(messages), tools, schema, may_think=False))

    def notice(self, question: str) -> str:
        """None is needed: a model wrote this."""
        return ""

    async def preload(self) -> None:
        """Load the model, so that the first question need not wait for it.

        Raises: ModelUnavailable.
        """
        body = self._body(Request((), may_think=False), [])
        try:
            async with aclosing(self._exchange(body, OllamaReply(self._model))) as pieces:
                async for _ in pieces:
                    pass
        except (
            MalformedCall,
            Runaway,
        ) as broken:  # "EOF": here it can only mean that the model's process ended
            raise ModelUnavailable(
                f"the model `{self._model}` could not be loaded",
                cause=str(broken),
                hint="set a smaller `model.num_ctx` or use a smaller model; the server's log says more",
            ) from broken

    async def loaded(self) -> RunningModel | None:
        """How the server holds the model now; None when it does not, or cannot say."""
        try:
            running = await self._server.running()
        except ModelUnavailable:
            return None
        return next((model for model in running if model.name.lower() == self._model.lower()), None)

    async def aclose(self) -> None:
        """Close the connection; the server unloads the model when `keep_alive` is over."""
        await self._connection.aclose()

    async def _send(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Play one request. Raises: ModelUnavailable and the signals of `recovery`."""
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
        reply = OllamaReply(self._model)
        async with aclosing(self._exchange(self._body(request, messages), reply)) as pieces:
            async for piece in pieces:
                yield piece
        await self._check_window(self._window.estimate(messages, request.tools), reply.spoken.prompt_tokens)
        turn = reply.spoken.turn(request, messages)
        self._prefix.learn(request, turn)
        yield replace(turn, tool_calls=turn.tool_calls[:1]) if self._profile.one_call_at_a_time else turn

    async def _exchange(self, body: dict[str, Any], reply: OllamaReply) -> AsyncGenerator[Piece, None]:
        try:
            async with aclosing(self._connection.lines(_CHAT, body)) as lines:
                async for line in lines:
                    for piece in reply.take(self._connection.object(line)):
                        yield piece
        except ServerSaid as said:
            failure = failure_of(said, self._model)
            self._thinks = self._thinks and not isinstance(failure, CannotThink)
            raise failure from said
        if not reply.done:
            raise self._unfinished(reply)

    def _body(self, request: Request, messages: Sequence[Message]) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._model, "messages": wire_messages(messages), "stream": True}
        if request.tools:
            body["tools"] = list(request.tools)
        if request.schema is not None:
            body["format"] = request.schema
        if self._thinks:
            body["think"] = self._profile.think if request.may_think else False
        return body | {
            "truncate": False,
            "shift": False,
            "keep_alive": self._profile.keep_alive,
            "options": self._options(request),
        }

    def _options(self, request: Request) -> dict[str, Any]:
        options: dict[str, Any] = {
            "num_ctx": self.num_ctx,
            "num_batch": self._profile.num_batch,
            "num_predict": self._window.reply_tokens,
        }
        temperature = temperature_of(request, self._profile.temperature)
        if temperature is not None:
            options["temperature"] = temperature
        if self._profile.seed is not None:
            options["seed"] = self._profile.seed
        return options

    async def _check_window(self, estimate: float, counted: int) -> None:
        """Make sure that the server read all it was sent; a cut prompt must not be answered from.

        Raises: PromptTooLong.
        """
        if not self._window_is_known:
            self._window_is_known = True
            self._window.narrow(await self._loaded_window())
        if not counted:
            return
        if self._window.was_cut(estimate, counted):
            raise PromptTooLong(
                f"the server read {counted} tokens of a longer prompt and said nothing; its window has {self._window.tokens}"
            )
        self._window.learn(estimate, counted)

    async def _loaded_window(self) -> int:
        """What the server really loaded: it may shrink a window when memory is short. 0 when it cannot be told."""
        loaded = await self.loaded()
        return loaded.context if loaded else 0

    def _unfinished(self, reply: OllamaReply) -> Exception:
        """Servers break a repetition off without a word, and hold back the blanks that it may have been made of."""
        if reply.has_begun:
            return Runaway("the server broke it off")
        return ModelUnavailable(
            "the model's reply is not whole",
            cause="the server ended it without saying that it is done",
            hint="ask again; if it stays, look at the server's log and update Ollama",
        )
