"""What one model really does on this machine: measured once, kept by the digest of its file, and adapted to.

A model's card says what it can do; whether it does depends on the server's version, its template and the memory
that is free. Speeds are by the clock, from the first piece of a reply to its last. Calls that come as text are
always recovered (`salvage`), so that they do is only told.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from agent.backends.ollama import Ollama
from agent.messages import JsonSchema, Message, Piece, TextDelta, Turn
from agent.prompts import prompt

Calls: TypeAlias = Literal["as calls", "as text", "none"]
_FOLDER = "models"
_COLOURS = ("red", "green")


@dataclass(frozen=True, slots=True)
class Contract:
    """What was measured."""

    model: str
    digest: str
    num_ctx_asked: int
    num_ctx: int
    """The window that was loaded; 0: the server did not say."""
    load_seconds: float
    calls: Calls
    several_calls: bool
    """Whether two calls of one turn arrive."""
    obeys_schema: bool
    read_per_second: float
    """Tokens of the prompt."""
    write_per_second: float

    @property
    def window(self) -> int:
        """The window that the server narrows ours to; 0 when it keeps to what it is asked for."""
        return self.num_ctx if 0 < self.num_ctx < self.num_ctx_asked else 0

    @property
    def one_call_at_a_time(self) -> bool:
        """Whether several calls are more than it manages."""
        return self.calls != "none" and not self.several_calls

    @property
    def adaptations(self) -> str:
        """What is done differently with this model, for the status line; "" when nothing is."""
        done = [
            f"a window of {self.window} tokens, as the server loads no more" if self.window else "",
            "one tool call at a time, as several do not arrive" if self.one_call_at_a_time else "",
            "tool calls recovered from its text" if self.calls == "as text" else "",
            "it calls no tools: the first search alone feeds it" if self.calls == "none" else "",
        ]
        return "; ".join(filter(None, done))


class Contracts:
    """The contracts that are kept, one file for each model."""

    def __init__(self, data_folder: Path) -> None:
        self._folder = data_folder / _FOLDER

    def of(self, digest: str) -> Contract | None:
        """What was measured for the model with this digest; None when nothing was, or it cannot be read."""
        if not digest:
            return None
        try:
            return Contract(**json.loads(self._path(digest).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def keep(self, contract: Contract) -> None:
        """Keep it, in the place of an older one."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._path(contract.digest)
        beside = path.with_suffix(".new")
        beside.write_text(json.dumps(asdict(contract), indent=1), encoding="utf-8")
        beside.replace(path)

    def _path(self, digest: str) -> Path:
        return self._folder / f"{re.sub(r'[^0-9A-Za-z]', '_', digest)[:80]}.json"


async def measure(model: Ollama) -> Contract:
    """Load the model and ask it three small things; takes as long as the model does.

    Raises: ModelUnavailable.
    """
    started = time.monotonic()
    await model.preload()
    load_seconds = time.monotonic() - started
    loaded = await model.loaded()
    one = await _timed(model.reply(_asked("probe_one"), [_TOOL]))
    several = await _timed(model.reply(_asked("probe_several"), [_TOOL]))
    draft = await _timed(model.answer(_asked("probe_schema"), _SCHEMA))
    speeds = one if one.turn.output_tokens > draft.turn.output_tokens else draft
    return Contract(
        model=model.info.model,
        digest=model.digest,
        num_ctx_asked=model.num_ctx,
        num_ctx=loaded.context if loaded else 0,
        load_seconds=round(load_seconds, 2),
        calls=_calls(one),
        several_calls=len(several.turn.tool_calls) > 1,
        obeys_schema=_obeys(draft.turn.content),
        read_per_second=round(draft.turn.prompt_tokens / max(draft.first_seconds, 1e-3), 1),
        write_per_second=round(speeds.turn.output_tokens / max(speeds.rest_seconds, 1e-3), 1),
    )


@dataclass(frozen=True, slots=True)
class _Timed:
    turn: Turn
    text: str
    first_seconds: float
    rest_seconds: float


async def _timed(reply: AsyncGenerator[Piece, None]) -> _Timed:
    started = time.monotonic()
    first, text, turn = 0.0, "", Turn()
    async with aclosing(reply) as pieces:
        async for piece in pieces:
            first = first or time.monotonic() - started
            if isinstance(piece, TextDelta):
                text += "" if piece.thinking else piece.text
            else:
                turn = piece
    return _Timed(turn, text, first, time.monotonic() - started - first)


def _asked(name: str) -> list[Message]:
    return [Message("system", prompt("probe_system")), Message("user", prompt(name))]


def _calls(one: _Timed) -> Calls:
    if not one.turn.tool_calls:
        return "none"
    return "as text" if one.turn.tool_calls[0].name in one.text else "as calls"


def _obeys(content: str) -> bool:
    try:
        value: Any = json.loads(content)
    except ValueError:
        return False
    return isinstance(value, dict) and value.get("colour") in _COLOURS and isinstance(value.get("count"), int)  # pyright: ignore[reportUnknownMemberType]


_TOOL: JsonSchema = {
    "type": "function",
    "function": {
        "name": "read_temperature",
        "description": "Read the temperature of one city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "Name of the city."}},
            "required": ["city"],
        },
    },
}
_SCHEMA: JsonSchema = {
    "type": "object",
    "properties": {
        "colour": {"type": "string", "enum": list(_COLOURS)},
        "count": {"type": "integer"},
    },
    "required": ["colour", "count"],
}
