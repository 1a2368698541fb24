"""Thinking: off unless asked for, sent as the server wants it, and shown only on request, never on stdout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import ollama_fixtures as f
from support.fake_ollama import FakeOllama
from support.program import environment
from support.small_workspace import small_workspace

from tui.cli import run

SCRIPT = [f.F1_THINKING_AND_ANSWER, f.said('{"no_evidence": true, "observed": []}')]
THOUGHT = "thinking, unverified: Short thought."


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., FakeOllama]:
    """Ask one question with these flags; the server as it was left."""
    for name, value in environment(tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("CODEWITNESS_MODEL__BACKEND", "ollama")
    monkeypatch.chdir(small_workspace(tmp_path / "shop"))

    def asked(*flags: str) -> FakeOllama:
        with FakeOllama(SCRIPT) as server:
            monkeypatch.setenv("CODEWITNESS_MODEL__BASE_URL", server.url)
            assert run(["ask", "Where is `gross_price` defined?", *flags]) == 1
        return server

    return asked


@pytest.mark.parametrize(
    ("flags", "sent"),
    [((), False), (("--think",), True), (("--no-think",), False), (("--think-level", "high"), "high")],
)
def test_a_model_thinks_only_when_asked_to_and_never_while_it_writes_the_answer(
    ask: Callable[..., FakeOllama], flags: tuple[str, ...], sent: bool | str
) -> None:
    server = ask(*flags)
    assert [body["think"] for body in server.chats] == [sent, False]


def test_thinking_is_labelled_on_stderr_and_only_when_more_was_asked_for(
    ask: Callable[..., FakeOllama], capsys: pytest.CaptureFixture[str]
) -> None:
    ask("--think", "-v")
    verbose = capsys.readouterr()
    ask("--think")
    plain = capsys.readouterr()
    assert THOUGHT in verbose.err
    assert "thought" not in verbose.out + plain.out + plain.err
