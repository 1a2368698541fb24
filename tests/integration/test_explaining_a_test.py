"""`explain --test`: the test is run isolated first, with consent; then its failure is explained, or that it passes."""

from __future__ import annotations

import json

import pytest
from support.indexed import write_files
from support.program import called

from agent.phrases import load_phrases

FILES = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "cart.py": "def total(prices):\n    return sum(prices[1:])\n",
    "tests/test_cart.py": "from cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\ndef test_empty():\n    assert total([]) == 0\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop") / "work"
    write_files(folder, FILES)
    return folder


def test_without_consent_nothing_is_run(shop, tmp_path) -> None:
    done = called("explain", "--test", "tests/test_cart.py", home=tmp_path, here=shop)
    assert done.returncode == 6
    assert "`--yes` agrees for one command" in done.stderr


def test_a_failing_test_is_run_and_explained_with_the_run_as_evidence(shop, tmp_path) -> None:
    asked = ("explain", "--yes", "--test", "tests/test_cart.py::test_total", "--json")
    answer = json.loads(called(*asked, home=tmp_path, here=shop).stdout)
    first, *others = answer["observed"]
    assert first["citations"][0]["kind"] == "test_run"
    assert first["citations"][0]["verdict"] == "failed"
    why = [claim for claim in others if claim["text"].startswith("Why")]
    cited = [(one["path"], one["first_line"]) for claim in why for one in claim["citations"]]
    assert ("cart.py", 2) in cited
    assert answer["withheld"] == []


def test_a_passing_test_is_said_to_pass(shop, tmp_path) -> None:
    done = called("explain", "--yes", "--test", "tests/test_cart.py::test_empty", home=tmp_path, here=shop)
    assert done.returncode == 0, done.stderr
    begin = load_phrases()["en"].answer["explain_passes"].partition(":")[0]
    assert done.stdout.startswith(begin)
    assert "(passed)" in done.stdout


@pytest.mark.parametrize(
    ("target", "told"), [("tests/test_nothing.py", "not found"), ("--rootdir=/", "cannot begin with `-`")]
)
def test_a_test_that_cannot_be_named_is_said(shop, tmp_path, target, told) -> None:
    done = called("explain", "--yes", f"--test={target}", home=tmp_path, here=shop)
    assert done.returncode == 2, done.stderr
    assert told in done.stderr


def test_a_report_and_a_test_are_two_things(shop, tmp_path) -> None:
    done = called("explain", "x.txt", "--test", "tests/test_cart.py", home=tmp_path, here=shop)
    assert (done.returncode, "two things" in done.stderr) == (2, True)
