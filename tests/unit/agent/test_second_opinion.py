"""The second opinion: asked once for all claims, it can take claims away and nothing else."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.scripted_backend import ScriptedBackend
from support.shown_lines import toolbox

from agent.answer import Answer, IndexState
from agent.budget import Budget
from agent.errors import ModelUnavailable
from agent.events import Answered, ClaimVerified, ClaimWithheld, Event
from agent.loop import run
from agent.messages import BackendInfo, JsonSchema, Message, Piece, Turn
from agent.prompts import prompt
from agent.second_opinion import SecondOpinion, is_wanted
from agent.testify import Witness
from agent.transcript import Transcript
from tools.workspace import Workspace

SOURCE = "def get_user(name):\n    if not name:\n        raise ValueError('no name')\n    return load(name)\n"
RAISES = {"text": "`get_user` raises `ValueError` without a `name`.", "citations": ["E1:2-3"]}
SWAPPED = {"text": "`get_user` never calls `load`.", "citations": ["E1:4"]}
UNHELD = {"text": "`get_user` stores it in Redis.", "citations": ["E1:4"]}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "users.py").write_text(SOURCE)
    opened = Workspace(tmp_path)
    yield opened
    opened.close()


def draft(*observed: dict[str, Any]) -> dict[str, Any]:
    return {"no_evidence": False, "observed": list(observed)}


async def events_of(
    backend: ScriptedBackend, workspace: Workspace, mode: SecondOpinion = "on", budget: Budget | None = None
) -> list[Event]:
    witness = Witness(workspace, lambda: IndexState(1, 1, 0.0, 0), mode)
    transcript = Transcript("What does get_user do?")
    given = run(transcript, backend, toolbox(workspace, "users.py"), budget or Budget(), witness)
    return [event async for event in given]


def answer(events: list[Event]) -> Answer:
    assert isinstance(events[-1], Answered)
    return events[-1].answer


def shown(events: list[Event]) -> list[str]:
    return [event.claim.text for event in events if isinstance(event, ClaimVerified)]


def script(*drafts: dict[str, Any] | str) -> ScriptedBackend:
    return ScriptedBackend([Turn("I can answer now.")], drafts)


async def test_a_claim_that_it_opposes_is_withheld_and_never_shown(workspace: Workspace) -> None:
    opinion = {"statement_1": "supports", "statement_2": "does not support"}
    backend = script(draft(RAISES, SWAPPED), opinion)
    events = await events_of(backend, workspace)
    given = answer(events)
    assert shown(events) == [claim.text for claim in given.observed] == [RAISES["text"]]
    assert [(each.text, "second opinion" in each.reason) for each in given.withheld] == [
        (SWAPPED["text"], True)
    ]
    assert [event.withheld for event in events if isinstance(event, ClaimWithheld)] == list(given.withheld)
    assert given.status == "partial"


async def test_it_is_asked_once_for_all_with_the_lines_and_without_the_conversation(
    workspace: Workspace,
) -> None:
    backend = script(draft(RAISES, SWAPPED), {"statement_1": "supports", "statement_2": "supports"})
    await events_of(backend, workspace)
    asked, schema = backend.sent[-1], backend.schemas[-1]
    assert [message.role for message in asked] == ["system", "user"]
    assert asked[0].content == prompt("second_opinion")
    assert RAISES["text"] in asked[1].content
    assert "|     return load(name)" in asked[1].content
    assert asked[1].content.startswith("<<data ")
    assert schema["required"] == ["statement_1", "statement_2"]


async def test_it_cannot_rescue_what_the_verifier_refused(workspace: Workspace) -> None:
    backend = script(draft(UNHELD), draft(UNHELD), {"statement_1": "supports"})
    events = await events_of(backend, workspace)
    assert shown(events) == []
    assert answer(events).status == "no_evidence"
    assert len(backend.schemas) == 2


@pytest.mark.parametrize(
    "opinion",
    [
        {"statement_1": "cannot tell"},
        {"statement_1": "no"},
        {},
        {"statement_9": "does not support"},
        "not JSON",
        "[1]",
        "[" * 100_000,
    ],
)
async def test_what_is_no_clear_objection_changes_nothing(workspace: Workspace, opinion: Any) -> None:
    events = await events_of(script(draft(RAISES), opinion), workspace)
    assert shown(events) == [RAISES["text"]]
    assert answer(events).status == "answered"


async def test_when_all_is_opposed_there_is_no_evidence(workspace: Workspace) -> None:
    events = await events_of(script(draft(SWAPPED), {"statement_1": "does not support"}), workspace)
    assert (answer(events).status, shown(events)) == ("no_evidence", [])


async def test_a_model_that_is_gone_by_then_leaves_the_verified_claims(workspace: Workspace) -> None:
    class Leaving(ScriptedBackend):
        """Answers once."""

        async def answer(
            self, messages: Sequence[Message], schema: JsonSchema
        ) -> AsyncGenerator[Piece, None]:
            if "statement_1" in json.dumps(schema):
                raise ModelUnavailable("the model left", cause="it is gone", hint="start it")
            async for piece in super().answer(messages, schema):
                yield piece

    events = await events_of(Leaving([Turn("I can answer now.")], [draft(RAISES)]), workspace)
    assert shown(events) == [RAISES["text"]]


async def test_it_is_charged_to_the_budget(workspace: Workspace) -> None:
    budget = Budget()
    await events_of(script(draft(RAISES), {"statement_1": "supports"}), workspace, budget=budget)
    assert budget.turns == 3


@pytest.mark.parametrize(
    ("mode", "backend", "wanted"),
    [
        ("auto", BackendInfo("ollama", "qwen3:8b"), True),
        ("auto", BackendInfo("ollama", "qwen2.5-coder:14b-instruct"), True),
        ("auto", BackendInfo("ollama", "qwen3:latest"), True),
        ("auto", BackendInfo("ollama", "qwen3:4b"), False),
        ("auto", BackendInfo("ollama", "qwen3:0.6b"), False),
        ("auto", BackendInfo("llamacpp", "/models/SmolLM2-135M-Instruct.gguf"), False),
        ("auto", BackendInfo("extractive"), False),
        ("on", BackendInfo("extractive"), False),
        ("on", BackendInfo("ollama", "qwen3:4b"), True),
        ("off", BackendInfo("ollama", "qwen3:32b"), False),
    ],
)
def test_which_model_is_asked(mode: SecondOpinion, backend: BackendInfo, wanted: bool) -> None:
    assert is_wanted(mode, backend, Budget()) == wanted


def test_auto_does_without_it_when_the_budget_is_short() -> None:
    budget = Budget(max_tokens=100)
    budget.charge(Turn(prompt_tokens=70, output_tokens=10))
    assert not is_wanted("auto", BackendInfo("ollama", "qwen3:8b"), budget)
    assert is_wanted("on", BackendInfo("ollama", "qwen3:8b"), budget)
