"""`ExplainByRules`: plays the model's part where a failure is to be explained (history in, calls or a draft out)."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence

from agent.backends.extractive.explaining.account import Account
from agent.backends.extractive.explaining.faults import Fault
from agent.backends.extractive.explaining.look_ups import next_look_ups
from agent.backends.extractive.explaining.scene import Scene
from agent.backends.extractive.explaining.trail import Trail
from agent.backends.extractive.findings import findings_of
from agent.frames import Case
from agent.messages import BackendInfo, JsonSchema, Message, Piece, ToolCall, Turn
from agent.phrases import Phrases

_READY = "Ready to explain from what was found."


class ExplainByRules:
    """No model at all, for one case."""

    def __init__(self, info: BackendInfo, case: Case, fault: Fault, phrases: Phrases) -> None:
        """`info`: of the backend that it plays the part of; `phrases`: of the language to answer in."""
        self._info = info
        self._case = case
        self._fault = fault
        self._phrases = phrases

    @property
    def info(self) -> BackendInfo:
        return self._info

    def notice(self, question: str) -> str:
        """That no model wrote the answer."""
        return self._phrases.write("notice")

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[JsonSchema]
    ) -> AsyncGenerator[Piece, None]:
        """The next look-ups, until the trail asks for nothing new."""
        there = {schema["function"]["name"] for schema in tools}
        wanted = [one for one in next_look_ups(*self._walked(messages)) if one.tool in there]
        calls = tuple(
            ToolCall(f"rule_{len(messages)}_{at}", one.tool, one.arguments) for at, one in enumerate(wanted)
        )
        yield Turn(content="" if calls else _READY, tool_calls=calls)

    async def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        """The draft, by the schema of `agent.drafts`."""
        draft = Account(*self._walked(messages), self._phrases).draft()
        yield Turn(content=json.dumps(draft, ensure_ascii=False))

    async def aclose(self) -> None:
        """There is nothing to free: the backend that it stands for belongs to the session."""

    def _walked(self, messages: Sequence[Message]) -> tuple[Scene, Trail]:
        scene = Scene(self._case, findings_of(messages))
        trail = Trail(scene, self._fault)
        trail.walk()
        return scene, trail
