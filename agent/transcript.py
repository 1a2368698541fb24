"""The record of one run: the model's messages, the evidence and the audit of what was searched are views of it.

History is append-only and in a stable order, so a server's prefix cache is reused from turn to turn.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agent.answer import Searched
from agent.events import ToolFinished, ToolRefused
from agent.fence import defuse, fence, new_boundary
from agent.ledger import Ledger
from agent.messages import Message, ToolCall, Turn
from agent.prompts import prompt
from tools.show import show
from tools.tool import ToolResult


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question of the conversation with the text of its answer."""

    question: str
    answer: str


class Transcript:
    """Everything that was said and shown in one run."""

    def __init__(self, question: str, previous: Sequence[Exchange] = (), *, told: str = "") -> None:
        """`told` is what a model is told in place of the bare question."""
        self.question = question
        self.ledger = Ledger()
        self.searched: list[Searched] = []
        self.broken: list[str] = []
        """Tools that could not work, with why: their silence is no proof of absence."""
        self._boundary = new_boundary()
        self._calls: dict[str, list[str]] = {}
        """The ids of equal calls, in order."""
        self._messages = [Message("system", prompt("system"))]
        for exchange in previous:
            self._messages += [
                Message("user", exchange.question),
                Message("assistant", defuse(exchange.answer)),
            ]
        self._messages.append(Message("user", told or question))

    def messages(self) -> list[Message]:
        """The conversation so far."""
        return list(self._messages)

    def add_turn(self, turn: Turn) -> None:
        """Record one reply of the model."""
        self._messages.append(Message("assistant", turn.content, turn.tool_calls, turn.thinking))

    def add_user(self, text: str) -> None:
        """Record what the program says to the model."""
        self._messages.append(Message("user", text))

    def times_asked(self, call: ToolCall, left_out: Collection[str] = ()) -> int:
        """How often this very call was made, this time included, since its result was last `left_out`."""
        key = json.dumps([call.name, call.arguments], sort_keys=True, default=str)
        asked = self._calls.setdefault(key, [])
        if asked and asked[0] in left_out:
            asked.clear()
        asked.append(call.id)
        return len(asked)

    def add_result(
        self, call: ToolCall, result: ToolResult, seconds: float, reranked: str = ""
    ) -> ToolFinished:
        """Record what a tool found; its evidence is numbered here."""
        ids = self.ledger.add(result.evidence)
        content = fence(result.for_model(ids), self._boundary)
        self._messages.append(Message("tool", content, call=call, result=result.as_json(ids)))
        arguments = dict(call.arguments)
        self.searched.append(
            Searched(call.name, arguments, result.count, result.truncated, reranked=reranked)
        )
        shown = tuple(zip(ids, result.evidence, strict=True))
        return ToolFinished(call, result.count, result.truncated, seconds, shown, reranked)

    def add_refusal(self, call: ToolCall, reason: str, *, broken: bool) -> ToolRefused:
        """Record that a call was wrong, was a repetition, or that its tool could not work (`broken`)."""
        content = f"error: {defuse(show(reason))}"  # it may name what is in the repository
        self._messages.append(Message("tool", content, call=call, result={"error": reason}))
        self.searched.append(Searched(call.name, dict(call.arguments), 0, False, error=reason))
        if broken:
            self.broken.append(f"{call.name}: {reason}")
        return ToolRefused(call, reason, broken)
