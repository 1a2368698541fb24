"""The account of a draft, as lines and as JSON."""

import json
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from agent.answer import Claim, LinesCitation, TestRunCitation
from agent.drafting.report import DraftedFile, DraftReport, DroppedTest, Survivor, TargetReport
from agent.messages import BackendInfo
from tools.drafting.target import Target
from tui.commands.draft_tests import language_of
from tui.draft_document import draft_document
from tui.plain_drafting import account_lines
from tui.spoken import DRAFTS

LINES = LinesCitation("notes/days.py", 3, 4, "def season(month):\n    return month", "0" * 64)
RUN = TestRunCitation("pytest tests/test_days.py", "passed", 1.5, "1" * 64)
TARGET = Target("notes/days.py", "season", "season", "python", 3, 9)


def report(**more):
    target = TargetReport(
        TARGET,
        "kept",
        contract=(Claim("`season` is `def season(month)`.", (LINES,)),),
        pins=(Claim("`test_season` pins down `season(1)`.", (LINES, RUN)),),
        characterisation=True,
        dropped=(DroppedTest("test_b\x1b[2J", ("it fails: no",)),),
        killed=3,
        total=4,
        survivors=(Survivor("notes/days.py", 4, "x + 1", ""),),
        untested=("Some calls were left out.",),
    )
    file = DraftedFile("tests/test_days.py", "x\n", tests=("test_season",))
    fields = {"warnings": ("Review.",), "command": "pytest", "isolation": "bubblewrap", **more}
    return DraftReport((target,), (file,), "diff", (LINES_CLAIM,), BackendInfo("extractive"), 2.0, **fields)


LINES_CLAIM = Claim("Tests are functions, as `season` is.", (LINES,))


def test_every_statement_has_its_places_beneath_it():
    lines = [line.plain for line in account_lines(report(), DRAFTS["en"])]
    at = lines.index("  `test_season` pins down `season(1)`.")
    assert lines[at + 1] == "    notes/days.py:3-4, test run: pytest tests/test_days.py (passed)"
    assert "notes/days.py:season  tests kept: 1; broken on purpose, noticed 3 of 4 times" in lines
    assert "  not noticed: notes/days.py:4: x + 1 → (removed)" in lines
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize("language", sorted(DRAFTS))
def test_every_language_says_how_many_changes_were_noticed(language):
    text = "\n".join(line.plain for line in account_lines(report(), DRAFTS[language]))
    assert "3" in text
    assert "{" not in text


def test_the_document_fits_its_schema():
    schema = json.loads(files("tui.schemas").joinpath("draft.schema.json").read_text("utf-8"))
    document = draft_document(report(), ["tests/test_days.py"])
    Draft202012Validator(schema).validate(document)
    assert (document["kept"], document["mutants"]) == (1, {"killed": 3, "total": 4})


def test_a_scaffold_is_no_kept_test():
    scaffold = DraftedFile("tests/test_x.py", "x\n", unfinished=True, tests=("test_x",))
    drafted = DraftReport((), (scaffold,), "", (), BackendInfo("extractive"), 0.0)
    assert draft_document(drafted, [])["kept"] == 0


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LC_ALL": "ja_JP.UTF-8", "LANG": "es_ES.UTF-8"}, "ja"),
        ({"LANG": "pt"}, "pt"),
        ({"LANG": "de_DE"}, "en"),
    ],
)
def test_the_account_is_in_the_language_of_the_locale(variables, language):
    assert language_of(variables) == language
