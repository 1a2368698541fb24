"""Every query file compiles for its grammars, keeps to the conventions, and costly trees are refused."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from tools.index.languages import LANGUAGES, Language, language_named
from tools.index.tags import NotParsed, find_tags, parse, source_of

_WITH_QUERIES = [row for row in LANGUAGES if row.queries]
_DEFINES = {
    *("function", "method", "class", "interface", "enum", "type", "constant", "variable", "field", "module"),
    *(
        "key",
        "block",
        "impl",
        "test",
        "suite",
        "wrapped",
        "macro",
        "prototype",
        "function.inline",
        "method.inline",
    ),
}
_PLACES = {"name", "body", "scope", "outer", "import", "skip"}
_USES = {"call", "call.member", "member", "name", "local", "ignore", "comment", "attribute"}


@pytest.mark.parametrize("language", _WITH_QUERIES, ids=lambda row: row.name)
def test_the_queries_of_a_language_fit_its_grammar(language: Language) -> None:
    assert find_tags(language, b"x\n").tree.root_node.end_byte == 2


def test_query_files_use_the_captures_that_are_described_and_each_is_used() -> None:
    files = {path.name: path.read_text() for path in (resources.files("tools.index") / "queries").iterdir()}
    assert {f"{name}.scm" for row in _WITH_QUERIES for name in row.queries} == set(files)
    for name, text in files.items():
        definitions, _, references = re.sub(r'"[^"\n]*"|;.*(?<!references)$', "", text, flags=re.M).partition(
            ";; references"
        )
        assert _captures(definitions) <= _DEFINES | _PLACES, name
        assert _captures(references) <= _USES, name


def _captures(query: str) -> set[str]:
    return {found for found in re.findall(r"@([\w.]+)", query) if not found.startswith("_")}


@pytest.mark.parametrize(("piece", "end"), [(b"(\n", b""), (b"f(\n", b")")], ids=["siblings", "nested"])
def test_a_tree_on_which_queries_would_take_minutes_is_refused(piece: bytes, end: bytes) -> None:
    with pytest.raises(NotParsed, match="too deeply nested"):
        find_tags(language_named("python"), piece * 60_000 + end * 60_000)


def test_large_data_is_not_refused() -> None:
    source = b"TABLE = [\n" + b"    1, 2, 3, 4,\n" * 20_000 + b"]\n"
    assert [tag.name for tag in find_tags(language_named("python"), source).definitions] == ["TABLE"]


def test_a_parse_that_is_given_up_leaves_nothing_behind() -> None:
    language = language_named("cpp")
    with pytest.raises(NotParsed, match="timed out"):
        parse(language, b'{"a":' * 60_000, seconds=0.05)
    assert not parse(language, b"int x;\n").root_node.has_error


def test_rows_are_lines_whatever_else_looks_like_a_line_end() -> None:
    source = source_of(["x = '\r\x0b\x0c\u2028'", "y = 1", "z = '\0'"])
    rows = {tag.name: tag.name_row for tag in find_tags(language_named("python"), source).definitions}
    assert rows["y"] == 1
    assert source.count(b"\n") == 2
