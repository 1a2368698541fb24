"""Real backends on fake servers, and what they said."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import httpx
from support.ollama_fixtures import MODEL

from agent.backends.ollama import LoadProfile, Ollama
from agent.backends.ollama_models import ModelCard
from agent.backends.openai_http import OpenAIHttp, SamplingProfile
from agent.backends.streams import ServerConnection, ServerName, Timeouts
from agent.messages import JsonSchema, Message, Piece, TextDelta, ToolCall, Turn

NO_PAUSE = Timeouts(connect=2.0, first_token=20.0, between_tokens=20.0, retry_pause=0.0)
THINKER = ModelCard(MODEL, ("completion", "tools", "thinking"), 262_144)
PLAIN = ModelCard(MODEL, ("completion", "tools"), 262_144)
SCHEMA: JsonSchema = {"type": "object", "properties": {"no_evidence": {"type": "boolean"}}}


def function(name: str, **properties: str) -> JsonSchema:
    """A tool's schema with properties of the given types."""
    parameters = {"type": "object", "properties": {key: {"type": kind} for key, kind in properties.items()}}
    return {"type": "function", "function": {"name": name, "description": name, "parameters": parameters}}


TOOLS = [
    function("semantic_search", query="string", limit="integer"),
    function("read_file_lines", path="string"),
]
QUESTION = [Message("system", "You answer questions."), Message("user", "Where is the token refreshed?")]


def connection(url: str, timeouts: Timeouts = NO_PAUSE, key: str = "") -> ServerConnection:
    """To a fake server."""
    parsed = httpx.URL(url)
    name = ServerName(url, f"{parsed.host}:{parsed.port}", "a model server", "start it")
    return ServerConnection(parsed, name, timeouts, key)


@asynccontextmanager
async def ollama(
    url: str, *, card: ModelCard = THINKER, timeouts: Timeouts = NO_PAUSE, **profile: Any
) -> AsyncIterator[Ollama]:
    """The real backend on a fake server."""
    backend = Ollama(connection(url, timeouts), card, LoadProfile(**profile))
    try:
        yield backend
    finally:
        await backend.aclose()


@asynccontextmanager
async def openai(
    url: str, *, key: str = "", timeouts: Timeouts = NO_PAUSE, **profile: Any
) -> AsyncIterator[OpenAIHttp]:
    """The real backend on a fake server."""
    backend = OpenAIHttp(connection(url, timeouts, key), "local-model", SamplingProfile(**profile))
    try:
        yield backend
    finally:
        await backend.aclose()


async def played(reply: AsyncGenerator[Piece, None]) -> tuple[list[TextDelta], Turn]:
    """All text pieces of a reply, and its one turn, which must come last."""
    deltas: list[TextDelta] = []
    turns: list[Turn] = []
    async with aclosing(reply) as pieces:
        async for piece in pieces:
            assert not turns
            if isinstance(piece, TextDelta):
                deltas.append(piece)
            else:
                turns.append(piece)
    (turn,) = turns
    return deltas, turn


def after_call(
    number: int,
    text: str,
    *,
    ids: tuple[str, ...] = ("E1",),
    thinking: str = "",
    name: str = "semantic_search",
) -> list[Message]:
    """One turn of a conversation: a call and its result."""
    call = ToolCall(f"call_{number}", name, {"query": f"question {number}"})
    result = {"results": [{"id": id_, "text": text} for id_ in ids]}
    return [Message("assistant", "", (call,), thinking), Message("tool", text, call=call, result=result)]
