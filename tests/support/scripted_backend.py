"""A backend that says what a test tells it to, and keeps what it was sent."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from agent.messages import BackendInfo, JsonSchema, Message, Piece, TextDelta, Turn


class ScriptedBackend:
    """Plays `turns`, then `drafts` (dicts become JSON). Asking for more than the script holds is an error."""

    def __init__(self, turns: Sequence[Turn] = (), drafts: Sequence[dict[str, Any] | str] = ()) -> None:
        self._turns = list(turns)
        self._drafts = list(drafts)
        self.sent: list[list[Message]] = []
        self.schemas: list[JsonSchema] = []
        self.closed = False

    @property
    def info(self) -> BackendInfo:
        return BackendInfo("scripted", "script")

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[JsonSchema]
    ) -> AsyncGenerator[Piece, None]:
        self.sent.append(list(messages))
        turn = self._turns.pop(0)
        if turn.content:
            yield TextDelta(turn.content)
        yield turn

    async def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        self.sent.append(list(messages))
        self.schemas.append(schema)
        draft = self._drafts.pop(0)
        yield Turn(draft if isinstance(draft, str) else json.dumps(draft), prompt_tokens=10, output_tokens=5)

    def notice(self, question: str) -> str:
        return ""

    async def aclose(self) -> None:
        self.closed = True
