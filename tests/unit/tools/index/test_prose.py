"""Documents are cut at their headings, and at nothing that only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.index.prose import blocks, sections


def _titles(language: str, text: str) -> list[tuple[int, str]]:
    return [(one.first_line, one.qualified_name) for one in sections(language, text.split("\n"))[1]]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("# A\ntext\n## B\ntext\n# C\ntext", [(1, "A"), (3, "A.B"), (5, "C")]),
        ("A\n===\ntext\n\nB\n---\ntext", [(1, "A"), (5, "A.B")]),
        ("```\n# no\n```\n# yes", [(4, "yes")]),
        ("~~~~\n```\n# no\n~~~~\n# yes", [(5, "yes")]),
        ("---\ntitle: x\n---\n# yes", [(4, "yes")]),
        ("- item\n---\ntext", []),
        ("text\n\n---\n\ntext", []),
        ("| a |\n|---|\n| b |", []),
        ("#no\n####### no", []),
        ("# [`run()`](#x) now ##", [(1, "run() now")]),
        ("  # two spaces\n     # five", [(1, "two spaces")]),
    ],
)
def test_markdown_headings(text: str, titles: list[tuple[int, str]]) -> None:
    assert _titles("markdown", text) == titles


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("A\n=\n\nB\n-\n\nC\n=\n", []),
        ("Aaa\n===\n\nBbb\n---\n\nCcc\n===\n", [(1, "Aaa"), (4, "Aaa.Bbb"), (7, "Ccc")]),
        ("===\nAaa\n===\n\nBbb\n===\n", [(1, "Aaa"), (5, "Aaa.Bbb")]),
        ("text that is longer\n----\n", [(1, "text that is longer")]),
        ("  .. note\n------\n", []),
        ("====  ====\na     b\n====  ====\n", []),
    ],
)
def test_restructuredtext_titles(text: str, titles: list[tuple[int, str]]) -> None:
    assert _titles("rst", text) == titles


def test_asciidoc_titles_outside_of_blocks() -> None:
    assert _titles("asciidoc", "= A\n\n----\n== no\n----\n\n== B\n") == [(1, "A"), (7, "A.B")]


def test_a_heading_without_text_of_its_own_begins_the_section_below() -> None:
    units, _ = sections("markdown", ["# A", "", "## B", "text", "# C", "text"])
    assert [(unit.first, unit.last, unit.qualified_name) for unit in units] == [(1, 4, "A.B"), (5, 6, "C")]


def test_a_heading_reaches_to_the_next_of_its_level() -> None:
    _, headings = sections("markdown", ["# A", "## B", "### C", "x", "## D", "# E"])
    assert [(one.first_line, one.last_line) for one in headings] == [(1, 5), (2, 4), (3, 4), (5, 5), (6, 6)]


@given(st.lists(st.sampled_from(["", "word", "more words"]), max_size=200))
def test_paragraphs_are_gathered_and_stay_whole_where_they_can(lines: list[str]) -> None:
    units = blocks(lines, "documentation")
    assert [n for unit in units for n in range(unit.first, unit.last + 1)] == list(range(1, len(lines) + 1))
    for unit in units[1:]:
        assert lines[unit.first - 2] == ""
        assert lines[unit.first - 1] != ""
