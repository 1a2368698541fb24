"""A run whose seconds are over while the model still writes: the reply is ended, the run comes to its own end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from pathlib import Path

import pytest
from support import fake_openai as o
from support.fake_openai import FakeOpenAI
from support.model_runs import openai
from support.scripted_backend import ScriptedBackend
from support.shown_lines import toolbox

from agent.answer import Answer, IndexState
from agent.backends.base import Backend
from agent.budget import Budget
from agent.events import Answered, ClaimVerified, Event
from agent.loop import run
from agent.messages import JsonSchema, Message, Piece, TextDelta, ToolCall, Turn
from agent.testify import Witness
from agent.transcript import Transcript
from tools.workspace import Workspace

SOURCE = "def get_user(name):\n    if not name:\n        raise ValueError('no name')\n    return load(name)\n"
HELD = {"text": "`get_user` raises `ValueError` when there is no name.", "citations": ["E1:2-3"]}
INVENTED = {"text": "`get_user` returns `None` when there is no name.", "citations": ["E1:2-3"]}
ENDLESS = o.events(o.delta({"content": "Let me see."}), o.delta({}), ending="never")


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Endless(ScriptedBackend):
    """Writes the beginning of a draft; then time passes, and it never gets to the end."""

    def __init__(self, clock: Clock, written: str, turns: Sequence[Turn] = ()) -> None:
        super().__init__(turns)
        self.asked = 0
        self._clock = clock
        self._written = written

    async def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        self.asked += 1
        try:
            yield TextDelta(self._written)
            self._clock.now += 1_000
            while True:
                yield TextDelta(" ")
        finally:
            self.closed = True


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "users.py").write_text(SOURCE)
    opened = Workspace(tmp_path)
    yield opened
    opened.close()


async def events_of(backend: Backend, workspace: Workspace, budget: Budget) -> list[Event]:
    witness = Witness(workspace, lambda: IndexState(1, 1, 0.0, 0))
    running = run(
        Transcript("What does get_user do?"), backend, toolbox(workspace, "users.py"), budget, witness
    )
    return [event async for event in running]


def answer(events: Sequence[Event]) -> Answer:
    assert isinstance(events[-1], Answered)
    return events[-1].answer


async def test_replies_that_never_end_are_hung_up_on_and_the_run_says_why_it_has_no_answer(
    workspace: Workspace,
) -> None:
    with FakeOpenAI([ENDLESS, ENDLESS]) as server:
        async with openai(server.url) as model:
            given = answer(await events_of(model, workspace, Budget(max_seconds=0.3)))
        assert await asyncio.to_thread(server.hung_up.wait, 5)
    assert len(server.chats) == 2, "the answer was asked for once, with what the first search found"
    assert "response_format" in server.chats[1]
    assert (given.status, given.budget_spent, given.is_empty) == ("model_failed", "seconds", True)
    assert [each.reason for each in given.withheld] == ["the time was up before the model's answer was whole"]


async def test_an_answer_is_made_of_what_was_found_when_a_reply_never_ends(workspace: Workspace) -> None:
    clock = Clock()

    def late(_: object) -> o.Reply:
        clock.now = 100.0
        return ENDLESS

    draft = json.dumps({"no_evidence": False, "observed": [HELD]})
    with FakeOpenAI([late, o.said(draft)]) as server:
        async with openai(server.url) as model:
            given = answer(await events_of(model, workspace, Budget(max_seconds=12.0, clock=clock)))
    assert (given.status, given.budget_spent) == ("partial", "seconds")
    assert [claim.text for claim in given.observed] == [HELD["text"]]


async def test_what_was_verified_before_an_answer_ran_out_of_time_stands(workspace: Workspace) -> None:
    clock = Clock()
    written = json.dumps({"no_evidence": False, "observed": [HELD, INVENTED, HELD]})[:-30]
    backend = Endless(clock, written, [Turn("I can answer now.")])
    events = await events_of(backend, workspace, Budget(max_seconds=12.0, clock=clock))
    given = answer(events)
    assert (given.status, given.budget_spent, backend.asked, backend.closed) == (
        "partial",
        "seconds",
        1,
        True,
    )
    assert [claim.text for claim in given.observed] == [HELD["text"]]
    assert [event.claim for event in events if isinstance(event, ClaimVerified)] == list(given.observed)
    assert INVENTED["text"] in [each.text for each in given.withheld], "judged, and not sent back any more"


async def test_calls_that_time_is_up_for_are_refused_each_by_its_id(workspace: Workspace) -> None:
    clock = Clock()

    class Late(ScriptedBackend):
        async def reply(
            self, messages: Sequence[Message], tools: Sequence[JsonSchema]
        ) -> AsyncGenerator[Piece, None]:
            async for piece in super().reply(messages, tools):
                clock.now = 100.0
                yield piece

    calls = tuple(ToolCall(f"c{n}", "read_file_lines", {"path": "users.py"}) for n in (1, 2))
    backend = Late([Turn(tool_calls=calls)], [{"no_evidence": False, "observed": [HELD]}])
    given = answer(await events_of(backend, workspace, Budget(max_seconds=12.0, clock=clock)))
    assert (given.status, given.usage.tool_calls) == ("partial", 1)
    assert [message.call for message in backend.sent[1][-3:-1]] == list(calls)
