"""Every line of every text is in exactly one chunk, in order; each language is cut by its own rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sample_sources import described, expected, sample, sample_names

from tools.index.chunk import ParsedFile
from tools.index.chunker import chunk_by_lines, chunk_source
from tools.index.layout import MAX_LINES
from tools.text_decoding import split_lines

_NAMES = st.sampled_from(sample_names())
_TOKENS = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "\n",
    "\n",
    "  ",
    "'",
    '"',
    "`",
    "=",
    ";",
    "#",
    "/*",
    "*/",
    "//",
    "f",
]


def assert_covers(parsed: ParsedFile, text: str) -> None:
    """Chunks hold every line once, in order, with its text; definitions and references lie inside the file."""
    lines = split_lines(text)
    following = 1
    for chunk in parsed.chunks:
        assert chunk.first_line == following
        assert chunk.first_line <= chunk.last_line < chunk.first_line + MAX_LINES
        assert chunk.text == "\n".join(lines[chunk.first_line - 1 : chunk.last_line])
        following = chunk.last_line + 1
    assert following == len(lines) + 1
    assert all(1 <= one.first_line <= one.last_line <= len(lines) for one in parsed.definitions)
    assert all(one.name and one.qualified_name for one in parsed.definitions)
    assert all(1 <= one.line <= len(lines) for one in (*parsed.references, *parsed.imports))


@pytest.mark.parametrize("name", sample_names())
def test_a_sample_of_each_language_is_taken_apart_as_expected(name: str) -> None:
    parsed = chunk_source(name, sample(name))
    assert described(parsed) == expected(name)
    assert parsed.note == ""
    assert_covers(parsed, sample(name))


@given(_NAMES, st.text(max_size=300))
def test_any_text_is_covered(name: str, text: str) -> None:
    assert_covers(chunk_source(name, text), text)


@given(_NAMES, st.text(st.characters(codec=None, categories=("Cs", "Cc", "Zl", "Zs", "Po")), max_size=60))
def test_characters_that_are_no_text_are_covered(name: str, text: str) -> None:
    assert_covers(chunk_source(name, text), text)


@given(_NAMES, st.lists(st.sampled_from(_TOKENS), max_size=120).map("".join))
def test_broken_syntax_is_covered(name: str, text: str) -> None:
    assert_covers(chunk_source(name, text), text)


@given(_NAMES, st.randoms(use_true_random=False), st.sampled_from(["\n", "\r\n"]))
def test_shuffled_lines_of_real_code_are_covered(name: str, rng: random.Random, newline: str) -> None:
    lines = sample(name).split("\n")
    mixed = newline.join(rng.choices(lines, k=rng.randint(0, 60)))
    assert_covers(chunk_source(name, mixed), mixed)


@settings(max_examples=30)
@given(_NAMES, st.integers(1, 20))
def test_long_files_are_covered(name: str, times: int) -> None:
    text = sample(name) * times
    assert_covers(chunk_source(name, text), text)


def test_line_endings_change_nothing() -> None:
    unix, windows = sample("shelf.py"), sample("shelf.py").replace("\n", "\r\n")
    assert chunk_source("shelf.py", windows) == chunk_source("shelf.py", unix)


@pytest.mark.parametrize("name", ["a.py", "a.md", "a.json", "a.ipynb", "a.vue", "a.unknown"])
def test_an_empty_file_has_no_chunks_and_an_empty_line_has_one(name: str) -> None:
    assert chunk_source(name, "").chunks == ()
    assert len(chunk_source(name, "\n").chunks) == 1


@pytest.mark.parametrize(
    ("piece", "times", "note"),
    [
        ("x = 1; ", 150_000, "a line of 1050000 characters"),
        ("(", 200_000, "a line of 200000 characters"),
        ("(\n", 60_000, "too deeply nested"),
    ],
)
@pytest.mark.parametrize("name", ["a.py", "a.ts", "a.go"])
def test_what_no_person_wrote_is_chunked_by_lines_and_says_so(
    name: str, piece: str, times: int, note: str
) -> None:
    text = piece * times
    parsed = chunk_source(name, text)
    assert parsed.note == note
    assert parsed.definitions == ()
    assert_covers(parsed, text)


def test_names_of_deeply_nested_definitions_do_not_grow_without_end() -> None:
    text = "".join(f"{' ' * depth}def f{depth}():\n" for depth in range(400)) + " " * 400 + "pass\n"
    parsed = chunk_source("a.py", text)
    assert_covers(parsed, text)
    assert 20 < len(parsed.definitions) < 100


def test_a_nul_does_not_end_the_file() -> None:
    parsed = chunk_source("a.py", "x = '\0'\n\n\ndef f():\n    return 1\n")
    assert [chunk.qualified_name for chunk in parsed.chunks] == ["", "f"]


def test_a_notebook_that_is_none_is_chunked_by_lines_and_says_so() -> None:
    parsed = chunk_source("a.ipynb", "not json\n\nat all\n")
    assert parsed.note == "not a notebook"
    assert_covers(parsed, "not json\n\nat all\n")


@given(st.text(max_size=200), st.text(max_size=10))
def test_chunking_by_lines_covers_and_keeps_the_note(text: str, note: str) -> None:
    parsed = chunk_by_lines("a.py", text, note)
    assert_covers(parsed, text)
    assert (parsed.language, parsed.note) == ("python", note)
