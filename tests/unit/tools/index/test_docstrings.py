"""Comments of every style give their words and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.index.docstrings import MAX_CHARACTERS, from_attribute, from_comment, from_string


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("# Opens it.\n# Twice.", "Opens it.\nTwice."),
        ("// Opens it.", "Opens it."),
        ("/// Opens it.\n///\n/// # Panics", "Opens it.\n\n# Panics"),
        ("/** Opens it. */", "Opens it."),
        ("/**\n * Opens it.\n *\n *   - indented\n * @param a\n */", "Opens it.\n\n  - indented\n@param a"),
        ("/* Opens *it* */", "Opens *it*"),
        ("-- | Opens it.", "Opens it."),
        ("--- Opens it.", "Opens it."),
        ("--[[ Opens it. ]]", "Opens it."),
        ("#' Opens it.", "Opens it."),
        ("; Opens it.", "Opens it."),
        ("/// <summary>Opens it.</summary>", "Opens it."),
        ("// eslint-disable-next-line\n// Opens it.", "Opens it."),
        ("# noqa: E501", ""),
        ("# ---------\n# Opens it.\n# ---------", "Opens it."),
        ("//go:generate stringer", ""),
        ("#", ""),
    ],
)
def test_markers_and_orders_to_tools_are_removed(comment: str, words: str) -> None:
    assert from_comment(comment) == words


@pytest.mark.parametrize(
    ("literal", "words"),
    [
        ('"""Opens it."""', "Opens it."),
        ("r'''Opens\n    it.\n\n      Deep.\n    '''", "Opens\nit.\n\n  Deep."),
        ("'Opens it.'", "Opens it."),
        ('""', ""),
    ],
)
def test_a_literal_gives_its_text_without_indentation(literal: str, words: str) -> None:
    assert from_string(literal) == words


def test_an_attribute_that_documents_is_told_from_others() -> None:
    assert from_attribute('@doc "Opens it."') == "Opens it."
    assert from_attribute("#[derive(Debug)]") == ""


@given(st.text(max_size=300))
def test_any_text_gives_words_of_bounded_length(text: str) -> None:
    assert len(from_comment(text)) <= MAX_CHARACTERS
    assert len(from_string(text)) <= MAX_CHARACTERS


def test_long_documentation_is_cut_with_a_mark() -> None:
    cut = from_comment("// " + "word " * 400)
    assert len(cut) <= MAX_CHARACTERS
    assert cut.endswith("…")


@pytest.mark.parametrize("piece", [" ", "*", "/*", "<p", '"', "-", "#", "\n", "'''"])
def test_no_comment_takes_long(piece: str) -> None:
    """Sizes at which quadratic work would take minutes."""
    assert len(from_comment("/*" + piece * 500_000 + "x")) <= MAX_CHARACTERS
    assert len(from_string('"""' + piece * 500_000 + "x")) <= MAX_CHARACTERS
