"""What goes wrong on the way to an Ollama server: each trap has its test, over a real socket."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from support import ollama_fixtures as f
from support.fake_ollama import FakeOllama, prompt_tokens
from support.model_runs import NO_PAUSE, QUESTION, SCHEMA, THINKER, TOOLS, after_call, ollama, played
from support.wire_server import Reply

from agent.backends.streams import Timeouts
from agent.errors import ModelUnavailable
from agent.messages import Message


async def failure(*script: Any, **profile: Any) -> ModelUnavailable:
    """How a reply fails that meets this script."""
    with FakeOllama(list(script)) as server:
        async with ollama(server.url, **profile) as model:
            with pytest.raises(ModelUnavailable) as caught:
                await played(model.reply(QUESTION, TOOLS))
    assert server.unplayed == 0
    assert caught.value.hint
    return caught.value


async def test_a_server_that_is_down_says_how_to_start_it():
    with FakeOllama() as server:
        pass
    async with ollama(server.url) as model:
        with pytest.raises(ModelUnavailable) as caught:
            await played(model.reply(QUESTION, TOOLS))
    assert f"`{server.url}` does not answer" in caught.value.what
    assert caught.value.cause == "connection refused"
    assert "start it" in caught.value.hint


async def test_a_clean_end_without_done_is_never_taken_for_a_reply_and_is_asked_again_warmer():
    with FakeOllama([f.F7_CLEAN_END_WITHOUT_DONE, f.F7_CLEAN_END_WITHOUT_DONE]) as server:
        async with ollama(server.url, temperature=0.2) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert (turn.content, turn.finish) == ("", "length")
    assert [body["options"]["temperature"] for body in server.chats] == [0.2, pytest.approx(0.6)]


async def test_an_empty_stream_is_a_failure():
    assert "not whole" in (await failure(Reply(body=b"", content_type=f.NDJSON))).what


async def test_a_clean_end_after_a_repetition_is_a_runaway_and_is_asked_again_without_thinking():
    looping = f.lines(b'{"message":{"thinking":"%s"},"done":false}' % (b"ok " * 80))
    with FakeOllama([looping, f.said("In `a.py`.")]) as server:
        async with ollama(server.url, think=True) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert [body["think"] for body in server.chats] == [True, False]
    assert turn.content == "In `a.py`."


async def test_a_dropped_connection_is_told_and_not_tried_again():
    assert "hung up in the middle" in (await failure(f.F6_DROPPED)).what


async def test_half_a_line_is_told_and_not_parsed():
    assert "hung up in the middle" in (await failure(f.F6_DROPPED_IN_A_LINE)).what


async def test_a_busy_server_is_asked_three_times():
    with FakeOllama([f.F9_BUSY, f.F9_BUSY, f.F1_THINKING_AND_ANSWER]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.content == "4 > 3."
    assert "is busy" in (await failure(f.F9_BUSY, f.F9_BUSY, f.F9_BUSY)).what


async def test_a_server_that_is_loading_the_model_is_waited_for():
    loading = f.error("Loading model", 503)
    with FakeOllama([loading] * 7 + [f.F1_THINKING_AND_ANSWER]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.content == "4 > 3."


async def test_a_stale_pooled_connection_is_replaced():
    with FakeOllama([f.F1_THINKING_AND_ANSWER, Reply(say_nothing=True), f.F1_THINKING_AND_ANSWER]) as server:
        async with ollama(server.url) as model:
            await played(model.reply(QUESTION, TOOLS))
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.content == "4 > 3."


async def test_a_server_that_closes_after_each_reply_is_used_again():
    once = f.lines(*f.THINKING_AND_ANSWER, keep_alive=False)
    with FakeOllama([once, once]) as server:
        async with ollama(server.url) as model:
            await played(model.reply(QUESTION, TOOLS))
            await played(model.reply(QUESTION, TOOLS))
    assert len(server.chats) == 2


async def test_silence_before_the_first_line_ends_at_its_limit():
    gate = threading.Event()
    with FakeOllama([f.lines(f.CONTENT_LINE, before_headers=gate)]) as server:
        async with ollama(server.url, timeouts=Timeouts(first_token=0.1)) as model:
            with pytest.raises(ModelUnavailable) as caught:
                await played(model.reply(QUESTION, TOOLS))
    assert "went silent" in caught.value.what
    assert "before the first word" in caught.value.cause
    assert len(server.chats) == 1


async def test_silence_between_two_lines_ends_at_its_limit():
    slow = f.lines(f.CONTENT_LINE, f.CONTENT_LINE, before_line={1: threading.Event()})
    with FakeOllama([slow]) as server:
        async with ollama(server.url, timeouts=Timeouts(between_tokens=0.1)) as model:
            with pytest.raises(ModelUnavailable) as caught:
                await played(model.reply(QUESTION, TOOLS))
    assert "between two words" in caught.value.cause


async def test_a_reply_without_end_is_cut_off_and_the_turn_is_lost_not_the_run():
    endless = f.lines(f.CONTENT_LINE, f.CONTENT_LINE, before_line={1: threading.Event()})
    with FakeOllama([endless]) as server:
        async with ollama(server.url, timeouts=Timeouts(whole_reply=0.1)) as model:
            _, turn = await played(model.answer(QUESTION, SCHEMA))
    assert (turn.content, turn.finish) == ("", "length")


async def test_endless_thinking_is_aborted_and_asked_again_without_thinking():
    thought = b'{"message":{"thinking":"%s"},"done":false}' % (b"Wait, let me look at the file again. " * 4)
    with FakeOllama([f.lines(thought, ending="never"), f.said("In `a.py`.")]) as server:
        async with ollama(server.url, think=True) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
        assert server.hung_up.wait(1)
    assert [body["think"] for body in server.chats] == [True, False]
    assert turn.content == "In `a.py`."


async def test_runaway_text_is_aborted_asked_again_warmer_and_then_the_turn_is_lost():
    text = b'{"message":{"content":"%s"},"done":false}' % (b"The function is defined in the file. " * 4)
    with FakeOllama([f.lines(text, ending="never")] * 2) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.answer(QUESTION, SCHEMA))
        assert server.hung_up.wait(1)
    assert (turn.content, turn.finish) == ("", "length")


async def test_the_servers_own_repetition_guard_counts_as_a_runaway():
    with FakeOllama([f.lines(f.CONTENT_LINE, f.REPEAT_LIMIT), f.said("Fine.")]) as server:
        async with ollama(server.url, think=True) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert turn.content == "Fine."


async def test_a_reply_that_was_all_thinking_is_asked_again_without_thinking():
    with FakeOllama([f.F12_LENGTH, f.said("Fine.")]) as server:
        async with ollama(server.url, think=True) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert [body["think"] for body in server.chats] == [True, False]
    assert (turn.content, turn.finish) == ("Fine.", "stop")


async def test_a_text_cut_at_its_length_says_so():
    with FakeOllama([f.said("The text is c", done_reason="length")]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert (turn.content, turn.finish) == ("The text is c", "length")


@pytest.mark.parametrize(
    "broken",
    [
        f.F5_ERROR_MID_STREAM,
        f.error("XML syntax error on line 3: unexpected EOF", 500),
        f.error("failed to parse JSON: invalid character", 500),
        f.error("EOF", 500),
        f.error("empty function name", 500),
    ],
    ids=["mid-stream", "xml", "json", "eof", "no name"],
)
async def test_a_malformed_call_is_asked_for_again_with_a_reminder(broken: Reply):
    with FakeOllama([broken, f.F2_TWO_CALLS]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    first, second = server.chats
    assert second["messages"][:-1] == first["messages"]
    assert "malformed" in second["messages"][-1]["content"]
    assert len(turn.tool_calls) == 2


async def test_a_model_that_only_writes_malformed_calls_loses_the_turn_not_the_run():
    with FakeOllama([f.F5_ERROR_MID_STREAM] * 3) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert (turn.content, turn.tool_calls, len(server.chats)) == ("", (), 3)


async def test_a_lost_call_is_an_empty_turn():
    with FakeOllama([f.said("", eval_count=40)]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert (turn.content, turn.tool_calls, turn.output_tokens) == ("", (), 40)


async def test_a_prompt_that_is_refused_as_too_long_is_sent_again_with_less():
    messages = list(QUESTION)
    for number in range(6):
        messages += after_call(number, "some words of prose, " * 150, ids=(f"E{number}",))
    for refusal in (f.F13_TOO_LONG, f.F13_TOO_LONG_WRAPPED):
        with FakeOllama([refusal, f.said("Fine.")]) as server:
            async with ollama(server.url, num_ctx=16_384, num_predict=512) as model:
                _, turn = await played(model.reply(messages, TOOLS))
                assert model.info.details["num_ctx"] == "4096"
        whole, less = ([len(each["content"]) for each in body["messages"]] for body in server.chats)
        assert turn.content == "Fine."
        assert sum(less) < sum(whole) * 4096 / 9000
        assert less[-1] == whole[-1]
        assert server.chats[0]["options"]["num_ctx"] == server.chats[1]["options"]["num_ctx"]


async def test_a_prompt_that_cannot_be_made_shorter_is_told_with_the_setting_to_change():
    caught = await failure(f.F13_TOO_LONG, num_predict=512)
    assert "does not fit" in caught.what
    assert "`model.num_ctx`" in caught.hint


@pytest.mark.parametrize("kept", [4, 5])
async def test_a_prompt_that_was_cut_without_a_word_is_sent_again_with_less(kept: int):
    messages = list(QUESTION)
    for number in range(6):
        messages += after_call(number, "x = compute(y)\n" * 100)
    cut = f.said("I see nothing.", prompt_eval_count=8192 - (8192 - kept) // 2)

    def whole(body: dict[str, Any]) -> Reply:
        share = prompt_tokens(body) / prompt_tokens(server.chats[0])
        return f.said("Fine.", prompt_eval_count=int(9000 * share))

    with FakeOllama([cut, whole]) as server:
        async with ollama(server.url, num_ctx=8192, num_predict=1024) as model:
            _, turn = await played(model.reply(messages, TOOLS))
    assert turn.content == "Fine."
    assert len(str(server.chats[1])) < len(str(server.chats[0]))


async def test_a_prompt_that_is_cut_again_and_again_is_an_error_not_an_answer():
    cut = f.said("I see nothing.", prompt_eval_count=8192 - (8192 - 4) // 2)
    caught = await failure(cut, num_ctx=8192, num_predict=1024)
    assert "does not fit" in caught.what


async def test_a_window_that_was_loaded_smaller_than_asked_is_noticed():
    with FakeOllama([f.said("Fine.", prompt_eval_count=100)], loaded_context=4096) as server:
        async with ollama(server.url, num_ctx=16_384) as model:
            await played(model.reply(QUESTION, TOOLS))
            assert model.info.details["num_ctx"] == "4096"


@pytest.mark.parametrize("reply", [f.error("not found", 404), Reply(body=b"<html>"), Reply(say_nothing=True)])
async def test_a_server_that_does_not_tell_its_loaded_window_is_used_all_the_same(reply: Reply):
    with FakeOllama([f.said("Fine.", prompt_eval_count=100)], others={"/api/ps": reply}) as server:
        async with ollama(server.url, num_ctx=16_384) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
            assert model.info.details["num_ctx"] == "16384"
    assert turn.content == "Fine."


async def test_a_model_that_crashes_while_it_loads_is_told():
    with FakeOllama([f.error("EOF", 500)]) as server:
        async with ollama(server.url) as model:
            with pytest.raises(ModelUnavailable, match="could not be loaded"):
                await model.preload()


async def test_a_count_that_an_old_server_leaves_out_is_no_alarm():
    with FakeOllama([f.said("Fine.")]) as server:
        async with ollama(server.url) as model:
            _, turn = await played(model.reply(QUESTION, TOOLS))
    assert (turn.content, turn.prompt_tokens) == ("Fine.", 0)


@pytest.mark.parametrize("field", ["remote_host", "remote_model"])
async def test_a_reply_from_another_computer_is_aborted(field: str):
    remote = (
        b'{"model":"x","%s":"https://ollama.com:443","message":{"content":"hi"},"done":false}'
        % field.encode()
    )
    with FakeOllama([f.lines(remote, remote, ending="never")]) as server:
        async with ollama(server.url) as model:
            with pytest.raises(ModelUnavailable) as caught:
                await played(model.reply(QUESTION, TOOLS))
        assert server.hung_up.wait(1)
    assert "does not run on this machine" in caught.value.what
    assert "https://ollama.com:443" in caught.value.cause


async def test_a_model_that_cannot_think_after_all_is_asked_without():
    refused = f.error('"qwen3.5:4b" does not support thinking', 400)
    with FakeOllama([refused, f.said("Fine."), f.said("Fine.")]) as server:
        async with ollama(server.url, card=THINKER, think=True) as model:
            await played(model.reply(QUESTION, TOOLS))
            await played(model.reply(QUESTION, TOOLS))
    assert ["think" in body for body in server.chats] == [True, False, False]


@pytest.mark.parametrize(
    ("status", "text", "what", "hint"),
    [
        (404, "model 'nope:1b' not found", "is not installed", "ollama pull"),
        (404, 'model "nope:1b" not found, try pulling it first', "is not installed", "ollama pull"),
        (404, "404 page not found", "is not installed", "ollama"),
        (400, "registry.ollama.ai/library/gemma3:4b does not support tools", "cannot call tools", "--model"),
        (400, '"nomic-embed-text" does not support chat', "no chat model", "--model"),
        (400, "json: cannot unmarshal string into Go struct field", "refused the request", "report"),
        (400, "model is required", "refused the request", "report"),
        (401, "unauthorized", "does not run on this machine", "local model"),
        (403, "ollama cloud is disabled: remote inference is unavailable", "does not run on this machine", "local"),
        (403, "", "refuses requests from here", "OLLAMA_ORIGINS"),
        (500, "model runner has unexpectedly stopped, this may be due to resource limitations", "crashed", "num_ctx"),
        (500, "model requires more system memory (9.1 GiB) than is available (6.2 GiB)", "not enough memory", "num_ctx"),
        (500, "CUDA error: out of memory", "not enough memory", "num_ctx"),
        (500, "no user query found in messages", "lost the question", "num_ctx"),
        (500, "something new", "server failed", "log"),
        (502, "bad gateway", "could not reach the model", "local model"),
        (499, "request canceled", "canceled the request", "ask again"),
        (307, "", "server failed", "log"),
    ],
)  # fmt: skip
async def test_every_error_of_the_server_has_a_message_of_its_own(
    status: int, text: str, what: str, hint: str
):
    caught = await failure(f.error(text, status))
    assert what in caught.what
    assert hint in caught.hint
    assert caught.cause


async def test_what_is_no_ollama_server_is_named():
    page = Reply(body=b"<!DOCTYPE html><title>Router</title>", content_type="text/html")
    caught = await failure(page)
    assert "is not a model server" in caught.what
    assert "<!DOCTYPE html>" in caught.cause


async def test_a_redirect_is_never_followed():
    caught = await failure(Reply(status=307, headers={"Location": "http://example.com/api/chat"}))
    assert "never followed" in caught.cause


async def test_the_question_that_fits_nowhere_is_refused_before_it_is_sent():
    with FakeOllama([]) as server:
        async with ollama(server.url, num_ctx=4096) as model:
            with pytest.raises(ModelUnavailable, match="does not fit"):
                await played(model.reply([Message("user", "word " * 5000)], TOOLS))
    assert server.chats == []


async def test_retries_never_follow_the_first_line():
    with FakeOllama([f.F6_DROPPED]) as server:
        async with ollama(server.url, timeouts=NO_PAUSE) as model:
            with pytest.raises(ModelUnavailable):
                await played(model.reply(QUESTION, TOOLS))
    assert len(server.chats) == 1
