"""Calls that are worth trying, found by reading."""

import ast

import pytest

from agent.drafting.candidates import MOST_CALLS, candidates
from agent.drafting.examples import from_docstring, from_file, texts_in_docstring
from agent.drafting.expressions import expression
from agent.drafting.python_module import PythonModule, absolute, parsed
from agent.drafting.typed_values import TypedValues

SOURCE = '''
from __future__ import annotations
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Literal, Optional
import os

class Side(Enum):
    NORTH = "N"
    SOUTH = "S"

@dataclass
class Place:
    name: str
    north: float
    side: Side = Side.NORTH

Names = list[str]

def season(month: int, southern: bool = False) -> str:
    """The season: `season(7)`.

    >>> season(1, southern=True)
    'summer'
    >>> season(int(os.environ["MONTH"]))
    """
    if not 1 <= month <= 12:
        raise ValueError
    return "x"

def told(place: Place, names: Names, day: date, mode: Literal["a", "b"], side: Optional[Side] = None): ...
def untyped(thing, other=3): ...
'''
TESTS = """
import pytest
from notes import season, Place
MAY = 5

@pytest.mark.parametrize(("month", "expected"), [(2, "winter"), pytest.param(6, "summer", id="june")])
def test_season(month, expected, southern):
    assert season(month) == expected

def test_others(walk):
    season(MAY)
    season(walk.month)
    season(month=4)
"""


def module(source, name="notes"):
    imported = {
        (alias.asname or alias.name): (node.module, alias.name)
        for node in ast.walk(parsed(source))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return PythonModule(f"{name}.py", name, parsed(source), imported=imported)


class NoModules:
    def named(self, name):
        return None


NOTES = module(SOURCE)
TYPES = TypedValues(NoModules())


def written(calls, name="season"):
    return [one.written(name) for one in calls]


def test_docstrings_show_calls_in_doctests_and_in_backticks():
    calls = list(from_docstring(NOTES.functions["season"], "season", NOTES))
    assert written(calls) == ["season(7)", "season(1, southern=True)"]
    source = SOURCE.split("\n")
    assert all("season(" in source[one.place[1] - 1] for one in calls)


def test_tests_show_calls_with_the_rows_of_their_tables():
    lines = range(1, 40)
    calls = list(from_file(module(TESTS, "test_notes"), "season", lines, origin="test"))
    assert written(calls) == ["season(2)", "season(6)", "season(5)", "season(month=4)"]


def test_edges_of_what_the_body_compares_with_are_tried():
    calls = written(candidates(NOTES.functions["season"], NOTES, [], TYPES))
    assert {"season(1)", "season(0)", "season(12)", "season(13)", "season(12, True)"} <= set(calls)
    assert len(calls) == len(set(calls)) <= MOST_CALLS


def test_values_are_made_for_classes_enumerations_and_aliases():
    [first, *_] = candidates(NOTES.functions["told"], NOTES, [], TYPES)
    assert first.written("told") == (
        "told(Place('a b', 1.5), ['a b', '', 'A'], date(2024, 2, 29), 'a', Side.NORTH)"
    )
    assert ("notes", "Place") in first.needs
    assert ("datetime", "date") in first.needs


def test_parameters_of_which_nothing_is_known_get_plain_values():
    calls = written(candidates(NOTES.functions["untyped"], NOTES, [], TYPES), "untyped")
    assert {"untyped('a')", "untyped(0)", "untyped(None)", "untyped('a', 4)"} <= set(calls)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("[1, -2.5, (True,)]", True),
        ("'ab' * 40", True),
        ("Place('a', 1.0)", True),
        ("Side.NORTH", True),
        ("date.fromisoformat('2024-05-01')", True),
        ("os.system('x')", False),
        ("season(1)", False),
        ("__import__('os')", False),
        ("'a' * 10 ** 9", False),
        ("[x for x in y]", False),
        ("Unknown(1)", False),
        ("lambda: 1", False),
    ],
)
def test_only_values_are_taken_for_arguments(text, taken):
    assert (expression(ast.parse(text, mode="eval").body, NOTES) is not None) is taken


def test_texts_set_in_backticks_are_examples():
    function = parsed('def f(text):\n    """As `2024-05-01` or `1.5.2024`, by `f(x)`."""').body[0]
    assert texts_in_docstring(function) == ["2024-05-01", "1.5.2024"]


@pytest.mark.parametrize(("level", "expected"), [(0, "x.y"), (1, "pkg.sub.x.y"), (2, "pkg.x.y")])
def test_relative_imports_are_followed(level, expected):
    assert absolute("x.y", level, "pkg.sub") == expected
