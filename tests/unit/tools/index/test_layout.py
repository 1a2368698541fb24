"""Units become chunks: heads, gaps and splits, with every line in one chunk."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tools.index.layout import MAX_LINES, Unit, lay_out, split


def _places(lines: list[str], units: list[Unit], **more: set[int]) -> list[tuple[int, int, str]]:
    return [(one.first_line, one.last_line, one.symbol) for one in lay_out(lines, units, **more)]


def _words(count: int) -> list[str]:
    return [f"word {number}" for number in range(count)]


@st.composite
def _units(draw: st.DrawFn, depth: int = 2) -> list[Unit]:
    units: list[Unit] = []
    for _ in range(draw(st.integers(0, 4))):
        first = draw(st.integers(-3, 60))
        children = draw(_units(depth=depth - 1)) if depth else []
        units.append(Unit(first, first + draw(st.integers(-2, 150)), "function", "u", children=children))
    return units


@given(
    st.lists(st.sampled_from(["", "}", "end", "word", "  deep"]), max_size=200),
    _units(),
    st.sets(st.integers(1, 50)),
)
def test_whatever_the_units_every_line_is_in_one_chunk(
    lines: list[str], units: list[Unit], openings: set[int]
) -> None:
    chunks = lay_out(lines, units, openings=openings)
    assert [line for chunk in chunks for line in range(chunk.first_line, chunk.last_line + 1)] == list(
        range(1, len(lines) + 1)
    )
    assert all(chunk.text == "\n".join(lines[chunk.first_line - 1 : chunk.last_line]) for chunk in chunks)
    assert all(chunk.last_line - chunk.first_line < MAX_LINES for chunk in chunks)


def test_a_class_contributes_its_head_and_its_methods_their_own_chunks() -> None:
    methods = [Unit(3, 4, "method", "m"), Unit(6, 7, "method", "n")]
    lines = _words(8)
    lines[4] = ""
    assert _places(lines, [Unit(1, 8, "class", "C", children=methods)]) == [
        (1, 2, "C"),
        (3, 5, "m"),
        (6, 7, "n"),
        (8, 8, "C"),
    ]


def test_blank_lines_and_closing_brackets_go_with_what_they_end() -> None:
    lines = ["f", "", "}", "end", "});", "", "word"]
    assert _places(lines, [Unit(1, 1, "function", "f")]) == [(1, 6, "f"), (7, 7, "")]


def test_blank_lines_at_the_top_go_with_what_follows() -> None:
    assert _places(["", "f"], [Unit(2, 2, "function", "f")]) == [(1, 2, "f")]


def test_a_line_that_only_opens_goes_with_what_it_opens() -> None:
    lines = ["a", "", "impl A {", "f", "}"]
    units = [Unit(1, 1, "class", "A"), Unit(4, 4, "method", "f")]
    assert _places(lines, units, openings={3}) == [(1, 2, "A"), (3, 5, "f")]


def test_functions_are_never_merged_but_small_gaps_that_touch_are() -> None:
    inner = [Unit(2, 2, "method", "m")]
    lines = _words(5)
    assert _places(lines, [Unit(1, 3, "class", "C", children=inner), Unit(5, 5, "function", "f")]) == [
        (1, 1, "C"),
        (2, 2, "m"),
        (3, 4, ""),
        (5, 5, "f"),
    ]


def test_parts_of_a_long_unit_keep_its_name_and_only_the_first_its_docstring() -> None:
    unit = Unit(1, 300, "function", "f", "a.f", "def f()", "Says it.")
    chunks = lay_out(_words(300), [unit])
    assert len(chunks) == 3
    assert {(chunk.qualified_name, chunk.signature) for chunk in chunks} == {("a.f", "def f()")}
    assert [chunk.docstring for chunk in chunks] == ["Says it.", "", ""]


def test_a_split_falls_where_the_shallowest_statement_begins_after_a_blank_line() -> None:
    lines = _words(200)
    lines[98] = ""
    places = [(70, 1), (100, 1), (110, 2), (115, 1)]
    assert split(lines, 1, 200, lambda first, last: places) == [(1, 99), (100, 200)]


def test_without_any_boundary_a_split_falls_at_the_limit() -> None:
    parts = split(_words(500), 1, 500, lambda first, last: [])
    assert all(last - first + 1 == MAX_LINES for first, last in parts[:-1])
    assert all(one[1] + 1 == two[0] for one, two in pairwise(parts))
