"""`draft-tests` through the whole command, on a copy of a committed project, in the real sandbox."""

import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from support.fake_openai import FakeOpenAI, said

from evals.drafts import FIELDNOTES, drafted_each
from tui.cli import run

PROJECT = Path(__file__).parents[2] / "evals" / "codebases" / "fieldnotes"
SCHEMA = json.loads(files("tui.schemas").joinpath("draft.schema.json").read_text("utf-8"))


@pytest.fixture
def fieldnotes(tmp_path, monkeypatch):
    """A copy of the project under git, with a home of its own around it."""
    root = tmp_path / "fieldnotes"
    shutil.copytree(PROJECT, root)
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *command], cwd=root, check=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CODEWITNESS_INDEX__DATA_FOLDER", str(tmp_path / "data"))
    monkeypatch.setenv("CODEWITNESS_INDEX__EMBEDDER", "none")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return root


def drafted(root, *arguments):
    return run(["draft-tests", *arguments, "-C", str(root), "--backend", "extractive"])


def tree(root):
    return {
        place: place.read_bytes()
        for place in root.rglob("*")
        if place.is_file() and ".git" not in place.parts
    }


@pytest.mark.slow
async def test_three_functions_get_tests_that_notice_most_changes(tmp_path):
    targets = [
        "fieldnotes/numbers.py:clamp",
        "fieldnotes/days.py:parse_day",
        "fieldnotes/places.py:Place.label",
    ]
    for one in await drafted_each("fieldnotes", targets, tmp_path):
        assert one.is_enough, (one.target, one.report)
        [file] = one.report.files
        assert file.path.startswith("tests/test_")
        assert "what it does today, not what it should do" in file.text
        assert one.report.targets[0].pins


@pytest.mark.slow
async def test_most_pure_functions_get_tests_that_notice_most_changes(tmp_path):
    scored = await drafted_each("fieldnotes", [f"fieldnotes/{one}" for one in FIELDNOTES], tmp_path)
    assert sum(one.is_enough for one in scored) >= 15
    assert all(one.applies for one in scored)


def test_a_patch_goes_to_stdout_and_applies_and_a_second_draft_goes_elsewhere(fieldnotes, capfdbinary):
    before = tree(fieldnotes)
    assert drafted(fieldnotes, "is_leap", "--yes", "--language", "es") == 0
    patch, account = capfdbinary.readouterr()
    assert tree(fieldnotes) == before
    subprocess.run(["git", "apply", "-"], cwd=fieldnotes, input=patch, check=True)
    assert "def test_is_leap_returns" in (fieldnotes / "tests/test_days.py").read_text("utf-8")
    said = account.decode()
    assert "Cómo se prueba en este proyecto" in said
    assert "`is_leap(2000)` da `True`" in said
    assert "tests/test_text.py:" in said


def test_without_consent_nothing_runs_and_nothing_is_drafted(fieldnotes, capfd):
    before = tree(fieldnotes)
    assert drafted(fieldnotes, "clamp", "--json") == 6
    assert json.loads(capfd.readouterr().out)["schema"] == "codewitness.error/1"
    assert tree(fieldnotes) == before


def test_what_cannot_be_called_gets_a_scaffold_that_is_written_once(fieldnotes, capfd):
    assert drafted(fieldnotes, "fieldnotes/notebook.py:Notebook.add", "--yes", "--write", "--json") == 0
    document = json.loads(capfd.readouterr().out)
    Draft202012Validator(SCHEMA).validate(document)
    assert (document["kept"], document["targets"][0]["outcome"]) == (0, "scaffold")
    [path] = document["written"]
    assert "unfinished" in (fieldnotes / path).read_text("utf-8")
    assert any("unfinished" in warning for warning in document["warnings"])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [((), 2), (("nothing_of_that_name",), 4), (("--changed", "no-such-revision"), 4)],
)
def test_what_cannot_be_found_is_said(arguments, code, fieldnotes, capfd):
    assert drafted(fieldnotes, *arguments) == code
    assert "hint:" in capfd.readouterr().err


def test_an_existing_file_is_refused_before_anything_runs(fieldnotes, capfd):
    for name in ("test_days.py", "test_days_season.py", "test_fieldnotes_days_season.py"):
        (fieldnotes / "tests" / name).write_text("")
    assert drafted(fieldnotes, "season", "--yes") == 4
    assert "--force" in capfd.readouterr().err


BROKEN = "from fieldnotes.numbers import clamps\n\n\ndef test_clamp_low():\n    assert clamps(1, 2, 3) == 2\n"
MIXED = """\
import random
from pathlib import Path

import pytest

from fieldnotes.numbers import clamp


def test_good():
    assert clamp(1, 2, 3) == 2
    assert clamp(4, 2, 3) == 3


def test_vacuous():
    clamp(1, 2, 3)


def test_flaky():
    assert clamp(1, 2, 3) == 2
    assert random.random() < 0.5


def test_writes():
    Path("left.txt").write_text("x")
    assert clamp(1, 2, 3) == 2


def test_reads_home():
    assert (Path.home() / ".profile").exists() in (True, False)
    assert clamp(1, 2, 3) == 2
"""
PINS = [
    {
        "test": "test_good",
        "text": "`clamp` gives the end of the range that a value is beyond",
        "citations": [{"evidence": "E1"}],
    },
    {"test": "test_vacuous", "text": "`clamp` works", "citations": [{"evidence": "E1"}]},
]


def test_drafts_of_a_model_are_told_apart_and_mended(fieldnotes, monkeypatch, capfd):
    monkeypatch.setenv("CODEWITNESS_TESTS__DRAFT_REPAIRS", "1")
    replies = [
        said("I have seen enough.", read=4_000),
        said(json.dumps({"file": BROKEN, "pins": []}), read=5_000),
        said(json.dumps({"file": MIXED, "pins": PINS}), read=6_000),
    ]
    with FakeOpenAI(replies) as server:
        monkeypatch.setenv("CODEWITNESS_MODEL__OPENAI_BASE_URL", server.url)
        arguments = ["draft-tests", "clamp", "-C", str(fieldnotes), "--backend", "openai", "--yes", "--json"]
        assert run(arguments) == 0
        repair = server.chats[-1]["messages"][-1]["content"]
    document = json.loads(capfd.readouterr().out)
    Draft202012Validator(SCHEMA).validate(document)
    assert "cannot be imported" in repair
    assert "clamps" in repair
    [target] = document["targets"]
    [file] = document["files"]
    assert file["tests"] == ["test_good"]
    assert [
        name
        for name in ("test_vacuous", "test_flaky", "test_writes", "test_reads_home")
        if name in file["text"]
    ] == []
    why = {one["test"]: " ".join(one["why"]) for one in target["dropped"]}
    assert "asserts nothing" in why["test_vacuous"]
    assert "repeated" in why["test_flaky"] or "it fails" in why["test_flaky"]
    assert "writes into the workspace" in why["test_writes"]
    assert "home folder" in why["test_reads_home"]
    [pin] = target["pins"]
    assert "`test_good`" in pin["text"]
    assert {one["kind"] for one in pin["citations"]} >= {"lines"}
    assert not (fieldnotes / "left.txt").exists()
