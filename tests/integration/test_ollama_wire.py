"""The real Ollama backend over a real socket: what goes out, and what is read of what comes in."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import aclosing
from itertools import pairwise

import pytest
from support import ollama_fixtures as f
from support.fake_ollama import FakeOllama
from support.model_runs import PLAIN, QUESTION, SCHEMA, TOOLS, after_call, ollama, played

from agent.messages import Message, TextDelta, ToolCall

LOAD_OPTIONS = ("num_ctx", "num_batch")


async def test_thinking_and_text_come_as_they_are_written_and_the_turn_is_last():
    with FakeOllama([f.F1_THINKING_AND_ANSWER]) as server:
        async with ollama(server.url, think=True) as model:
            deltas, turn = await played(model.reply(QUESTION, TOOLS))
    assert deltas == [
        TextDelta("Short ", True),
        TextDelta("thought.", True),
        TextDelta("4 > 3"),
        TextDelta("."),
    ]
    assert (turn.content, turn.thinking, turn.tool_calls) == ("4 > 3.", "Short thought.", ())
    assert (turn.prompt_tokens, turn.output_tokens, turn.finish) == (120, 9, "stop")


async def test_parallel_calls_of_separate_lines_keep_their_ids_and_order():
    with FakeOllama([f.F2_TWO_CALLS]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.tool_calls == (
        ToolCall("call_ab12cd34", "semantic_search", {"query": "token refresh", "limit": 3}),
        ToolCall(
            "call_ef56gh78", "read_file_lines", {"path": "src/auth.py", "first_line": 1, "last_line": 40}
        ),
    )


async def test_a_call_in_the_done_line_is_read():
    with FakeOllama([f.F3_CALL_IN_FINAL_LINE]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.tool_calls == (ToolCall("abc", "semantic_search", {}),)


async def test_a_missing_or_repeated_call_id_is_replaced_by_one_of_our_own():
    first = b'{"message":{"tool_calls":[{"function":{"name":"semantic_search","arguments":{"query":"a"}}}]},"done":false}'
    used = b'{"message":{"tool_calls":[{"id":"call_0","function":{"name":"semantic_search","arguments":{}}}]},"done":true}'
    with FakeOllama([f.lines(first, used)]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply([*QUESTION, *after_call(0, "shown")], TOOLS))
    ids = [call.id for call in turn.tool_calls]
    assert len({*ids, "call_0"}) == 3
    assert all(ids)


async def test_a_call_written_as_text_is_recovered():
    with FakeOllama([f.F4_CALL_AS_TEXT]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    (call,) = turn.tool_calls
    assert (call.name, call.arguments) == ("semantic_search", {"query": "token refresh"})


async def test_a_call_written_as_text_that_a_tool_result_holds_is_text():
    shown = (
        "docs/x.md\n<·function=semantic_search>\n<·parameter=query>\ntoken refresh\n</parameter>\n</function>"
    )
    with FakeOllama([f.F4_CALL_AS_TEXT]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply([*QUESTION, *after_call(0, shown)], TOOLS))
    assert turn.tool_calls == ()
    assert "<function=semantic_search>" in turn.content


async def test_a_call_in_thinking_is_never_made():
    thinking = '<tool_call>{"name": "semantic_search", "arguments": {"query": "x"}}</tool_call>'
    with FakeOllama([f.said("Done.", thinking=thinking)]) as server:
        async with ollama(server.url, think=True) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert (turn.tool_calls, turn.content) == ((), "Done.")


async def test_a_stray_end_of_thinking_is_cut_off_the_text():
    with FakeOllama([f.said("Let me see. </think>\n\nIt is in a.py.")]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert (turn.content, turn.thinking) == ("It is in a.py.", "Let me see.")


async def test_every_chat_call_carries_the_same_load_profile_the_preload_included():
    with FakeOllama() as server:
        async with ollama(server.url, num_ctx=8192, num_batch=256, keep_alive="9m") as model:
            await model.preload()
            await played(model.reply(QUESTION, TOOLS))
            await played(model.reply([*QUESTION, *after_call(0, "x")], TOOLS))
            await played(model.answer(QUESTION, SCHEMA))
    assert len(server.chats) == 4
    for body in server.chats:
        assert {key: body["options"][key] for key in LOAD_OPTIONS} == {"num_ctx": 8192, "num_batch": 256}
        assert (body["truncate"], body["shift"], body["keep_alive"]) == (False, False, "9m")
        assert body["options"]["num_predict"] == 4096
        assert body["stream"] is True


async def test_temperature_and_seed_are_sent_only_when_they_are_set():
    with FakeOllama() as server:
        async with ollama(server.url) as model:
            await played(model.reply(QUESTION, TOOLS))
        async with ollama(server.url, temperature=0.0, seed=7) as model:
            await played(model.reply(QUESTION, TOOLS))
    silent, told = (body["options"] for body in server.chats)
    assert not {"temperature", "seed"} & set(silent)
    assert (told["temperature"], told["seed"]) == (0.0, 7)


async def test_the_window_is_never_asked_for_beyond_what_the_model_was_trained_for():
    card = type(PLAIN)(PLAIN.name, PLAIN.capabilities, trained_context=4096)
    with FakeOllama() as server:
        async with ollama(server.url, card=card, num_ctx=16384) as model:
            await played(model.reply(QUESTION, TOOLS))
    assert server.chats[0]["options"]["num_ctx"] == 4096


async def test_an_answer_carries_the_tools_of_its_conversation_as_its_prefix_and_does_not_think():
    with FakeOllama([f.F2_TWO_CALLS, f.said('{"no_evidence": true}')]) as server:
        async with ollama(server.url, think="high") as model:
            await played(model.reply(QUESTION, TOOLS))
            _, turn = await played(model.answer(QUESTION, SCHEMA))
    asked, answered = server.chats
    assert "format" not in asked
    assert (asked["tools"], asked["think"]) == (TOOLS, "high")
    assert (answered["format"], answered["tools"], answered["think"]) == (SCHEMA, TOOLS, False)
    assert json.loads(turn.content) == {"no_evidence": True}


async def test_an_answer_that_tools_led_astray_is_asked_for_without_them_ever_after():
    called = f.called(("semantic_search", {"query": "x"}))
    with FakeOllama([f.said("Ready."), called, f.said("{}"), f.said("{}")]) as server:
        async with ollama(server.url) as model:
            await played(model.reply(QUESTION, TOOLS))
            for _ in range(2):
                await played(model.answer(QUESTION, SCHEMA))
            await played(model.answer([QUESTION[1]], SCHEMA))
    assert ["tools" in body for body in server.chats] == [True, True, False, False]


async def test_an_answer_to_something_else_carries_no_tools():
    with FakeOllama([f.said("Ready."), f.said("{}")]) as server:
        async with ollama(server.url) as model:
            await played(model.reply(QUESTION, TOOLS))
            await played(model.answer([QUESTION[1]], SCHEMA))
    assert "tools" not in server.chats[1]


async def test_think_is_always_said_to_a_thinking_model_since_unset_means_true():
    with FakeOllama() as server:
        async with ollama(server.url, think=False) as model:
            await played(model.reply(QUESTION, TOOLS))
    assert server.chats[0]["think"] is False


async def test_think_is_never_said_to_a_model_without_the_capability():
    with FakeOllama() as server:
        async with ollama(server.url, card=PLAIN, think=True) as model:
            await played(model.reply(QUESTION, TOOLS))
            await played(model.answer(QUESTION, SCHEMA))
    assert all("think" not in body for body in server.chats)


async def test_calls_are_echoed_with_object_arguments_no_text_and_results_in_call_order():
    calls = (
        ToolCall("a", "semantic_search", {"query": "x"}),
        ToolCall("b", "read_file_lines", {"path": "a.py"}),
    )
    messages = [
        *QUESTION,
        Message("assistant", "I will search.", calls, "First the search."),
        Message("tool", "one", call=calls[0], result={}),
        Message("tool", "two", call=calls[1], result={}),
    ]
    with FakeOllama() as server:
        async with ollama(server.url) as model:
            await played(model.reply(messages, TOOLS))
    assistant, first, second = server.chats[0]["messages"][2:]
    assert (assistant["content"], assistant["thinking"]) == ("", "First the search.")
    assert [call["function"]["arguments"] for call in assistant["tool_calls"]] == [
        {"query": "x"},
        {"path": "a.py"},
    ]
    assert [call["id"] for call in assistant["tool_calls"]] == ["a", "b"]
    assert first == {"role": "tool", "content": "one", "tool_name": "semantic_search", "tool_call_id": "a"}
    assert second == {"role": "tool", "content": "two", "tool_name": "read_file_lines", "tool_call_id": "b"}


async def test_each_request_extends_the_one_before_byte_for_byte():
    messages = list(QUESTION)
    with FakeOllama() as server:
        async with ollama(server.url, think=True) as model:
            for number in range(5):
                messages += after_call(number, f"result {number}", thinking=f"thought {number}")
                await played(model.reply(messages, TOOLS))
    bodies = [request.body for request in server.requests if request.path == "/api/chat"]
    for shorter, longer in pairwise(bodies):
        (head, rest), (next_head, next_rest) = (body.split(b'],"stream"', 1) for body in (shorter, longer))
        assert next_head.startswith(head)
        assert next_rest == rest


async def test_no_key_and_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch):
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    monkeypatch.setenv("OLLAMA_API_KEY", "secret")
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    with FakeOllama() as server:
        async with ollama(server.url) as model:
            await played(model.reply(QUESTION, TOOLS))
    assert server.paths("GET") == ["/api/ps"]
    assert all("authorization" not in request.headers for request in server.requests)


async def test_a_line_may_be_split_anywhere_and_hold_characters_that_end_lines_elsewhere():
    line = '{"message":{"content":"a\x85b\u2028c"},"done":true}\n'.encode()
    pieces = f.Reply(lines=[line[at : at + 1] for at in range(len(line))], content_type=f.NDJSON)
    with FakeOllama([pieces]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.content == "a\x85b\u2028c"


async def test_blank_lines_are_skipped():
    with FakeOllama([f.lines(f.CONTENT_LINE, b"", b"  ", f.THINKING_AND_ANSWER[-1])]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.content == "4 > 3"


async def test_headers_that_come_with_the_first_line_are_waited_for():
    gate = threading.Event()
    reply = f.lines(*f.THINKING_AND_ANSWER, before_headers=gate)
    with FakeOllama([reply]) as server:
        async with ollama(server.url) as model:
            asked = asyncio.create_task(played(model.reply(QUESTION, TOOLS)))
            assert await asyncio.to_thread(server.waiting.wait, 10)
            assert not asked.done()
            gate.set()
            _, turn = await asked
    assert turn.content == "4 > 3."


async def test_closing_the_iterator_hangs_up_at_once():
    with FakeOllama([f.lines(f.CONTENT_LINE, f.CONTENT_LINE, ending="never")]) as server:
        async with ollama(server.url) as model:
            async with aclosing(model.reply(QUESTION, TOOLS)) as pieces:
                assert await anext(pieces) == TextDelta("4 > 3")
            assert await asyncio.to_thread(server.hung_up.wait, 1)
    assert [request.path for request in server.hang_ups] == ["/api/chat"]


async def test_cancelling_before_the_first_line_hangs_up_at_once():
    reply = f.lines(*f.THINKING_AND_ANSWER, before_headers=threading.Event())
    with FakeOllama([reply]) as server:
        async with ollama(server.url) as model:
            asked = asyncio.create_task(played(model.reply(QUESTION, TOOLS)))
            assert await asyncio.to_thread(server.waiting.wait, 10)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            assert await asyncio.to_thread(server.hung_up.wait, 1)


async def test_the_status_line_names_model_host_and_window():
    with FakeOllama() as server:
        async with ollama(server.url, num_ctx=8192) as model:
            info = model.info
    assert (info.name, info.model, info.host) == ("ollama", f.MODEL, f"127.0.0.1:{server.port}")
    assert info.details == {"num_ctx": "8192"}
