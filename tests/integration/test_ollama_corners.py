"""Traps of a model server that only show in a whole run, or that no other file is about."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support import ollama_fixtures as f
from support.fake_ollama import FakeOllama, prompt_tokens
from support.model_runs import QUESTION, TOOLS, ollama, played
from support.program import PATIENCE_SECONDS, PROGRAM, environment
from support.small_workspace import small_workspace
from support.terminal import CTRL_C, Terminal

from agent.answer import Answer
from agent.errors import ModelUnavailable
from agent.events import Answered, Event, ToolFinished
from agent.messages import TextDelta
from agent.prompts import prompt
from agent.session import Session, open_session
from agent.settings import IndexSettings, ModelSettings, Settings

READY = f.said("Ready.")
NOTHING = f.said(json.dumps({"no_evidence": True, "observed": []}))
TOKEN = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7H8"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_workspace(tmp_path_factory.mktemp("shop") / "work")


@asynccontextmanager
async def session(server: FakeOllama, shop: Path, **model: Any) -> AsyncIterator[Session]:
    """On one index for all tests of this file."""
    chosen = ModelSettings(backend="ollama", base_url=server.url, **model)
    index = IndexSettings(embedder="none", data_folder=str(shop.parent / "data"))
    opened = open_session(Settings(model=chosen, index=index), shop)
    try:
        yield opened
    finally:
        await opened.aclose()


async def asked(opened: Session, question: str, *, follow_up: bool = False) -> tuple[Answer, list[Event]]:
    async with aclosing(opened.ask(question, follow_up)) as going:
        events = [event async for event in going]
    assert isinstance(events[-1], Answered)
    return events[-1].answer, events


async def test_one_request_is_in_flight_at_a_time(shop: Path):
    gate = threading.Event()
    held = f.lines(*f.CALL_IN_FINAL_LINE, before_headers=gate)
    with FakeOllama([held, READY, NOTHING]) as server:
        async with session(server, shop) as opened:
            asking = asyncio.create_task(asked(opened, "What is it?"))
            assert await asyncio.to_thread(server.waiting.wait, PATIENCE_SECONDS)
            assert len(server.chats) == 1
            gate.set()
            await asking
    assert len(server.chats) == 3


async def test_a_call_that_was_cut_off_at_the_greatest_length_is_an_empty_turn_and_is_nudged(shop: Path):
    cut = f.said("", done_reason="length", eval_count=4096)
    with FakeOllama([cut, READY, NOTHING]) as server:
        async with session(server, shop) as opened:
            await asked(opened, "What is it?")
    assert server.chats[1]["messages"][-1] == {"role": "user", "content": prompt("empty")}


async def test_a_call_that_was_only_planned_in_thinking_is_an_empty_turn_and_nudged_once(shop: Path):
    planned = f.lines(
        b'{"message":{"thinking":"I will call grep_symbol."},"done":false}', b'{"message":{},"done":true}'
    )
    with FakeOllama([planned, planned, NOTHING]) as server:
        async with session(server, shop, think=True) as opened:
            answer, _ = await asked(opened, "What is it?")
    assert [entry.tool for entry in answer.searched] == ["semantic_search"]
    assert [body["messages"][-1]["content"] for body in server.chats[1:2]] == [prompt("empty")]


async def test_a_call_that_another_tools_name_was_put_on_is_sent_back_by_its_arguments(shop: Path):
    misnamed = f.called(("read_file_lines", {"query": "grep_symbol total"}))
    with FakeOllama([misnamed, READY, NOTHING]) as server:
        async with session(server, shop) as opened:
            answer, _ = await asked(opened, "What is it?")
    assert "unknown argument `query`" in answer.searched[1].error
    assert server.chats[1]["messages"][-1]["content"].startswith("error: read_file_lines")


async def test_values_of_wrong_types_are_mended_before_the_tool_sees_them(shop: Path):
    wrong = f.called(
        ("read_file_lines", {"path": "src/shop/prices.py", "first_line": "6", "last_line": "8"}),
        ("semantic_search", {"queries": '["tax"]', "limit": "3", "path": None}),
    )
    with FakeOllama([wrong, READY, NOTHING]) as server:
        async with session(server, shop) as opened:
            answer, events = await asked(opened, "What is it?")
    assert [entry.error for entry in answer.searched] == ["", "", ""]
    assert sum(isinstance(event, ToolFinished) for event in events) == 3


async def test_an_answer_that_the_servers_parser_swallowed_is_asked_for_again_then_told(shop: Path):
    swallowed = f.said("", eval_count=80)
    with FakeOllama([READY, swallowed, swallowed]) as server:
        async with session(server, shop) as opened:
            answer, _ = await asked(opened, "What is it?")
    assert answer.status == "model_failed"
    assert server.unplayed == 0


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b'{"error":"model runner has unexpectedly stopped"}', "crashed"),
        (b'{"error":{"message":"CUDA error: out of memory"}}', "not enough memory"),
        (b'{"error":"123"}', "server failed"),
        (b'{"error":[1]}', "server failed"),
    ],
)
async def test_an_error_after_the_first_words_is_told_and_not_tried_again(line: bytes, what: str):
    with FakeOllama([f.lines(f.CONTENT_LINE, line)]) as server:
        async with ollama(server.url) as model:
            with pytest.raises(ModelUnavailable) as caught:
                await played(model.reply(QUESTION, TOOLS))
    assert what in caught.value.what
    assert len(server.chats) == 1


async def test_an_emoji_that_comes_in_pieces_is_whole_in_the_end():
    pieces = ("👩", "\u200d", "🔧 mends", " it")
    said = [
        b'{"message":{"content":%s},"done":false}' % json.dumps(piece, ensure_ascii=False).encode()
        for piece in pieces
    ]
    with FakeOllama([f.lines(*said, b'{"done":true}')]) as server:
        async with ollama(server.url) as model:
            deltas, turn = await played(model.reply(QUESTION, TOOLS))
    assert deltas == [TextDelta(piece) for piece in pieces]
    assert turn.content == "👩\u200d🔧 mends it"


async def test_two_runs_begin_with_the_very_same_bytes_so_that_the_servers_cache_serves_both(shop: Path):
    begins: list[str] = []
    for _ in range(2):
        with FakeOllama([READY, NOTHING]) as server:
            async with session(server, shop) as opened:
                await asked(opened, "What is it?")
        first = server.chats[0]
        begins.append(json.dumps([first["tools"], first["messages"][:3], first["options"]]))
    assert begins[0] == begins[1]


async def test_tools_are_few_and_no_name_of_one_stands_in_anothers(shop: Path):
    with FakeOllama([READY, NOTHING]) as server:
        async with session(server, shop) as opened:
            await asked(opened, "What is it?")
    names = [tool["function"]["name"] for tool in server.chats[0]["tools"]]
    assert len(names) <= 8
    assert all("_" in name for name in names)
    assert not any(one in other for one in names for other in names if one != other)


async def test_a_result_that_had_to_be_left_out_may_be_asked_for_again(shop: Path):
    """The window holds one of the two long results: the first is only a line when the model asks for it again."""
    for name in ("left", "right"):
        lines = "\n".join(f"{name}_{number} = {number}  # a value of some length" for number in range(130))
        (shop / f"{name}.py").write_text(lines, encoding="utf-8")
    reads = [
        f.called(("read_file_lines", {"path": f"{name}.py", "first_line": 1, "last_line": 130}))
        for name in ("left", "right", "left", "left")
    ]
    with FakeOllama([*reads, READY, NOTHING]) as server:
        async with session(server, shop, num_ctx=6_144, num_predict=256) as opened:
            answer, _ = await asked(opened, "What is `left_7`?")
    errors = [entry.error for entry in answer.searched if entry.arguments.get("path") == "left.py"]
    assert errors == ["", "", prompt("repeated")]


async def test_a_follow_up_remembers_clear_forgets_and_a_resumed_conversation_holds_no_secret(shop: Path):
    with FakeOllama([READY, NOTHING] * 4) as server:
        async with session(server, shop) as opened:
            await asked(opened, f"Is {TOKEN} a key for `gross_price`?")
            kept = opened.conversations.newest()
            assert kept is not None
            await asked(opened, "And who calls `gross_price`?", follow_up=True)
            opened.forget()
            await asked(opened, "What is it?")
            opened.resume(kept)
            await asked(opened, "And where is `gross_price`?")
    firsts = [body["messages"] for body in server.chats if "format" not in body]
    roles = [[message["role"] for message in messages[1:-2]] for messages in firsts]
    one, two = ["user"], ["user", "assistant"]
    assert roles == [one, two + one, one, two + two + one]
    for messages in firsts[1:]:
        assert TOKEN not in json.dumps(messages)


async def test_earlier_exchanges_fall_away_before_the_question_does(shop: Path):
    long = "Where is `gross_price`? " + "word " * 900
    with FakeOllama([READY, NOTHING] * 4) as server:
        async with session(server, shop, num_ctx=4_096, num_predict=256) as opened:
            for _ in range(3):
                await asked(opened, long, follow_up=True)
            await asked(opened, "And where is `gross_price` called?", follow_up=True)
    last = [body for body in server.chats if "format" not in body][-1]
    assert prompt_tokens(last) < 4_096 - 256
    users = [message["content"] for message in last["messages"] if message["role"] == "user"]
    assert users[-1] == "And where is `gross_price` called?"
    assert 1 <= len(users) < 4


def test_a_slow_first_word_shows_its_seconds_and_ctrl_c_stops_the_server(shop: Path, tmp_path: Path):
    held = f.lines(*f.THINKING_AND_ANSWER, before_headers=threading.Event())
    with FakeOllama([held]) as server:
        variables = environment(
            tmp_path / "home",
            CODEWITNESS_MODEL__BACKEND="ollama",
            CODEWITNESS_MODEL__BASE_URL=server.url,
            CODEWITNESS_INDEX__DATA_FOLDER=str(shop.parent / "data"),
        )
        terminal = Terminal([PROGRAM, "ask", "What is it?"], cwd=shop, env=variables)
        terminal.wait_for(f"waiting for {f.MODEL}  2 s".encode())
        terminal.press(CTRL_C)
        assert terminal.end() == 130
        assert server.hung_up.wait(5)
    assert b"Traceback" not in terminal.seen
