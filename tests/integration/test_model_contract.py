"""What is measured of a model on a real socket, kept, and adapted to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import ollama_fixtures as f
from support.fake_ollama import FakeOllama
from support.fake_openai import FakeOpenAI
from support.model_runs import QUESTION, TOOLS, played
from support.program import environment
from support.wire_server import Reply

from agent.backends.choose import choose_backend
from agent.backends.contract import Contract, Contracts
from agent.backends.ollama import ADAPTED, Ollama
from agent.doctor import Check
from agent.doctor_model import model_contract
from agent.settings import IndexSettings, ModelSettings, Settings
from tui.cli import run

LOADED = f.LOADED
ONE = f.called(("read_temperature", {"city": "Lisbon"}))
TWO = f.called(("read_temperature", {"city": "Lisbon"}), ("read_temperature", {"city": "Kyoto"}))
AS_TEXT = f.said(
    "<tool_call><function=read_temperature><parameter=city>Lisbon</parameter></function></tool_call>"
)
JSON = f.said(json.dumps({"colour": "green", "count": 7}), prompt_eval_count=400, eval_count=12)
PROSE = f.said("Seven of them were green.")


def settings(server: FakeOllama, tmp_path: Path, **model: Any) -> Settings:
    return Settings(
        model=ModelSettings(base_url=server.url, **model), index=IndexSettings(data_folder=str(tmp_path))
    )


def measured(
    tmp_path: Path, *script: Reply, **how: Any
) -> tuple[Check, Contract | None, list[dict[str, Any]]]:
    with FakeOllama([LOADED, *script], **how) as server:
        check = model_contract(settings(server, tmp_path), measuring=True)
        return check, Contracts(tmp_path).of(f.DIGEST), server.chats


def test_a_good_model_is_measured_kept_and_needs_no_adaptation(tmp_path: Path) -> None:
    check, contract, chats = measured(tmp_path, ONE, TWO, JSON)
    assert check.passed
    assert contract is not None
    assert (contract.calls, contract.several_calls, contract.obeys_schema) == ("as calls", True, True)
    assert (contract.num_ctx, contract.num_ctx_asked, contract.adaptations) == (16_384, 16_384, "")
    assert contract.read_per_second > 0
    assert len({json.dumps(body["options"]) for body in chats}) == 1
    assert all(not ("tools" in body and "format" in body) for body in chats)


@pytest.mark.parametrize(
    ("script", "calls", "told"),
    [
        ((AS_TEXT, ONE, JSON), "as text", "recovered from its text"),
        ((PROSE, PROSE, JSON), "none", "the first search alone feeds it"),
        ((ONE, ONE, PROSE), "as calls", "one tool call at a time"),
    ],
)
def test_a_weaker_model_is_adapted_to_and_the_check_says_how(
    tmp_path: Path, script: tuple[Reply, ...], calls: str, told: str
) -> None:
    check, contract, _ = measured(tmp_path, *script)
    assert contract is not None
    assert contract.calls == calls
    assert told in contract.adaptations
    assert told in check.found


def test_plain_doctor_loads_no_model_and_says_how_to_measure(tmp_path: Path) -> None:
    with FakeOllama([]) as server:
        check = model_contract(settings(server, tmp_path), measuring=False)
    assert (check.passed, check.required) == (False, False)
    assert "doctor --measure" in check.remedy


def test_what_was_measured_is_told_again_without_loading_the_model(tmp_path: Path) -> None:
    first, _, _ = measured(tmp_path, ONE, TWO, JSON)
    with FakeOllama([]) as server:
        assert model_contract(settings(server, tmp_path), measuring=False).found == first.found


def test_no_server_is_told_with_what_suits_this_machine(tmp_path: Path) -> None:
    with FakeOllama([]) as server:
        pass
    check = model_contract(settings(server, tmp_path), measuring=True)
    assert not check.passed
    assert "suited here: qwen" in check.remedy


async def test_a_narrower_window_and_one_call_at_a_time_are_kept_to_in_every_later_run(
    tmp_path: Path,
) -> None:
    Contracts(tmp_path).keep(
        Contract(f.MODEL, f.DIGEST, 16_384, 8_192, 1.0, "as calls", False, True, 100.0, 10.0)
    )
    two = f.called(("semantic_search", {"query": "a"}), ("semantic_search", {"query": "b"}))
    with FakeOllama([two], loaded_context=8_192) as server:
        backend = await choose_backend(ModelSettings(base_url=server.url), data_folder=tmp_path)
        assert isinstance(backend, Ollama)
        _, turn = await played(backend.reply(QUESTION, TOOLS))
        await backend.aclose()
    assert server.chats[0]["options"]["num_ctx"] == 8_192
    assert [call.arguments["query"] for call in turn.tool_calls] == ["a"]
    assert "8192" in backend.info.details[ADAPTED]
    assert "one tool call" in backend.info.details[ADAPTED]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"model": "x"}', '{"unknown": 1}'])
def test_a_kept_file_that_cannot_be_read_counts_as_none(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "ab.json").write_text(text)
    assert Contracts(tmp_path).of(f.DIGEST) is None


def test_a_digest_never_leaves_the_folder(tmp_path: Path) -> None:
    Contracts(tmp_path).keep(Contract("m", "../../x/../y", 1, 1, 1.0, "none", False, False, 1.0, 1.0))
    assert [path.parent for path in tmp_path.rglob("*.json")] == [tmp_path / "models"]


def test_backends_that_load_nothing_here_are_looked_at_and_not_measured(tmp_path: Path) -> None:
    def check(**model: Any) -> Check:
        chosen = Settings(model=ModelSettings(**model), index=IndexSettings(data_folder=str(tmp_path)))
        return model_contract(chosen, measuring=True)

    assert "none is asked" in check(backend="extractive").found
    with FakeOpenAI(models=["local-model"]) as server:
        asked = check(backend="openai", openai_base_url=server.url)
        assert server.chats == []
    assert (asked.passed, asked.found.startswith("local-model at 127.0.0.1:")) == (True, True)
    gone = check(backend="openai", openai_base_url=server.url)
    assert (gone.passed, gone.required) == (False, False)
    assert "connection refused" in gone.found
    away = check(backend="openai", openai_base_url="https://api.example/v1", allowed_hosts=("api.example",))
    assert "asked only when a question is" in away.found
    file = tmp_path / "model.gguf"
    assert "no such file" in check(backend="llamacpp", name=str(file)).found
    file.write_bytes(b"GGUF" + bytes(60))
    assert str(file) in check(backend="llamacpp", name=str(file)).found
    assert "--model PATH.gguf" in check(backend="llamacpp").remedy


def test_doctor_looks_at_the_model_that_the_command_line_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in environment(tmp_path / "home", CODEWITNESS_MODEL__BACKEND="auto").items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    with FakeOllama(models=[f.LOCAL_TAG, f.tag("qwen3:8b")]) as server:
        monkeypatch.setenv("CODEWITNESS_MODEL__BASE_URL", server.url)
        assert run(["doctor", "--model", "qwen3:8b"]) == 0
    assert "qwen3:8b: not measured on this machine" in capsys.readouterr().out
