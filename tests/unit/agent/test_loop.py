"""The loop and the witness: what is asked of the model, what becomes of its answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.scripted_backend import ScriptedBackend
from support.shown_lines import BrokenSearch, ReadLines, toolbox

from agent.answer import Answer, IndexState
from agent.budget import Budget
from agent.events import Answered, ClaimVerified, ClaimWithheld, Event, ModelWrote, ToolFinished, ToolRefused
from agent.loop import run
from agent.messages import TextDelta, ToolCall, Turn
from agent.prompts import prompt
from agent.testify import Witness
from agent.transcript import Exchange, Transcript
from tools.toolbox import Toolbox
from tools.workspace import Workspace

SOURCE = "def get_user(name):\n    if not name:\n        raise ValueError('no name')\n    return load(name)\n"
DONE = Turn("I can answer now.")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "users.py").write_text(SOURCE)
    opened = Workspace(tmp_path)
    yield opened
    opened.close()


def claim(text: str, *references: str) -> dict[str, Any]:
    return {"text": text, "citations": list(references)}


def draft(*observed: dict[str, Any], **others: Any) -> dict[str, Any]:
    return {"no_evidence": False, "observed": list(observed), **others}


TRUE = claim("`get_user` raises `ValueError` when there is no name.", "E1:2-3")
TRUE_TOO = claim("`get_user` returns `load(name)`.", "E1:4")
FALSE = claim("`get_user` returns `None` when there is no name.", "E1:2-3")


async def events_of(
    backend: ScriptedBackend,
    workspace: Workspace,
    *,
    tools: Toolbox | None = None,
    budget: Budget | None = None,
    previous: Sequence[Exchange] = (),
) -> list[Event]:
    witness = Witness(workspace, lambda: IndexState(1, 1, 0.0, 0))
    transcript = Transcript("What does get_user do?", previous)
    box = tools or toolbox(workspace, "users.py")
    return [event async for event in run(transcript, backend, box, budget or Budget(), witness)]


def answer(events: list[Event]) -> Answer:
    assert isinstance(events[-1], Answered)
    assert sum(isinstance(event, Answered) for event in events) == 1
    return events[-1].answer


async def test_the_first_search_is_the_programs_own_and_the_claims_are_verified(workspace: Workspace) -> None:
    backend = ScriptedBackend([DONE], [draft(TRUE, TRUE_TOO)])
    events = await events_of(backend, workspace)
    given = answer(events)
    assert given.status == "answered"
    assert [each.citations[0].label for each in given.observed] == ["users.py:2-3", "users.py:4"]
    assert [event.claim for event in events if isinstance(event, ClaimVerified)] == list(given.observed)
    assert [(each.tool, each.arguments) for each in given.searched] == [
        ("semantic_search", {"queries": ["What does get_user do?"]})
    ]
    first = backend.sent[0]
    assert [message.role for message in first] == ["system", "user", "assistant", "tool"]
    assert "[E1] users.py" in first[-1].content


async def test_history_is_append_only(workspace: Workspace) -> None:
    calls = [
        ToolCall(f"c{n}", "read_file_lines", {"path": "users.py", "first_line": n, "last_line": n})
        for n in (1, 2)
    ]
    backend = ScriptedBackend([Turn(tool_calls=(each,)) for each in calls] + [DONE], [draft(TRUE)])
    await events_of(backend, workspace)
    for earlier, later in zip(backend.sent, backend.sent[1:], strict=False):
        assert later[: len(earlier)] == earlier


async def test_a_false_claim_goes_back_once_with_the_reason_and_may_be_mended(workspace: Workspace) -> None:
    mended = claim("`get_user` raises `ValueError` there.", "E1:2-3")
    backend = ScriptedBackend([DONE], [draft(TRUE_TOO, FALSE), draft(TRUE_TOO, mended)])
    given = answer(await events_of(backend, workspace))
    assert [each.text for each in given.observed] == [TRUE_TOO["text"], mended["text"]]
    assert given.status == "partial"
    assert [each.text for each in given.withheld] == [FALSE["text"]]
    assert "`None`" in given.withheld[0].reason
    repair = backend.sent[-1][-1].content
    assert repair.startswith(prompt("repair"))
    assert FALSE["text"] in repair
    assert "`None`" in repair
    assert TRUE_TOO["text"] not in repair


async def test_a_claim_that_fails_again_is_withheld_and_the_others_survive(workspace: Workspace) -> None:
    worse = claim("`get_user` deletes the user.", "E1:2-3")
    backend = ScriptedBackend([DONE], [draft(FALSE, TRUE), draft(FALSE, worse)])
    events = await events_of(backend, workspace)
    given = answer(events)
    assert [each.text for each in given.observed] == [TRUE["text"]]
    assert {each.text for each in given.withheld} == {FALSE["text"], worse["text"]}
    withheld = [event.withheld for event in events if isinstance(event, ClaimWithheld)]
    assert withheld == list(given.withheld)
    shown = [event.claim.text for event in events if isinstance(event, ClaimVerified)]
    assert shown == [TRUE["text"]]


async def test_when_nothing_survives_there_is_no_evidence(workspace: Workspace) -> None:
    backend = ScriptedBackend([DONE], [draft(FALSE), draft(FALSE)])
    given = answer(await events_of(backend, workspace))
    assert (given.status, given.observed, given.files_to_review) == ("no_evidence", (), ())


async def test_what_is_verified_beside_no_evidence_is_shown_and_the_rest_is_not_mended(
    workspace: Workspace,
) -> None:
    backend = ScriptedBackend([DONE], [{"no_evidence": True, "observed": [TRUE, FALSE]}])
    events = await events_of(backend, workspace)
    given = answer(events)
    assert (given.status, [each.text for each in given.observed]) == ("partial", [TRUE["text"]])
    assert [event.claim for event in events if isinstance(event, ClaimVerified)] == list(given.observed)
    assert [each.text for each in given.withheld] == [FALSE["text"]]


async def test_no_evidence_beside_nothing_that_holds_stays_no_evidence(workspace: Workspace) -> None:
    for observed in ([], [FALSE]):
        backend = ScriptedBackend([DONE], [{"no_evidence": True, "observed": observed}])
        given = answer(await events_of(backend, workspace))
        assert (given.status, given.observed) == ("no_evidence", ())


@pytest.mark.parametrize("unread", ["`get_user` raises `ValueError`, see E1.", "", '{"answer": "yes"}'])
async def test_an_answer_that_cannot_be_read_twice_is_a_failure_of_the_model(
    workspace: Workspace, unread: str
) -> None:
    backend = ScriptedBackend([DONE], [unread, unread])
    given = answer(await events_of(backend, workspace))
    assert (given.status, given.is_empty) == ("model_failed", True)
    assert "JSON" in given.withheld[0].reason
    first, again = backend.sent[-2:]
    assert again == [*first, again[-1]]
    assert again[-1].content == prompt("unreadable")


async def test_an_answer_that_can_be_read_the_second_time_is_as_good_as_any(workspace: Workspace) -> None:
    backend = ScriptedBackend([DONE], ["Sure! Here it is:", draft(TRUE)])
    given = answer(await events_of(backend, workspace))
    assert (given.status, given.withheld) == ("answered", ())


async def test_steps_and_reasons_that_name_nothing_verified_are_withheld(workspace: Workspace) -> None:
    said = draft(
        TRUE,
        steps=["Catch `ValueError` around `get_user`.", "Set `MAX_USERS` to 5.", "Deploy it."],
        files_to_review=["users.py", "/etc/passwd", "ghost.py"],
    )
    given = answer(await events_of(ScriptedBackend([DONE], [said]), workspace))
    assert given.steps == ()
    assert len(given.withheld) == 3
    said["observed"] = [claim("`get_user` raises `ValueError`.", "E1:1-3")]
    given = answer(await events_of(ScriptedBackend([DONE], [said]), workspace))
    assert given.steps == ("Catch `ValueError` around `get_user`.",)
    assert [(file.path, file.why) for file in given.files_to_review] == [
        ("users.py", "cited above: users.py:1-3")
    ]


async def test_a_broken_search_is_could_not_search_and_never_no_evidence(workspace: Workspace) -> None:
    tools = Toolbox((BrokenSearch(), ReadLines(workspace)))
    events = await events_of(ScriptedBackend([DONE]), workspace, tools=tools)
    refused = [event for event in events if isinstance(event, ToolRefused)]
    assert refused[0].broken
    given = answer(events)
    assert given.status == "could_not_search"
    assert "damaged" in given.searched[0].error


async def test_an_answer_in_spite_of_a_broken_tool_is_partial(workspace: Workspace) -> None:
    tools = Toolbox((BrokenSearch(), ReadLines(workspace)))
    read = ToolCall("c1", "read_file_lines", {"path": "users.py", "first_line": 1, "last_line": 4})
    said = claim("`ValueError` is raised when there is no `name`.", "E1:2-3")
    backend = ScriptedBackend([Turn(tool_calls=(read,)), DONE], [draft(said)])
    assert answer(await events_of(backend, workspace, tools=tools)).status == "partial"


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (ToolCall("c1", "delete_file", {"path": "users.py"}), "read_file_lines"),
        (ToolCall("c1", "read_file_lines", {"file": "users.py"}), "path"),
        (ToolCall("c1", "read_file_lines", {"path": "../secret"}), "outside"),
        (ToolCall("c1", "read_file_lines", {"path": "users.py", "first_line": 90, "last_line": 99}), "90"),
    ],
)
async def test_a_wrong_call_goes_back_to_the_model_and_the_run_goes_on(
    workspace: Workspace, call: ToolCall, told: str
) -> None:
    backend = ScriptedBackend([Turn(tool_calls=(call,)), DONE], [draft(TRUE)])
    events = await events_of(backend, workspace)
    refused = next(event for event in events if isinstance(event, ToolRefused))
    assert told in refused.reason
    assert not refused.broken
    assert backend.sent[1][-1].content == f"error: {refused.reason}"
    assert answer(events).status == "answered"


async def test_the_same_call_again_is_reminded_of_and_the_third_time_ends_the_search(
    workspace: Workspace,
) -> None:
    same = Turn(tool_calls=(ToolCall("c", "read_file_lines", {"path": "users.py"}),))
    backend = ScriptedBackend([same, same, same], [draft(TRUE)])
    events = await events_of(backend, workspace)
    assert sum(isinstance(event, ToolFinished) for event in events) == 2
    assert [event.reason for event in events if isinstance(event, ToolRefused)] == [prompt("repeated")] * 2
    assert answer(events).status == "answered"


async def test_a_call_whose_result_was_left_out_to_save_room_may_be_made_again(workspace: Workspace) -> None:
    read = [
        ToolCall(f"c{n}", "read_file_lines", {"path": "users.py", "first_line": line, "last_line": 4})
        for n, line in enumerate((1, 2, 1, 1))
    ]
    turns = [Turn(tool_calls=(call,)) for call in read]
    turns[2] = Turn(tool_calls=(read[2],), left_out=frozenset({"c0"}))
    turns[3] = Turn(tool_calls=(read[3],), left_out=frozenset({"c0"}))
    backend = ScriptedBackend([*turns, DONE], [draft(TRUE)])
    events = await events_of(backend, workspace)
    assert [event.call.id for event in events if isinstance(event, ToolFinished)][1:] == ["c0", "c1", "c2"]
    (refused,) = [event for event in events if isinstance(event, ToolRefused)]
    assert (refused.call.id, refused.reason) == ("c3", prompt("repeated"))


async def test_of_a_flood_of_calls_in_one_turn_only_the_first_are_made(workspace: Workspace) -> None:
    flood = tuple(
        ToolCall(f"c{n}", "read_file_lines", {"path": "users.py", "first_line": 1 + n // 30, "last_line": n})
        for n in range(1, 31)
    )
    again = Turn(tool_calls=(replace(flood[20], id="again"),))
    backend = ScriptedBackend([Turn(tool_calls=flood), again, DONE], [draft(TRUE)])
    given = answer(await events_of(backend, workspace))
    assert sum(each.error == prompt("too_many") for each in given.searched) == 22
    assert [message.call for message in backend.sent[1][-30:]] == list(flood)
    assert given.usage.tool_calls == 10


async def test_an_empty_turn_is_nudged_once(workspace: Workspace) -> None:
    backend = ScriptedBackend([Turn(), Turn()], [draft(TRUE)])
    await events_of(backend, workspace)
    assert backend.sent[1][-1].content == prompt("empty")
    assert len(backend.sent) == 3


async def test_a_spent_budget_still_asks_for_the_answer(workspace: Workspace) -> None:
    calls = (
        Turn(tool_calls=(ToolCall(f"c{n}", "read_file_lines", {"path": "users.py", "last_line": n}),))
        for n in (1, 2)
    )
    backend = ScriptedBackend(list(calls), [draft(TRUE)])
    given = answer(await events_of(backend, workspace, budget=Budget(max_turns=2)))
    assert (given.status, given.budget_spent) == ("partial", "turns")
    assert given.usage.model_turns == 3
    assert given.usage.tool_calls == 3


async def test_nothing_shown_means_no_draft_is_asked_for(workspace: Workspace) -> None:
    given = answer(await events_of(ScriptedBackend([DONE]), workspace, tools=toolbox(workspace)))
    assert given.status == "no_evidence"


async def test_the_schema_admits_exactly_the_ids_that_were_shown(workspace: Workspace) -> None:
    read = ToolCall("c1", "read_file_lines", {"path": "users.py", "first_line": 2, "last_line": 3})
    backend = ScriptedBackend([Turn(tool_calls=(read,)), DONE], [draft(TRUE)])
    await events_of(backend, workspace)
    citation = backend.schemas[0]["properties"]["observed"]["items"]["properties"]["citations"]["items"]
    assert citation["properties"]["evidence"]["enum"] == ["E1", "E2"]


async def test_evidence_of_an_earlier_question_cannot_be_cited(workspace: Workspace) -> None:
    previous = [Exchange("Who?", "`load` (users.py:4)")]
    backend = ScriptedBackend(
        [DONE], [draft(claim("`load` is called.", "E7")), draft(claim("`load` it is.", "users.py:9"))]
    )
    given = answer(await events_of(backend, workspace, previous=previous))
    assert [message.content for message in backend.sent[0][1:3]] == ["Who?", "`load` (users.py:4)"]
    assert given.status == "no_evidence"
    assert all("not shown" in each.reason for each in given.withheld)


async def test_lines_that_change_while_the_model_thinks_fell_the_claim(
    workspace: Workspace, tmp_path: Path
) -> None:
    class Editing(ScriptedBackend):
        """Edits the file before it answers."""

        async def answer(self, messages: Any, schema: Any) -> Any:
            (tmp_path / "users.py").write_text(SOURCE.replace("ValueError", "KeyError"))
            async for piece in super().answer(messages, schema):
                yield piece

    given = answer(await events_of(Editing([DONE], [draft(TRUE), draft(TRUE)]), workspace))
    assert given.status == "no_evidence"
    assert "stale" in given.withheld[0].reason


class Streaming(ScriptedBackend):
    """Writes its drafts in small pieces; what a draft's text begins with and is not JSON counts as a try that was dropped."""

    async def answer(self, messages: Any, schema: Any) -> Any:
        async for turn in super().answer(messages, schema):
            for at in range(0, len(turn.content), 7):
                yield TextDelta(turn.content[at : at + 7])
            yield Turn(turn.content.rpartition("\x1e")[2])


def names(events: list[Event]) -> list[str]:
    """The claims as they appeared, and `|` for each piece of text in between."""
    shown = [
        event.claim.text if isinstance(event, ClaimVerified) else "|"
        for event in events
        if isinstance(event, ClaimVerified | ModelWrote)
    ]
    return [text for at, text in enumerate(shown) if text != "|" or shown[:at][-1:] != ["|"]]


async def test_a_claim_appears_as_soon_as_it_is_written_and_only_once(workspace: Workspace) -> None:
    events = await events_of(Streaming([DONE], [draft(TRUE, TRUE_TOO)]), workspace)
    assert names(events) == ["|", TRUE["text"], "|", TRUE_TOO["text"], "|"]
    assert [each.text for each in answer(events).observed] == [TRUE["text"], TRUE_TOO["text"]]


async def test_a_false_claim_in_a_stream_never_appears_and_goes_back_once(workspace: Workspace) -> None:
    backend = Streaming([DONE], [draft(FALSE, TRUE), draft(FALSE)])
    events = await events_of(backend, workspace)
    assert names(events) == ["|", TRUE["text"], "|"]
    assert [each.text for each in answer(events).withheld] == [FALSE["text"]]


async def test_what_was_verified_stays_when_the_draft_is_cut_in_the_middle(workspace: Workspace) -> None:
    events = await events_of(Streaming([DONE], [json.dumps(draft(TRUE, TRUE_TOO))[:-40]]), workspace)
    given = answer(events)
    assert [each.text for each in given.observed] == [TRUE["text"]]
    assert given.status == "partial"
    assert "JSON" in given.withheld[0].reason


async def test_a_draft_that_is_begun_anew_is_read_whole_at_its_end(workspace: Workspace) -> None:
    begun = json.dumps(draft(TRUE))[:-30]
    events = await events_of(Streaming([DONE], [begun + "\x1e" + json.dumps(draft(TRUE_TOO))]), workspace)
    assert [each.text for each in answer(events).observed] == [TRUE_TOO["text"]]
