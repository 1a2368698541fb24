"""What a person is told when a model file cannot be loaded. Real runs: tests/integration/test_a_run_on_smollm2.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agent.backends.choose import choose_backend
from agent.errors import ModelUnavailable
from agent.settings import ModelSettings


async def refused(name: str) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as caught:
        await choose_backend(ModelSettings(backend="llamacpp", name=name))
    return caught.value


async def test_a_model_file_must_be_named() -> None:
    assert "--model PATH.gguf" in (await refused("")).hint


async def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    error = await refused(str(tmp_path / "ghost.gguf"))
    assert "ghost.gguf" in error.what
    assert error.cause == "no such file or directory"


async def test_a_file_of_another_kind_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "notes.gguf").write_text("not a model")
    assert "no GGUF file" in (await refused(str(tmp_path / "notes.gguf"))).cause


async def test_a_broken_model_file_is_told_with_its_size_and_the_free_memory(tmp_path: Path) -> None:
    (tmp_path / "cut.gguf").write_bytes(b"GGUF\x03\0\0\0")
    error = await refused(str(tmp_path / "cut.gguf"))
    assert "could not be loaded" in error.what
    assert "0.0 GB" in error.cause
    assert "smaller" in error.hint


async def test_without_the_extra_a_person_is_told_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)  # as Python itself marks what cannot be imported
    error = await refused("any.gguf")
    assert "not installed" in error.what
    assert "pip install 'codewitness[llamacpp]'" in error.hint
