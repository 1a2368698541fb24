"""`Extractive`: plays the model's part in the loop, from the conversation alone (history in, calls or a draft out)."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence

from agent.backends.extractive.draft import write_draft
from agent.backends.extractive.findings import Findings, findings_of
from agent.backends.extractive.plan import Lookup, next_lookups
from agent.messages import BackendInfo, JsonSchema, Message, Piece, ToolCall, Turn
from agent.question import Question, QuestionReader

_READY = "Ready to answer from what was found."


class Extractive:
    """No model at all. It needs nothing but the tools' results."""

    def __init__(self) -> None:
        self._reader = QuestionReader()

    @property
    def info(self) -> BackendInfo:
        return BackendInfo("extractive")

    def notice(self, question: str) -> str:
        """That no model wrote the answer, in the question's language."""
        return self._reader.phrases[self._reader.read(question).language].write("notice")

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[JsonSchema]
    ) -> AsyncGenerator[Piece, None]:
        """The next lookups that the rules ask for, if any of the tools are there."""
        question, findings = self._read(messages)
        there = {schema["function"]["name"] for schema in tools}
        lookups = [lookup for lookup in next_lookups(question, findings) if lookup.tool in there]
        calls = tuple(_call(lookup, len(messages), at) for at, lookup in enumerate(lookups))
        yield Turn(content="" if calls else _READY, tool_calls=calls)

    async def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        """The draft; `schema` is the one that `write_draft` is written for."""
        question, findings = self._read(messages)
        draft = write_draft(question, findings, self._reader.phrases[question.language])
        yield Turn(content=json.dumps(draft, ensure_ascii=False))

    async def aclose(self) -> None:
        """There is nothing to free."""

    def _read(self, messages: Sequence[Message]) -> tuple[Question, Findings]:
        asked = _asked_at(messages)
        earlier = [message.content for message in messages[:asked] if message.role in ("user", "assistant")]
        question = self._reader.read(messages[asked].content if messages else "", earlier)
        return question, findings_of(messages[asked + 1 :])


def _asked_at(messages: Sequence[Message]) -> int:
    """Where the question stands: the last thing a person said that the program searched for right away.

    What the loop says to a model later ("now give your answer") has the same role.
    """
    asked = [index for index, message in enumerate(messages) if message.role == "user"]
    searched = [index for index in asked if index + 1 < len(messages) and _searches_for(messages, index)]
    return (searched or asked or [0])[-1]


def _searches_for(messages: Sequence[Message], index: int) -> bool:
    question = messages[index].content
    return any(question in call.arguments.get("queries", ()) for call in messages[index + 1].tool_calls)


def _call(lookup: Lookup, position: int, at: int) -> ToolCall:
    return ToolCall(f"rule_{position}_{at}", lookup.tool, lookup.arguments)
