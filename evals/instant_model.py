"""A model server that answers at once: as much of Ollama's API as a run needs, for measuring what is not the model.

It reads a request to its last byte, notes the time, and only then looks at it; it notes the time again when the
last byte of its reply is out. What it replies is a plan's choice: a tool call, or that it is ready to answer.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

MODEL = "instant:1b"
Call: TypeAlias = tuple[str, dict[str, Any]]
_CARD = {"capabilities": ["completion", "tools"], "model_info": {"instant.context_length": 262_144}}


@dataclass(frozen=True, slots=True)
class Moment:
    """Seconds, by the clock on the wall and by this process's own."""

    wall: float
    cpu: float


def now() -> Moment:
    return Moment(time.monotonic(), time.process_time())


@dataclass
class Exchange:
    """One chat request, and when it came and was answered."""

    arrived: Moment
    raw: bytes
    answered: Moment

    @cached_property
    def body(self) -> dict[str, Any]:
        return json.loads(self.raw)

    @cached_property
    def characters(self) -> int:
        """Of what the model reads: tools and messages."""
        read = (self.body.get("tools", []), self.body["messages"])
        return sum(len(json.dumps(part, ensure_ascii=False)) for part in read)


Plan: TypeAlias = Callable[[Sequence[Exchange]], Call | None]
"""From the exchanges so far, the newest included, to the next call; None: ready to answer."""


class InstantModel:
    """Serves on a free port of the loopback address while it is entered."""

    def __init__(self, plan: Plan) -> None:
        self.exchanges: list[Exchange] = []
        self._plan = plan
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        assert self._server is not None, "enter it first"
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> InstantModel:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**24)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while first := await reader.readline():
                body = await reader.readexactly(await _length(reader))
                arrived = now()
                path = first.split()[1].decode()
                exchange = Exchange(arrived, body, arrived)
                await self.reply(writer, path, exchange)
                await writer.drain()
                exchange.answered = now()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass  # the client, or the run, is over
        finally:
            writer.close()

    async def reply(self, writer: asyncio.StreamWriter, path: str, exchange: Exchange) -> None:
        """Write a whole response; a slower model overrides this."""
        writer.write(_response(self.answer(path, exchange)))

    def answer(self, path: str, exchange: Exchange) -> dict[str, Any]:
        """What a request is answered with."""
        match path:
            case "/api/chat":
                self.exchanges.append(exchange)
                return self._chat(exchange)
            case "/api/show":
                return _CARD
            case "/api/ps":
                return {"models": []}
            case _:
                model = {"name": MODEL, "model": MODEL, "size": 10**9, "capabilities": _CARD["capabilities"]}
                return {"models": [model], "version": "0.33.0"}

    def _chat(self, exchange: Exchange) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": "I am ready to answer."}
        if "format" in exchange.body:
            message["content"] = json.dumps(_by_schema(exchange.body["format"]))
        elif call := self._plan(self.exchanges):
            function = {"name": call[0], "arguments": call[1]}
            message |= {"content": "", "tool_calls": [{"function": function}]}
        return {"model": MODEL, "message": message, "done": True, "done_reason": "stop"}


def _by_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The answer that there is no evidence, or the same score for every candidate."""
    keys = schema["properties"]
    return {"no_evidence": True, "observed": []} if "observed" in keys else dict.fromkeys(keys, 5)


async def _length(reader: asyncio.StreamReader) -> int:
    length = 0
    while line := (await reader.readline()).strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return length


def _response(value: dict[str, Any]) -> bytes:
    body = json.dumps(value).encode() + b"\n"
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
        len(body),
        body,
    )
