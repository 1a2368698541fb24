"""Test files as they are written, in several styles."""

import ast

import pytest

from agent.drafting.expressions import Call, Expression
from agent.drafting.outcomes import Outcome
from agent.drafting.python_style import PythonStyle
from agent.drafting.python_tests import FunctionCases, is_built_in, with_double_quotes, write_tests


def call(*arguments, receiver=None):
    return Call(tuple(Expression(one) for one in arguments), (), receiver)


def season(*outcomes):
    return FunctionCases(
        "season",
        "season",
        ("notes.days", "season"),
        (("month", "int"), ("southern", "bool")),
        "str",
        outcomes,
    )


SUMMER = Outcome(call("7"), "'summer'", kind="str")
WINTER = Outcome(call("1"), "'winter'", kind="str")
WRONG = Outcome(call("13"), "", kind="ValueError", message="no month 13")
LATER = Outcome(call("0"), "", kind="ValueError", message="no month (0)")


def test_cases_of_one_shape_stand_in_a_table():
    text, tests = write_tests([season(SUMMER, WINTER)], PythonStyle(annotated=True))
    assert text == (
        '"""Characterisation of `season`: what it does today, not what it should do. Review every case."""\n'
        "\nimport pytest\n\nfrom notes.days import season\n\n\n"
        '@pytest.mark.parametrize(\n    ("month", "expected"),\n'
        '    [\n        (7, "summer"),\n        (1, "winter"),\n    ],\n)\n'
        "def test_season_returns(month: int, expected: str) -> None:\n"
        "    assert season(month) == expected\n"
    )
    assert [test.name for test in tests] == ["test_season_returns"]


def test_errors_stand_apart_and_quote_what_would_be_a_pattern():
    text, _ = write_tests([season(SUMMER, WRONG, LATER)], PythonStyle())
    assert "import re\n" in text
    assert "with pytest.raises(ValueError, match=re.escape(message)):" in text
    one, _ = write_tests([season(WRONG)], PythonStyle())
    assert 'with pytest.raises(ValueError, match="no month 13"):' in one


def test_a_project_without_tables_gets_one_test_for_each_case():
    text, tests = write_tests([season(SUMMER, WINTER)], PythonStyle(tables=False))
    assert "parametrize" not in text
    assert [test.name for test in tests] == ["test_season_returns", "test_season_returns_2"]


def test_a_unittest_project_gets_a_test_case():
    text, _ = write_tests([season(SUMMER, WRONG)], PythonStyle(framework="unittest", single_quotes=True))
    assert "class SeasonTest(unittest.TestCase):" in text
    assert "self.assertEqual(season(7), 'summer')" in text
    assert "with self.assertRaisesRegex(ValueError, 'no month 13'):" in text


def test_a_project_of_classes_gets_a_class():
    text, _ = write_tests([season(SUMMER)], PythonStyle(in_classes=True))
    assert "class TestSeason:\n    def test_season_returns(self):\n" in text


def test_long_floats_are_compared_with_approx():
    share = FunctionCases(
        "third", "third", ("m", "third"), (), "float", (Outcome(call(), "0.3333333333333333"),)
    )
    assert "assert third() == pytest.approx(0.3333333333333333)" in write_tests([share], PythonStyle())[0]


def test_methods_are_called_on_the_object_they_were_tried_on():
    place = Expression("Place('a', 1.0)", (("notes.places", "Place"),))
    label = FunctionCases(
        "label",
        "place_label",
        ("notes.places", "Place"),
        (),
        "str",
        (Outcome(call(receiver=place), "'a (1.0)'"),),
    )
    text, _ = write_tests([label], PythonStyle())
    assert 'assert Place("a", 1.0).label() == "a (1.0)"' in text
    assert "from notes.places import Place" in text


@pytest.mark.parametrize(
    "style", [PythonStyle(ids=True), PythonStyle(in_classes=True), PythonStyle(framework="unittest")]
)
def test_whatever_the_style_it_is_python(style):
    odd = Outcome(call("'\\'\"\\n`é'"), "'\\x00'", kind="str")
    ast.parse(write_tests([season(SUMMER, odd, WRONG, LATER)], style)[0])


def test_quotes_are_changed_only_where_that_needs_no_escape():
    assert (
        with_double_quotes("x = ['a', '\"', \"b\", b'c', '''d''']\n")
        == "x = [\"a\", '\"', \"b\", b\"c\", '''d''']\n"
    )


@pytest.mark.parametrize(
    ("annotation", "known"), [("list[int]", True), ("str | None", True), ("Sighting", False), ("", False)]
)
def test_only_built_in_annotations_go_into_tests(annotation, known):
    assert is_built_in(annotation) is known
