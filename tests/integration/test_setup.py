"""`codewitness setup` against a server that is faithful to the byte: every way it can end, with its remedy."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support import ollama_fixtures as f
from support.fake_ollama import FakeOllama
from support.program import PATIENCE_SECONDS, PROGRAM, environment
from support.wire_server import Reply, WireServer, json_reply

from agent.backends.ollama_pull import Pulling
from agent.backends.recommend import Machine, Recommendation
from agent.errors import ModelUnavailable
from agent.settings import IndexSettings, ModelSettings, Settings
from agent.setup import (
    EmbedderOptional,
    EmbeddersFound,
    Embeds,
    ModelMissing,
    ModelsFound,
    ServerFound,
    Step,
    Tried,
    Warmed,
    prepare,
)
from tui.cli import run

MACHINE = Machine(memory=16 * 10**9)
SMALL = "qwen3.5:4b"


async def yes(_: Recommendation) -> bool:
    return True


async def no(_: Recommendation) -> bool:
    return False


async def steps_of(
    url: str, agree: Any = yes, *, check_only: bool = False, embedder: str = "none", **model: Any
) -> list[Step]:
    settings = Settings(model=ModelSettings(base_url=url, **model), index=IndexSettings(embedder=embedder))
    async with aclosing(prepare(settings, MACHINE, agree, check_only=check_only)) as steps:
        return [step async for step in steps]


async def refused(url: str, agree: Any = yes, **how: Any) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as caught:
        await steps_of(url, agree, **how)
    assert caught.value.cause
    assert caught.value.hint
    return caught.value


def claims(body: dict[str, Any]) -> Reply:
    """What a good model answers to the trial question."""
    observed = [{"text": "`greeting` returns `Good day`.", "citations": [{"evidence": "E1"}]}]
    return f.said(json.dumps({"no_evidence": False, "observed": observed}))


class GrowingOllama(FakeOllama):
    """A server that has a model once it was pulled."""

    def __init__(
        self, script: Sequence[Any], pulled: Reply, tags: Mapping[str, dict[str, Any]] | None = None
    ) -> None:
        super().__init__(script, models=[])
        self._pulled = pulled
        self._tags = tags or {}

    def _pull(self, name: str) -> Reply:
        self.models.append(self._tags.get(name) or f.tag(name))
        return self._pulled


PULLED = f.lines(
    b'{"status":"pulling manifest"}',
    b'{"status":"pulling 6e9f90f02bb3","digest":"sha256:6e","total":300}',
    b'{"status":"pulling 6e9f90f02bb3","digest":"sha256:6e","total":300,"completed":300}',
    b'{"status":"pulling 0a1b","digest":"sha256:0a","total":100,"completed":40}',
    b'{"status":"success"}',
)
LOADED = f.LOADED


async def test_a_machine_without_a_model_gets_one_that_is_pulled_warmed_and_tried():
    with GrowingOllama([LOADED, f.said("Ready."), claims], PULLED) as server:
        steps = await steps_of(server.url)
        requests = [(request.path, request.json) for request in server.requests if request.method == "POST"]
    assert steps[0] == ServerFound(server.url, "0.33.0", True)
    assert steps[1] == ModelsFound(())
    assert steps[2] == EmbeddersFound(())
    assert isinstance(steps[3], ModelMissing)
    assert steps[3].recommendation.model == SMALL
    pulling = [(step.completed, step.total) for step in steps if isinstance(step, Pulling)]
    assert pulling == [(0, 0), (0, 300), (300, 300), (340, 400), (400, 400)]
    assert ("/api/pull", {"model": SMALL, "stream": True}) in requests
    (warmed,) = [step for step in steps if isinstance(step, Warmed)]
    assert (warmed.model, warmed.num_ctx) == (SMALL, 16_384)
    assert isinstance(steps[-1], Tried)
    assert steps[-1].passed
    profiles = {json.dumps(body["options"]) for body in server.chats}
    assert len(profiles) == 1


async def test_a_check_changes_nothing():
    with FakeOllama([]) as server:
        steps = await steps_of(server.url, check_only=True)
        assert {request.path for request in server.requests if request.method == "POST"} == {"/api/show"}
    assert [type(step) for step in steps] == [ServerFound, ModelsFound, EmbeddersFound, EmbedderOptional]


async def test_a_check_without_a_model_says_what_to_pull_and_pulls_nothing():
    with FakeOllama([], models=[]) as server:
        error = await refused(server.url, check_only=True)
        assert "/api/pull" not in server.paths()
    assert f"ollama pull {SMALL}" in error.hint


async def test_nothing_is_pulled_without_consent():
    with FakeOllama([], models=[]) as server:
        error = await refused(server.url, no)
        assert "/api/pull" not in server.paths()
    assert "not to be pulled" in error.cause


async def test_an_embedding_model_that_the_settings_name_is_missing_pulled_and_tried():
    embeds = f.tag("bge-m3:latest", capabilities=("embedding",), embedding_length=f.EMBEDDING_DIMENSION)
    asked: list[str] = []

    async def agree(missing: Recommendation) -> bool:
        asked.append(missing.model)
        return True

    with GrowingOllama([LOADED, f.said("Ready."), claims], PULLED, tags={"bge-m3": embeds}) as server:
        steps = await steps_of(server.url, agree, embedder="ollama:bge-m3")
    assert asked == [SMALL, "bge-m3"]
    assert [step.model for step in steps if isinstance(step, Pulling) and step.status == "success"] == asked
    (tried,) = [step for step in steps if isinstance(step, Embeds)]
    assert (tried.name, tried.dimension) == ("bge-m3 (Ollama)", f.EMBEDDING_DIMENSION)
    assert not any(isinstance(step, EmbedderOptional) for step in steps)


async def test_a_check_names_everything_that_is_missing_at_once():
    with FakeOllama([], models=[]) as server:
        error = await refused(server.url, check_only=True, embedder="ollama:bge-m3")
        assert "/api/pull" not in server.paths()
    assert f"`{SMALL}` and `bge-m3` are not installed" in error.cause
    assert "`ollama pull bge-m3`" in error.hint


async def test_whoever_wants_no_embedding_model_gets_the_chat_model_ready_and_is_told_what_is_missing():
    async def chat_alone(missing: Recommendation) -> bool:
        return missing.model != "bge-m3"

    with FakeOllama([LOADED, f.said("Ready."), claims]) as server:
        error = await refused(server.url, chat_alone, embedder="ollama:bge-m3")
        assert server.unplayed == 0
    assert error.what == "the embedding model is missing"


async def test_an_installed_embedding_model_is_offered_and_a_cloud_one_never_pulled():
    with FakeOllama() as server:
        steps = await steps_of(server.url, check_only=True)
        (offered,) = [step for step in steps if isinstance(step, EmbedderOptional)]
        assert offered.recommendation.model == "nomic-embed-text:latest"
        assert "does not run on this machine" in (await refused(server.url, embedder="ollama:e:cloud")).what
        assert "/api/pull" not in server.paths()


async def test_a_server_that_is_down_is_told_apart_from_a_wrong_address():
    with FakeOllama([]) as server:
        pass
    assert "does not answer" in (await refused(server.url)).what
    with Elsewhere() as other:
        error = await refused(other.url)
    assert "Ollama" in error.what + error.hint
    assert "model.base_url" in error.hint + error.cause or "settings" in error.hint


class Elsewhere(WireServer):
    """Some other program on that port."""

    def answer(self, request: Any) -> Reply:
        return Reply(body=b"<html>It works!</html>", content_type="text/html")


async def test_a_server_that_is_too_old_is_named_with_what_is_needed():
    with FakeOllama([], others={"/api/version": json_reply({"version": "0.5.1"})}) as server:
        error = await refused(server.url)
    assert "too old" in error.what
    assert "0.9.0" in error.cause
    assert "update" in error.hint


async def test_a_model_without_tools_is_no_model_and_one_that_is_named_is_refused_with_the_reason():
    plain = f.tag("gemma3:4b", capabilities=("completion", "vision"))
    with FakeOllama([], models=[plain]) as server:
        assert "ollama pull" in (await refused(server.url, check_only=True)).hint
        error = await refused(server.url, name="gemma3:4b")
        assert "/api/pull" not in server.paths()
    assert "cannot call tools" in error.what


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            f.error("model requires more system memory (9.1 GiB) than is available (4.0 GiB)", 500),
            "not enough memory",
        ),
        (f.error("model runner has unexpectedly stopped", 500), "crashed"),
        (f.error("model 'qwen3.5:4b' not found", 404), "not installed"),
    ],
)
async def test_a_model_that_cannot_be_loaded_says_why(said: Reply, told: str):
    with FakeOllama([said]) as server:
        assert told in (await refused(server.url)).what


async def test_a_model_that_is_gone_between_two_calls_says_so():
    with FakeOllama([LOADED, f.error("model 'qwen3.5:4b' not found", 404)]) as server:
        assert "is not installed" in (await refused(server.url)).what


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        (f.lines(b'{"status":"pulling manifest"}', b'{"error":"pull model manifest: file does not exist"}'), "check the name"),
        (f.lines(b'{"status":"pulling manifest"}', b'{"error":"write: no space left on device"}'), "disk space"),
        (f.lines(b'{"status":"pulling manifest"}', b'{"status":"verifying sha256 digest"}'), "goes on where it stopped"),
        (f.lines(b'{"status":"pulling manifest"}', ending="drop"), "ask again"),
    ],
)  # fmt: skip
async def test_a_download_that_fails_says_why_and_what_to_do(ending: Reply, told: str):
    with GrowingOllama([], ending) as server:
        assert told in (await refused(server.url, name="ghost:1b")).hint


async def test_a_cloud_model_is_never_pulled():
    with FakeOllama([], models=[]) as server:
        error = await refused(server.url, name="qwen3.5:cloud")
        assert "/api/pull" not in server.paths()
    assert "does not run on this machine" in error.what


async def test_whoever_stops_a_download_stops_the_server():
    gate = threading.Event()
    held = f.lines(*[b'{"status":"pulling manifest"}'] * 2, before_line={1: gate})
    with GrowingOllama([], held) as server:
        settings = Settings(model=ModelSettings(base_url=server.url))
        async with aclosing(prepare(settings, MACHINE, yes)) as steps:
            async for step in steps:
                if isinstance(step, Pulling):
                    break
        assert server.hung_up.wait(5)


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run the command against a server."""
    for name, value in environment(tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("CODEWITNESS_MODEL__BACKEND", "auto")
    monkeypatch.chdir(tmp_path)

    def on(server: FakeOllama, *arguments: str) -> int:
        monkeypatch.setenv("CODEWITNESS_MODEL__BASE_URL", server.url)
        return run(["setup", *arguments])

    return on


def test_the_command_tells_each_step_and_ends_ready(
    command: Callable[..., int], capsys: pytest.CaptureFixture[str]
):
    with GrowingOllama([LOADED, f.said("Ready."), claims], PULLED) as server:
        assert command(server, "--yes") == 0
    written = capsys.readouterr()
    assert [line.split()[0] for line in written.out.splitlines()] == [
        "server", "models", "missing", "optional", "set", "loading", "loaded", "trying", "ready",
    ]  # fmt: skip
    assert "success 100 %" in written.err


def test_nobody_to_ask_is_missing_consent(command: Callable[..., int], capsys: pytest.CaptureFixture[str]):
    with FakeOllama([], models=[]) as server:
        assert command(server) == 6
    assert "--yes" in capsys.readouterr().err


def test_a_missing_model_is_exit_code_three_and_json_says_it_too(
    command: Callable[..., int], capsys: pytest.CaptureFixture[str]
):
    with FakeOllama([], models=[]) as server:
        assert command(server, "--check", "--json") == 3
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["exit"]) == ("codewitness.error/1", 3)


def test_the_json_document_keeps_its_schema(command: Callable[..., int], capsys: pytest.CaptureFixture[str]):
    with GrowingOllama([LOADED, f.said("Ready."), claims], PULLED) as server:
        assert command(server, "--yes", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    Draft202012Validator(
        json.loads((files("tui.schemas") / "setup.schema.json").read_text("utf-8"))
    ).validate(document)
    assert document["pulled"] == [SMALL]
    assert document["trial"]["passed"] is True


def test_ctrl_c_stops_a_download_and_says_that_it_goes_on_from_there(tmp_path: Path):
    gate = threading.Event()
    held = f.lines(*[b'{"status":"pulling manifest"}'] * 2, before_line={1: gate})
    with GrowingOllama([], held) as server:
        variables = environment(tmp_path / "home", CODEWITNESS_MODEL__BASE_URL=server.url)
        process = subprocess.Popen(
            [PROGRAM, "setup", "--yes"], cwd=tmp_path, env=variables, stderr=subprocess.PIPE, text=True
        )
        assert server.waiting.wait(PATIENCE_SECONDS)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=PATIENCE_SECONDS)
        assert server.hung_up.wait(5)
    assert process.returncode == 130
    assert "what was downloaded is kept" in told
