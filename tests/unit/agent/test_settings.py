from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import SettingsInvalid
from agent.settings import LoadedSettings, load_settings


def load(
    folder: Path, toml: str = "", flags: dict[str, object] | None = None, **variables: str
) -> LoadedSettings:
    file = folder / "codewitness.toml"
    if toml:
        file.write_text(toml, encoding="utf-8")
    return load_settings(flags, {"CODEWITNESS_SETTINGS_FILE": str(file), **variables})


def test_without_any_source_the_defaults_hold(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    assert loaded.settings.model.backend == "auto"
    assert set(loaded.sources.values()) == {"default"}


def test_a_flag_beats_the_environment_which_beats_the_file_which_beats_the_default(tmp_path: Path) -> None:
    toml = "[budget]\nmax_turns = 3\nmax_seconds = 30.0\n[index]\nembedder = 'none'\n"
    loaded = load(
        tmp_path,
        toml,
        {"budget.max_turns": 5},
        CODEWITNESS_BUDGET__MAX_TURNS="4",
        CODEWITNESS_BUDGET__MAX_SECONDS="40",
    )
    budget = loaded.settings.budget
    assert (budget.max_turns, budget.max_seconds, loaded.settings.index.embedder) == (5, 40.0, "none")
    assert loaded.sources["budget.max_turns"] == "`--max-turns`"
    assert loaded.sources["budget.max_seconds"] == "`CODEWITNESS_BUDGET__MAX_SECONDS`"
    assert loaded.sources["index.embedder"] == f"`{tmp_path / 'codewitness.toml'}`"


@pytest.mark.parametrize(
    ("toml", "variables", "flags", "named"),
    [
        ("[budget]\nmax_turn = 3\n", {}, {}, ["budget.max_turn", "codewitness.toml", "unknown"]),
        ("[budget]\nmax_turns = 'many'\n", {}, {}, ["budget.max_turns", "codewitness.toml", "not valid"]),
        ("budget = 3\n", {}, {}, ["budget", "codewitness.toml"]),
        ("budget = 3\n", {"CODEWITNESS_BUDGET__MAX_TURNS": "3"}, {}, ["budget", "codewitness.toml"]),
        ("[budget\n", {}, {}, ["codewitness.toml", "cannot be read"]),
        (
            "",
            {"CODEWITNESS_BUDGET__MAX_TURNS": "0"},
            {},
            ["budget.max_turns", "CODEWITNESS_BUDGET__MAX_TURNS"],
        ),
        ("", {"CODEWITNESS_BUDGETS__MAX": "0"}, {}, ["CODEWITNESS_BUDGETS__MAX", "no setting"]),
        ("", {}, {"model.backend": "gpt"}, ["model.backend", "--backend"]),
    ],
)
def test_a_wrong_setting_is_named_with_its_source(
    tmp_path: Path, toml: str, variables: dict[str, str], flags: dict[str, object], named: list[str]
) -> None:
    with pytest.raises(SettingsInvalid) as refused:
        load(tmp_path, toml, flags, **variables)
    told = f"{refused.value.what} {refused.value.cause}"
    assert all(part in told for part in named), told
    assert refused.value.hint


def test_nothing_is_read_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("CODEWITNESS_MODEL__BACKEND=extractive\n", encoding="utf-8")
    (tmp_path / "codewitness.toml").write_text("[model]\nbackend = 'extractive'\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load(tmp_path / "elsewhere").settings.model.backend == "auto"
