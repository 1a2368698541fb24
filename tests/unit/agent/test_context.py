from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.model_runs import QUESTION, TOOLS, after_call

from agent.context import DoesNotFit, evidence_ids, fit, left_out, message_tokens, schema_tokens
from agent.messages import Message, ToolCall


def tokens(messages: list[Message]) -> float:
    return sum(map(message_tokens, messages))


def conversation(*sizes: int) -> list[Message]:
    messages = list(QUESTION)
    for number, size in enumerate(sizes):
        text = "\n".join(["<<data", *(f"line {number} {at}" for at in range(size)), "data>>"])
        messages += after_call(
            number, text, ids=(f"E{2 * number + 1}", f"E{2 * number + 2}"), thinking=f"plan {number}"
        )
    return messages


def test_what_fits_is_not_touched():
    messages = conversation(20, 20)
    assert fit(messages, 100_000) == messages


def test_the_oldest_results_shrink_to_one_line_with_their_ids():
    messages = conversation(100, 100, 100, 10)
    kept = fit(messages, tokens(messages) - 200)
    assert [message.role for message in kept] == [message.role for message in messages]
    assert kept[3].content.startswith("[left out to save room: E1, E2.")
    assert kept[2].thinking == ""
    assert kept[-1] == messages[-1]
    assert kept[:2] == messages[:2]


def test_what_was_left_out_is_known_by_its_call_and_what_was_only_cut_is_not():
    messages = conversation(300, 2000)
    assert left_out(messages, fit(messages, 100_000)) == frozenset()
    assert left_out(messages, fit(messages, 1500)) == {"call_0"}


def test_a_result_without_ids_shrinks_to_the_name_of_its_tool():
    call = ToolCall("a", "list_files", {})
    listing = Message("tool", "src/a.py\n" * 500, call=call, result={"files": []})
    messages = [*QUESTION, Message("assistant", "", (call,)), listing, *after_call(1, "x")]
    assert "a result of `list_files`" in fit(messages, tokens(messages) - 500)[3].content


def test_a_short_refusal_is_left_as_it_is():
    call = ToolCall("a", "read_file_lines", {})
    refusal = Message("tool", "error: no such file", call=call, result={"error": "no such file"})
    messages = [*QUESTION, Message("assistant", "", (call,)), refusal, *after_call(1, "x\n" * 400)]
    assert refusal in fit(messages, tokens(messages) - 50)


def test_one_shrink_makes_room_for_several_turns():
    messages = conversation(*[60] * 12)
    room = tokens(messages[:14])
    sent = [fit(messages[:at], room) for at in range(4, len(messages) + 1, 2)]
    broken = [at for at in range(1, len(sent)) if sent[at][: len(sent[at - 1])] != sent[at - 1]]
    assert broken
    assert all(later - earlier > 1 for earlier, later in pairwise(broken))


def test_earlier_exchanges_fall_away_when_shrinking_is_not_enough():
    earlier = [Message("user", "word " * 300), Message("assistant", "word " * 300)]
    messages = [QUESTION[0], *earlier, *conversation(100)[1:]]
    kept = fit(messages, tokens(messages) - 200)
    assert kept == [QUESTION[0], *conversation(100)[1:]]


def test_thinking_of_earlier_questions_is_not_sent():
    earlier = [Message("user", "What is it?"), Message("assistant", "A cache.", thinking="hm")]
    kept = fit([QUESTION[0], *earlier, *conversation(3)[1:]], 100_000)
    assert kept[2].thinking == ""
    assert kept[4].thinking == "plan 0"


def test_the_newest_result_is_cut_at_a_line_and_its_fence_stays_closed():
    messages = conversation(10, 2000)
    kept = fit(messages, 1500)
    *lines, end, note = kept[-1].content.split("\n")
    assert lines == messages[-1].content.split("\n")[: len(lines)]
    assert (end, note.startswith("[cut here")) == ("data>>", True)
    assert 1300 < tokens(kept) <= 1500


def test_a_question_that_does_not_fit_is_told_with_both_numbers():
    with pytest.raises(DoesNotFit) as caught:
        fit([Message("system", "s"), Message("user", "word " * 1000)], 500)
    assert (caught.value.needed, caught.value.room) == (1445, 500)


def test_code_costs_more_than_prose_and_other_scripts_a_token_each():
    assert message_tokens(Message("tool", "a" * 350)) > message_tokens(Message("user", "a" * 350))
    assert message_tokens(Message("user", "キャッシュはどこ")) == 8 + 8
    assert schema_tokens(TOOLS) > 50


def test_ids_are_found_wherever_they_stand():
    result = {
        "id": "E1",
        "definitions": [{"id": "E2"}],
        "hits": [{"id": "E3", "inner": {"id": "E4"}}],
        "text": "E9",
    }
    assert list(evidence_ids(result)) == ["E1", "E2", "E3", "E4"]


@given(st.lists(st.integers(0, 200), min_size=1, max_size=12), st.integers(600, 6000))
def test_whatever_comes_back_fits_and_holds_system_question_and_every_call(sizes: list[int], room: int):
    messages = conversation(*sizes)
    try:
        kept = fit(messages, room)
    except DoesNotFit:
        return
    assert tokens(kept) <= room
    assert kept[:2] == messages[:2]
    assert [message.tool_calls for message in kept] == [message.tool_calls for message in messages]
    assert fit(kept, room) == kept


@given(st.lists(st.integers(0, 60), min_size=1, max_size=12))
def test_a_longer_conversation_shrinks_at_least_what_a_shorter_one_did(sizes: list[int]):
    messages = conversation(*sizes)
    shrunk = [
        {
            at
            for at, message in enumerate(fit(messages[:end], 1200))
            if message.content.startswith("[left out")
        }
        for end in range(4, len(messages) + 1, 2)
    ]
    assert all(earlier <= later for earlier, later in pairwise(shrunk))
