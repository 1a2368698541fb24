"""Settings are cut at their top-level keys, which are definitions."""

from __future__ import annotations

import pytest

from tools.index.chunker import chunk_source
from tools.index.config_blocks import MAX_KEYS


def _keys(path: str, text: str) -> dict[str, tuple[int, int]]:
    parsed = chunk_source(path, text)
    return {one.qualified_name: (one.first_line, one.last_line) for one in parsed.definitions}


@pytest.mark.parametrize(
    ("path", "text", "keys"),
    [
        ("a.yml", "a:\n  b: 1\n  c:\n    - d: 2\nwith space: x\n", ["a", "a.b", "a.c", "with space"]),
        ("a.yml", "run: |\n  key: no\n\n  other: no\nnext: 1\n", ["run", "next"]),
        ("a.yml", "run: >-  # why\n  key: no\nnext: 1\n", ["run", "next"]),
        ("a.yml", "- name: x\n  value: y\n", []),
        ("a.yml", "url: http://a:80/b\n# a: no\n'q': 1\n---\nz: 1\n", ["url", "q", "z"]),
        ("a.yml", "a.b/c-d: 1\n$ref: 2\n", ["a.b/c-d", "$ref"]),
        ("a.json", '{"a": {"b": {"c": {"d": 1}}}, "": 0}', ["a", "a.b", "a.b.c"]),
        ("a.jsonc", '{\n  // why\n  "a": 1\n}', ["a"]),
        ("a.toml", "a.b = 1\n[c.d]\ne = 2\n[[f]]\ng = 3\n", ["a.b", "c.d", "c.d.e", "f", "f.g"]),
        ("a.ini", "; no\na = 1\n[s t]\nb: 2\n", ["a", "s t", "s t.b"]),
        (".env.example", "# NO=1\nA=1\nexport B=2\n", ["A", "B"]),
        ("a.properties", "log.level=debug\n", ["log.level"]),
    ],
)
def test_keys_are_definitions_down_to_the_third_level(path: str, text: str, keys: list[str]) -> None:
    assert list(_keys(path, text)) == keys


def test_a_key_reaches_to_the_next_that_is_not_below_it() -> None:
    text = "a:\n  b:\n    - 1\n    - 2\n  c: 3\nd: 4\n"
    assert _keys("a.yml", text) == {"a": (1, 5), "a.b": (2, 4), "a.c": (5, 5), "d": (6, 6)}


def test_a_long_key_has_a_chunk_and_short_ones_share_one() -> None:
    text = '{\n  "a": 1,\n  "b": 2,\n  "c": {\n    "d": 1,\n    "e": 2,\n    "f": 3\n  },\n  "g": 4\n}\n'
    parsed = chunk_source("a.json", text)
    assert [(one.first_line, one.last_line, one.symbol) for one in parsed.chunks] == [
        (1, 3, ""),
        (4, 8, "c"),
        (9, 10, "g"),
    ]
    assert {one.kind for one in parsed.chunks} == {"config"}


def test_comments_above_a_key_are_in_its_chunk() -> None:
    text = "short: 1\n\n# Why.\n# More.\nlong:\n  a: 1\n  b: 2\n  c: 3\n  d: 4\n"
    chunks = chunk_source("a.yml", text).chunks
    assert [(one.first_line, one.symbol) for one in chunks] == [(1, "short"), (3, "long")]


def test_data_gives_no_definitions() -> None:
    text = "{" + ",\n".join(f'"k{n}": {n}' for n in range(MAX_KEYS + 1)) + "}"
    assert _keys("a.json", text) == {}


def test_a_broken_file_is_still_covered() -> None:
    assert "".join(one.text for one in chunk_source("a.json", '{"a": [1, }').chunks) == '{"a": [1, }'
