"""A whole question on a small codebase: the real session and the real backend, with an Ollama server that is scripted."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from support import ollama_fixtures as f
from support.fake_ollama import FakeOllama, prompt_tokens
from support.small_workspace import small_workspace
from support.wire_server import Reply

from agent.answer import Answer
from agent.errors import ModelUnavailable
from agent.events import Answered, ModelWrote
from agent.session import Session, open_session
from agent.settings import IndexSettings, ModelSettings, Settings

QUESTION = "Where is the total price computed?"


@asynccontextmanager
async def session(server: FakeOllama, tmp_path: Path, **model: Any) -> AsyncIterator[Session]:
    settings = Settings(
        model=ModelSettings(base_url=server.url, **model),
        index=IndexSettings(embedder="none", data_folder=str(tmp_path / "data")),
    )
    opened = open_session(settings, small_workspace(tmp_path / "shop"))
    try:
        yield opened
    finally:
        await opened.aclose()


async def answer(opened: Session) -> Answer:
    answers: list[Answer] = []
    async with aclosing(opened.ask(QUESTION)) as events:
        async for event in events:
            if isinstance(event, Answered):
                answers.append(event.answer)
    return answers[-1]


def draft(body: dict[str, Any]) -> Reply:
    """One claim that holds and one that names what the lines do not, citing the first evidence there is."""
    claim = body["format"]["properties"]["observed"]["items"]
    ids = claim["properties"]["citations"]["items"]["properties"]["evidence"]["enum"]
    observed = [{"text": "`total` is defined here", "citations": [{"evidence": id_}]} for id_ in ids] + [
        {"text": "`launch_missiles` is called", "citations": [{"evidence": ids[0]}]}
    ]
    return f.said(
        json.dumps({"no_evidence": False, "observed": observed}), prompt_eval_count=prompt_tokens(body)
    )


async def test_the_model_drives_the_tools_and_only_verified_claims_reach_the_answer(tmp_path: Path):
    script = [f.called(("grep_symbol", {"name": "total"})), f.said("Ready."), draft, draft]
    with FakeOllama(script) as server:
        async with session(server, tmp_path) as opened:
            found = await answer(opened)
    assert (found.backend.name, found.backend.model) == ("ollama", f.MODEL)
    assert [entry.tool for entry in found.searched] == ["semantic_search", "grep_symbol"]
    assert found.observed
    assert all("launch_missiles" not in claim.text for claim in found.observed)
    assert any("launch_missiles" in entry.text for entry in found.withheld)


async def test_the_history_only_grows_and_the_load_profile_never_changes(tmp_path: Path):
    script = [
        f.called(("grep_symbol", {"name": "total"})),
        f.called(("list_files", {})),
        f.said("Ready."),
        draft,
        draft,
    ]
    with FakeOllama(script) as server:
        async with session(server, tmp_path) as opened:
            await answer(opened)
    for shorter, longer in pairwise(body["messages"] for body in server.chats[:4]):
        assert longer[: len(shorter)] == shorter
    profiles = {json.dumps([body["options"], body["keep_alive"], body["shift"]]) for body in server.chats}
    assert len(profiles) == 1
    assert len({json.dumps(body.get("tools")) for body in server.chats}) == 1, "templates write them first"
    assert ["format" in body for body in server.chats] == [False] * 3 + [True] * 2


def scores(body: dict[str, Any]) -> Reply:
    """The later a candidate, the better."""
    keys = body["format"]["required"]
    return f.said(json.dumps({key: min(at, 10) for at, key in enumerate(keys)}))


async def test_the_model_ranks_the_first_search_before_the_conversation_whose_prefix_stays_whole(
    tmp_path: Path,
):
    script = [f.called(("grep_symbol", {"name": "total"})), f.said("Ready."), draft, draft]
    found: dict[str, Answer] = {}
    firsts: dict[str, str] = {}
    for name, ranking, rerank in (("as it was", [], False), ("ranked", [scores], True)):
        with FakeOllama([*ranking, *script]) as server:
            async with session(server, tmp_path / name, rerank=rerank) as opened:
                found[name] = await answer(opened)
        main = server.chats[len(ranking) :]
        for shorter, longer in pairwise(body["messages"] for body in main[:3]):
            assert longer[: len(shorter)] == shorter
        firsts[name] = main[0]["messages"][3]["content"].partition("[E1] ")[2].split("\n")[0]
        if rerank:
            asked = server.chats[0]
            assert "tools" not in asked
            assert len(asked["messages"]) == 2
            assert asked["options"] == main[0]["options"]
    assert firsts["ranked"] != firsts["as it was"]
    assert found["as it was"].searched[0].reranked == ""
    assert found["ranked"].searched[0].reranked.startswith("reranked by the model, among ")
    assert found["ranked"].observed


async def test_a_ranking_that_cannot_be_read_changes_nothing_but_says_so(tmp_path: Path):
    script = [f.said("not what was asked for"), f.said("Ready."), draft, draft]
    with FakeOllama(script) as server:
        async with session(server, tmp_path, rerank=True) as opened:
            found = await answer(opened)
    assert found.searched[0].reranked == "not reranked: the model's scores could not be read"
    assert found.observed


async def test_a_model_that_only_writes_broken_calls_and_broken_answers_breaks_nothing(tmp_path: Path):
    broken = [f.F5_ERROR_MID_STREAM] * 6
    with FakeOllama([*broken, *[f.said('{"observed": [{"te')] * 2]) as server:
        async with session(server, tmp_path) as opened:
            found = await answer(opened)
    assert (found.status, found.observed) == ("model_failed", ())
    assert "not the JSON" in found.withheld[0].reason
    assert server.unplayed == 0


async def test_a_model_that_is_gone_between_two_calls_says_so(tmp_path: Path):
    with FakeOllama([f.called(("list_files", {})), f.error("model 'qwen3.5:4b' not found", 404)]) as server:
        async with session(server, tmp_path) as opened:
            with pytest.raises(ModelUnavailable) as caught:
                await answer(opened)
    assert "is not installed" in caught.value.what
    assert "ollama pull qwen3.5:4b" in caught.value.hint


async def test_whoever_stops_listening_stops_the_server(tmp_path: Path):
    with FakeOllama([f.lines(f.CONTENT_LINE, ending="never")]) as server:
        async with session(server, tmp_path) as opened:
            async with aclosing(opened.ask(QUESTION)) as events:
                async for event in events:
                    if isinstance(event, ModelWrote):
                        break
            assert server.hung_up.wait(5)
