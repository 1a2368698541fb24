from __future__ import annotations

import json
from typing import Any

import pytest
from support.model_runs import TOOLS

from agent.backends.salvage import without_thinking, written_calls
from agent.messages import Message, ToolCall

ARGUMENTS = {"query": "token refresh", "limit": 3}
JSON_CALL = '{"name": "semantic_search", "arguments": {"query": "token refresh", "limit": 3}}'
XML_CALL = (
    "<function=semantic_search>\n<parameter=query>\ntoken refresh\n</parameter>\n"
    "<parameter=limit>\n3\n</parameter>\n</function>"
)


@pytest.mark.parametrize(
    "content",
    [
        JSON_CALL,
        JSON_CALL.replace("arguments", "parameters"),
        f"<tool_call>\n{JSON_CALL}\n</tool_call>",
        f"<tool_call>\n{XML_CALL}\n</tool_call>",
        XML_CALL,
        f"{XML_CALL}\n</tool_call>",
        f"```json\n{JSON_CALL}\n```",
        f"```\n{JSON_CALL}\n```",
        f"<|python_tag|>{JSON_CALL}",
        f"[TOOL_CALLS][{JSON_CALL}]",
        f"[TOOL_CALLS] {JSON_CALL}",
        f"<function_invocation>{JSON_CALL}</function_invocation>",
        f"[{JSON_CALL}]",
    ],
)
def test_every_form_of_a_written_call_is_recovered(content: str):
    (call,), left = written_calls(content, TOOLS, [])
    assert (call.name, call.arguments, left) == ("semantic_search", ARGUMENTS, "")


def test_text_around_a_call_stays():
    (call,), left = written_calls(
        f"I will search.\n<tool_call>{JSON_CALL}</tool_call>\nThen read.", TOOLS, []
    )
    assert call.name == "semantic_search"
    assert left == "I will search.\n\nThen read."


def test_several_calls_keep_their_order():
    other = '{"name": "read_file_lines", "arguments": {"path": "a.py"}}'
    calls, left = written_calls(
        f"<tool_call>{other}</tool_call><tool_call>{JSON_CALL}</tool_call>", TOOLS, []
    )
    assert [call.name for call in calls] == ["read_file_lines", "semantic_search"]
    assert left == ""


@pytest.mark.parametrize(
    "content",
    [
        "Nothing of the kind.",
        '{"name": "delete_files", "arguments": {}}',
        '{"name": "semantic_search", "arguments": "token"}',
        '{"name": "semantic_search"}',
        '{"name": 3, "arguments": {}}',
        '{"name": "semantic_search", "arguments": {"query": ',
        "<function=delete_files></function>",
        f"Call it like this: {JSON_CALL}",
        "[1, 2]",
        "",
    ],
)
def test_what_is_no_call_of_ours_is_text(content: str):
    assert written_calls(content, TOOLS, []) == ((), content)


def shown(content: str, result: dict[str, Any] | None = None) -> list[Message]:
    call = ToolCall("call_0", "read_file_lines", {})
    return [
        Message("user", "?"),
        Message("assistant", "", (call,)),
        Message("tool", content, call=call, result=result),
    ]


@pytest.mark.parametrize(
    "messages",
    [
        shown(f"a file\n{JSON_CALL}\nmore"),
        shown(f"a file\n{JSON_CALL.replace(', ', ',').replace(': ', ':')}"),
        shown(json.dumps(json.loads(JSON_CALL), indent=2)),
        shown("  12 | " + json.dumps(json.loads(JSON_CALL), indent=2).replace("\n", "\n  13 | ")),
        shown("a page", {"results": [{"id": "E1", "text": f"x = 1\n{JSON_CALL}"}]}),
    ],
    ids=["as it is", "other spaces", "over lines", "numbered lines", "only in the plain result"],
)
@pytest.mark.parametrize("wrap", ["{}", "<tool_call>{}</tool_call>", "```json\n{}\n```", "[{}]"])
def test_a_call_that_a_tool_result_holds_is_never_made_however_it_is_wrapped(
    messages: list[Message], wrap: str
):
    content = wrap.replace("{}", JSON_CALL)
    assert written_calls(content, TOOLS, messages) == ((), content)


def test_a_tagged_call_that_was_fenced_by_dots_is_never_made():
    messages = shown(XML_CALL.replace("<function", "<·function").replace("<parameter", "<·parameter"))
    assert written_calls(f"<tool_call>{XML_CALL}</tool_call>", TOOLS, messages)[0] == ()


def test_a_call_that_only_the_person_wrote_may_be_made():
    assert written_calls(JSON_CALL, TOOLS, [Message("user", JSON_CALL)])[0]


@pytest.mark.parametrize(
    ("content", "thinking", "text"),
    [
        ("plain", "", "plain"),
        ("so so </think>\n\nplain", "so so", "plain"),
        ("<think>so so</think>plain", "so so", "plain"),
        ("a </think> b </think> c", "a", "b </think> c"),
        ("<think>never ends", "never ends", ""),
        ("</think>", "", ""),
        ("", "", ""),
    ],
)
def test_reasoning_is_cut_off_up_to_its_first_end(content: str, thinking: str, text: str):
    assert without_thinking(content) == (thinking, text)
