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

from agent.backends.connect import connect_openai
from agent.backends.streams import Timeouts
from agent.errors import ModelUnavailable
from agent.messages import Message, TextDelta, ToolCall
from agent.settings import ModelSettings


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


async def test_an_answer_carries_the_tools_of_its_conversation_as_its_prefix():
    with FakeOpenAI([o.said("Ready."), o.said("{}"), o.said("{}")]) as server:
        async with openai(server.url) as model:
            await played(model.reply(QUESTION, TOOLS))
            await played(model.answer([*QUESTION, Message("user", "Now answer.")], SCHEMA))
            await played(model.answer([QUESTION[1]], SCHEMA))
    turn, answer, other = server.chats
    assert "tool_choice" not in turn
    assert (answer["tools"], answer["tool_choice"]) == (TOOLS, "none")
    assert answer["response_format"]["type"] == "json_schema"
    assert not {"tools", "tool_choice"} & other.keys(), "it does not go on with that conversation"


@pytest.mark.parametrize("status", [400, 500])
async def test_a_server_that_takes_no_tools_beside_a_schema_is_asked_without_them(status: int):
    refusal = o.failed("Cannot use custom grammar constraints with tools.", status)
    with FakeOpenAI([o.said("Ready."), refusal, o.said("{}"), o.said("{}")]) as server:
        async with openai(server.url) as model:
            await played(model.reply(QUESTION, TOOLS))
            for _ in range(2):
                _, turn = await played(model.answer(QUESTION, SCHEMA))
                assert turn.content == "{}"
    assert ["tools" in body for body in server.chats] == [True, True, False, False]


# -- a prompt that was cut, or refused ---------------------------------------------------------------------------

LONG = [*QUESTION, *(message for n in range(6) for message in after_call(n, "some words of prose, " * 150))]
"""Some 5,500 tokens."""


def sizes(server: FakeOpenAI) -> list[int]:
    return [len(json.dumps(body["messages"])) for body in server.chats]


@pytest.mark.parametrize("counted", [2_050, 2_051])
async def test_a_prompt_cut_in_its_middle_is_told_by_the_count_and_sent_again_with_less(counted: int):
    with FakeOpenAI([o.said("Wrong.", read=counted), o.said("Right.", read=1_600)]) as server:
        async with openai(server.url, max_tokens=512) as model:
            _, turn = await played(model.reply(LONG, TOOLS))
    whole, less = sizes(server)
    assert turn.content == "Right."
    assert less < whole * 0.7, "the window of 4,096 tokens is known by now"


async def test_a_prompt_that_lost_whole_messages_counts_far_less_than_it_must():
    with FakeOpenAI([o.said("Wrong.", read=1_900), o.said("Right.", read=1_800)]) as server:
        async with openai(server.url, max_tokens=512) as model:
            _, turn = await played(model.reply(LONG, TOOLS))
    assert turn.content == "Right."
    assert sizes(server)[1] < sizes(server)[0]


async def test_a_count_that_does_not_grow_with_the_conversation_is_an_alarm():
    more = [*LONG, *after_call(6, "more words of prose, " * 150)]
    script = [o.said("Right.", read=4_000), o.said("Wrong.", read=4_010), o.said("Right.", read=3_500)]
    with FakeOpenAI(script) as server:
        async with openai(server.url, max_tokens=512) as model:
            for messages in (LONG, more):
                _, turn = await played(model.reply(messages, TOOLS))
    assert turn.content == "Right."
    assert sizes(server)[2] < sizes(server)[1]


async def test_a_server_that_cuts_whatever_it_is_sent_is_told_and_not_asked_for_ever():
    with FakeOpenAI([o.said("Wrong.", read=120)] * 3) as server:
        async with openai(server.url, max_tokens=512) as model:
            with pytest.raises(ModelUnavailable) as caught:
                await played(model.reply(LONG, TOOLS))
    assert "does not fit" in caught.value.what
    assert len(server.chats) <= 3


async def test_a_short_prompt_and_a_template_that_drops_the_tools_are_no_alarm():
    with FakeOpenAI([o.said("Right.", read=30), o.said("Right.", read=3_600)]) as server:
        async with openai(server.url) as model:
            await played(model.reply(QUESTION, TOOLS * 20))
            _, turn = await played(model.reply(LONG, TOOLS * 20))
    assert turn.content == "Right."


async def test_a_reply_that_fills_the_window_tells_how_large_it_is():
    full = o.said("The text is c", finish="length", read=3_900, written=196)
    with FakeOpenAI([full, o.said("Right.", read=2_500)]) as server:
        async with openai(server.url, max_tokens=1_024) as model:
            _, turn = await played(model.reply(LONG, TOOLS))
    assert turn.content == "Right."
    assert sizes(server)[1] < sizes(server)[0]


async def test_a_servers_own_limit_for_replies_is_not_taken_for_a_full_window():
    cut = o.said("The text is c", finish="length", read=3_900, written=500)
    with FakeOpenAI([cut]) as server:
        async with openai(server.url, max_tokens=1_024) as model:
            _, turn = await played(model.reply(LONG, TOOLS))
    assert turn.finish == "length"


@pytest.mark.parametrize(
    "said",
    [
        "request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it",
        "This model's maximum context length is 4096 tokens. However, your request has 9000 input tokens",
        "The decoder prompt (length 9000) is longer than the maximum model length of 4096.",
        "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context "
        "length of only 4096 tokens, which is not enough.",
    ],
    ids=["llama.cpp", "vLLM", "vLLM, its engine", "LM Studio"],
)
async def test_every_servers_refusal_of_a_long_prompt_is_known_with_its_sizes(said: str):
    for refusal in (o.failed(said, 400), o.events(o.event({"error": {"message": said, "code": 400}}))):
        with FakeOpenAI([refusal, o.said("Right.", read=1_500)]) as server:
            async with openai(server.url, max_tokens=512) as model:
                _, turn = await played(model.reply(LONG, TOOLS))
        assert turn.content == "Right."
        assert sizes(server)[1] < sizes(server)[0] * 4096 / 9000


async def test_a_refusal_that_only_its_code_explains_is_understood():
    refusal = o.json_reply({"error": {"message": "Bad request.", "code": "context_length_exceeded"}}, 400)
    with FakeOpenAI([refusal, o.said("Right.", read=3_300)]) as server:
        async with openai(server.url, max_tokens=512) as model:
            _, turn = await played(model.reply(LONG, TOOLS))
    assert turn.content == "Right."


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Where is the token refreshed?", "does not count"),
        ("¿Dónde se renueva el token?", "no cuenta"),
        ("Onde é renovado o token?", "não conta"),
        ("トークンはどこで更新されますか？", "報告しない"),
    ],
)
async def test_a_server_without_counts_is_named_once(question: str, words: str):
    with FakeOpenAI([o.events(o.delta({"content": "Yes."}, "stop"), o.DONE)]) as server:
        async with openai(server.url) as model:
            assert model.notice(question) == ""
            await played(model.reply(QUESTION, TOOLS))
            assert words in model.notice(question)
            assert model.notice(question) == ""


@pytest.mark.parametrize(
    "entry", [{"max_model_len": 4096}, {"meta": {"n_ctx": 4096}}], ids=["vLLM", "llama.cpp"]
)
async def test_the_window_that_a_server_lists_is_kept_to(entry: dict[str, Any]):
    with FakeOpenAI([o.said("Right.", read=1_500)], models=[{"id": "local-model", **entry}]) as server:
        model = await connect_openai(ModelSettings(openai_base_url=server.url, num_predict=512), {})
        await played(model.reply(LONG, TOOLS))
        await model.aclose()
    assert sizes(server)[0] < len(json.dumps(LONG[-1].content)) * 6


async def test_half_a_character_in_the_conversation_does_not_stop_the_next_request():
    said = Message("assistant", "halves \ud83d" + "\ude00 and a lone \ud800 one")
    with FakeOpenAI([o.said("ok")]) as server:
        async with openai(server.url) as model:
            await played(model.reply([*QUESTION, said, Message("user", "go on")], TOOLS))
    assert server.chats[0]["messages"][-2]["content"] == "halves 😀 and a lone \ufffd one"


@pytest.mark.parametrize("count", ["abc", [1], -(10**18), 10**18, 1.5, True, None])
async def test_a_count_that_is_none_counts_nothing(count):
    odd = o.event({"choices": [], "usage": {"prompt_tokens": count, "completion_tokens": count}})
    reply = o.events(o.delta({"role": "assistant", "content": "ok"}), o.delta({}, "stop"), odd, o.DONE)
    with FakeOpenAI([reply]) as server:
        async with openai(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert (turn.content, turn.prompt_tokens, turn.output_tokens) == ("ok", 0, 0)
