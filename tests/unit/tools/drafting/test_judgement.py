"""What is left of a draft when the tests that are not kept are taken out of it."""

from __future__ import annotations

from tools.drafting.draft import Draft
from tools.drafting.draft_reading import read_draft
from tools.drafting.judgement import Judgement, TestJudgement
from tools.drafting.reasons import Reason, Why
from tools.runners.runner import Report
from tools.sandbox.tiers import Sandbox, Tier

TEXT = """import pytest


@pytest.mark.parametrize("n", [1, 2])
def test_cases(n):
    assert n


def test_good():
    assert 1


class TestCart:
    def test_bad(self):
        assert 0


class TestOther:
    x = 1

    def test_bad(self):
        assert 0
"""


def left(bad: set[str]) -> str:
    """The draft without these; of each parametrised test there are two cases."""
    draft = Draft("tests/test_a.py", TEXT)
    read = read_draft(draft)
    assert read is not None
    tests = [
        TestJudgement(
            f"tests/test_a.py::{name}{case}",
            name,
            (Reason(Why.FAILS),) if f"{name}{case}" in bad or name in bad else (),
            first_line=test.first_line,
            last_line=test.last_line,
        )
        for name, test in read.tests.items()
        for case in (("[1]", "[2]") if name == "test_cases" else ("",))
    ]
    judgement = Judgement(tuple(tests), (), Report((), "passed"), "", Sandbox(Tier.NONE), 0.0, 0.0)
    dropped = judgement.drop(draft)
    return dropped.text if dropped else ""


def test_a_test_goes_with_its_decorators_when_one_case_is_bad() -> None:
    text = left({"test_cases[2]"})
    assert "parametrize" not in text
    assert text.startswith("import pytest\n\n\ndef test_good():\n")


def test_a_class_goes_with_its_last_test_unless_it_holds_more() -> None:
    text = left({"TestCart::test_bad", "TestOther::test_bad"})
    assert "TestCart" not in text
    assert text.endswith("class TestOther:\n    x = 1\n")


def test_nothing_is_changed_where_all_are_good() -> None:
    assert left(set()) == TEXT


def test_nothing_is_left_where_none_is_good() -> None:
    assert left({"test_cases", "test_good", "TestCart::test_bad", "TestOther::test_bad"}) == ""
