from __future__ import annotations

from typing import Any

import pytest
from support.model_runs import QUESTION, TOOLS, after_call

from agent.backends.recovery import MalformedCall, OnlyThought, Request
from agent.backends.turns import RawCall, Spoken

REQUEST = Request(tuple(QUESTION), tuple(TOOLS))


@pytest.mark.parametrize(
    ("arguments", "wanted"), [({"a": 1}, {"a": 1}), ('{"a": 1}', {"a": 1}), ("", {}), (None, {}), ({}, {})]
)
def test_arguments_become_an_object(arguments: object, wanted: dict[str, Any]):
    (call,) = Spoken(calls=[RawCall("a", "semantic_search", arguments)]).turn(REQUEST).tool_calls
    assert call.arguments == wanted


@pytest.mark.parametrize("arguments", ['{"a": ', "[1]", [1], 3, '"text"'])
def test_arguments_that_are_no_object_are_malformed(arguments: object):
    with pytest.raises(MalformedCall):
        Spoken(calls=[RawCall("a", "semantic_search", arguments)]).turn(REQUEST)


def test_a_call_without_a_name_is_malformed():
    with pytest.raises(MalformedCall):
        Spoken(calls=[RawCall("a", "", {})]).turn(REQUEST)


def test_ids_are_unique_in_the_whole_conversation():
    request = Request((*QUESTION, *after_call(0, "x"), *after_call(1, "y")), tuple(TOOLS))
    calls = [RawCall(id_, "semantic_search", {}) for id_ in ("", "call_1", "mine", "mine", "")]
    ids = [call.id for call in Spoken(calls=calls).turn(request).tool_calls]
    assert ids[2] == "mine"
    assert len({*ids, "call_0", "call_1"}) == 7


def test_a_structured_call_beats_one_in_the_text():
    text = '<tool_call>{"name": "read_file_lines", "arguments": {}}</tool_call>'
    turn = Spoken(content=text, calls=[RawCall("a", "semantic_search", {})]).turn(REQUEST)
    assert [call.name for call in turn.tool_calls] == ["semantic_search"]
    assert turn.content == text


def test_an_answer_by_schema_holds_no_calls_whatever_it_looks_like():
    text = '{"name": "semantic_search", "arguments": {}}'
    turn = Spoken(content=text).turn(Request(tuple(QUESTION), schema={"type": "object"}))
    assert (turn.content, turn.tool_calls) == (text, ())


def test_a_reply_cut_inside_its_thinking_is_only_thought():
    with pytest.raises(OnlyThought):
        Spoken(thinking="hm", was_cut=True).turn(REQUEST)
    with pytest.raises(OnlyThought):
        Spoken(content="<think>hm", was_cut=True).turn(REQUEST)
