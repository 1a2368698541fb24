"""The real OpenAI-style backend over a real socket."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import Any

import pytest
from support import fake_openai as o
from support.fake_openai import FakeOpenAI
from support.model_runs import QUESTION, SCHEMA, TOOLS, after_call, openai, played
from support.wire_server import Reply

from agent.backends.streams import Timeouts
from agent.errors import ModelUnavailable
from agent.messages import Message, TextDelta, ToolCall


async def failure(*script: Any, **how: Any) -> ModelUnavailable:
    """How a reply fails that meets this script."""
    with FakeOpenAI(list(script), key=how.pop("wanted_key", "")) as server:
        async with openai(server.url, **how) as model:
            with pytest.raises(ModelUnavailable) as caught:
                await played(model.reply(QUESTION, TOOLS))
    assert caught.value.hint
    return caught.value


async def test_text_comes_as_it_is_written_and_the_usage_is_counted():
    with FakeOpenAI([o.said("In `a.py`.")]) as server:
        async with openai(server.url) as model:
            deltas, turn = await played(model.reply(QUESTION, TOOLS))
    assert "".join(delta.text for delta in deltas) == turn.content == "In `a.py`."
    assert (turn.prompt_tokens, turn.output_tokens, turn.finish) == (100, 7, "stop")
    (body,) = server.chats
    assert (body["stream"], body["stream_options"], body["tools"]) == (True, {"include_usage": True}, TOOLS)


async def test_calls_that_come_in_pieces_are_joined_by_their_index():
    first, second = ("semantic_search", {"query": "token"}), ("read_file_lines", {"path": "a.py"})
    with FakeOpenAI([o.called(first, second)]) as server:
        async with openai(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.tool_calls == (ToolCall("id_0", *first), ToolCall("id_1", *second))


async def test_arguments_go_out_as_text_and_results_by_the_id_of_their_call():
    with FakeOpenAI([o.said("ok")]) as server:
        async with openai(server.url) as model:
            await played(model.reply([*QUESTION, *after_call(0, "shown")], TOOLS))
    assistant, result = server.chats[0]["messages"][2:]
    (call,) = assistant["tool_calls"]
    assert (call["id"], call["type"]) == ("call_0", "function")
    assert json.loads(call["function"]["arguments"]) == {"query": "question 0"}
    assert result == {"role": "tool", "tool_call_id": "call_0", "content": "shown"}


async def test_an_answer_is_asked_for_by_schema_and_without_tools():
    with FakeOpenAI([o.said('{"no_evidence": true}')]) as server:
        async with openai(server.url, temperature=0.0, seed=3) as model:
            _, turn = await played(model.answer(QUESTION, SCHEMA))
    (body,) = server.chats
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA},
    }
    assert "tools" not in body
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0.0, 3, 4096)
    assert json.loads(turn.content) == {"no_evidence": True}


async def test_reasoning_is_thinking_and_is_not_sent_back():
    reply = o.events(o.delta({"reasoning_content": "Hm."}), o.delta({"content": "Yes."}, "stop"), o.DONE)
    with FakeOpenAI([reply, o.said("ok")]) as server:
        async with openai(server.url) as model:
            deltas, turn = await played(model.reply(QUESTION, TOOLS))
            said = Message("assistant", turn.content, thinking=turn.thinking)
            await played(model.reply([*QUESTION, said], TOOLS))
    assert deltas == [TextDelta("Hm.", True), TextDelta("Yes.")]
    assert server.chats[1]["messages"][-1] == {"role": "assistant", "content": "Yes."}


async def test_a_missing_done_is_fine_after_a_finish_reason_and_a_failure_without_one():
    finished = o.events(o.delta({"content": "Yes."}), o.delta({}, "stop"))
    with FakeOpenAI([finished]) as server:
        async with openai(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.content == "Yes."
    assert "not whole" in (await failure(o.events(o.delta({"content": "Yes."})))).what


async def test_a_missing_usage_counts_nothing():
    with FakeOpenAI([o.events(o.delta({"content": "Yes."}, "stop"), o.DONE)]) as server:
        async with openai(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert (turn.prompt_tokens, turn.output_tokens) == (0, 0)


async def test_comments_names_of_events_and_carriage_returns_are_no_data():
    reply = o.events(
        b": ping\r\n\r\n",
        b"event: message\r\ndata: " + o.delta({"content": "Yes."}, "stop")[6:-2] + b"\r\n\r\n",
        o.DONE,
    )
    with FakeOpenAI([reply]) as server:
        async with openai(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.content == "Yes."


async def test_a_reply_cut_at_its_length_says_so():
    with FakeOpenAI([o.said("The text is c", finish="length")]) as server:
        async with openai(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.finish == "length"


async def test_arguments_that_are_no_json_are_asked_for_again():
    broken = o.events(
        o.delta(
            {
                "tool_calls": [
                    {
                        "index": 0,
                        "id": "a",
                        "function": {"name": "semantic_search", "arguments": '{"query": '},
                    }
                ]
            }
        ),
        o.delta({}, "tool_calls"),
        o.DONE,
    )
    with FakeOpenAI([broken, o.called(("semantic_search", {"query": "x"}))]) as server:
        async with openai(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert "malformed" in server.chats[1]["messages"][-1]["content"]
    assert len(turn.tool_calls) == 1


async def test_tools_that_a_template_dropped_leave_a_call_in_the_text_which_is_recovered():
    text = '<tool_call>\n{"name": "semantic_search", "arguments": {"query": "x"}}\n</tool_call>'
    with FakeOpenAI([o.said(text)]) as server:
        async with openai(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert [(call.name, call.arguments) for call in turn.tool_calls] == [("semantic_search", {"query": "x"})]


@pytest.mark.parametrize("field", [b"data", b"error"])
async def test_an_error_in_the_stream_is_told(field: bytes):
    error = field + b': {"error": {"code": 500, "message": "slot unavailable"}}\n\n'
    caught = await failure(o.events(o.delta({"content": "Yes"}), error))
    assert "slot unavailable" in caught.cause


@pytest.mark.parametrize(
    ("status", "what"),
    [
        (401, "refused the key"),
        (404, "has no `local-model`"),
        (400, "refused the request"),
        (429, "no more requests"),
    ],
)
async def test_each_refusal_has_a_message_of_its_own(status: int, what: str):
    assert what in (await failure(o.failed("no", status))).what


async def test_the_key_is_sent_once_and_never_shown_even_when_the_server_repeats_it():
    with FakeOpenAI([o.said("ok")], key="sk-right") as server:
        async with openai(server.url, key="sk-right") as model:
            await played(model.reply(QUESTION, TOOLS))
    assert [request.headers["authorization"] for request in server.requests] == ["Bearer sk-right"]
    caught = await failure(key="sk-wrong", wanted_key="sk-right")
    assert "Incorrect API key" in caught.cause
    assert "sk-wrong" not in f"{caught} {caught.cause} {caught.hint} {caught.__cause__}"


async def test_a_prompt_that_is_too_long_is_sent_again_with_less():
    messages = list(QUESTION)
    for number in range(6):
        messages += after_call(number, "some words of prose, " * 150)
    refusal = o.failed(
        "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens", 400
    )
    with FakeOpenAI([refusal, o.said("Fine.", read=1_500)]) as server:
        async with openai(server.url, max_tokens=512) as model:
            _, turn = await played(model.reply(messages, TOOLS))
    whole, less = (len(json.dumps(body["messages"])) for body in server.chats)
    assert (turn.content, less < whole * 4096 / 9000) == ("Fine.", True)


async def test_a_model_that_is_still_loading_is_waited_for():
    with FakeOpenAI([*[o.failed("Loading model", 503)] * 5, o.said("Fine.")]) as server:
        async with openai(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.content == "Fine."


async def test_a_server_that_greets_at_once_still_has_the_long_limit_for_its_first_word():
    reply = o.events(o.delta({"role": "assistant"}), o.delta({"content": "Yes."}, "stop") + o.DONE)
    with FakeOpenAI([reply]) as server:
        async with openai(server.url, timeouts=Timeouts(first_token=20.0, between_tokens=0.0)) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.content == "Yes."


async def test_closing_the_iterator_hangs_up_at_once():
    with FakeOpenAI([o.events(o.delta({"content": "Yes"}), ending="never")]) as server:
        async with openai(server.url) as model:
            async with aclosing(model.reply(QUESTION, TOOLS)) as pieces:
                await anext(pieces)
            assert await asyncio.to_thread(server.hung_up.wait, 1)


async def test_a_dropped_connection_is_told():
    caught = await failure(o.events(o.delta({"content": "Yes"}), ending="drop"))
    assert "hung up in the middle" in caught.what


async def test_a_redirect_is_never_followed():
    caught = await failure(Reply(status=301, headers={"Location": "https://example.com/v1/chat/completions"}))
    assert "never followed" in caught.cause
