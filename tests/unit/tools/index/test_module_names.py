from __future__ import annotations

import pytest

from tools.index.module_names import module_of_path, module_parts, same_module


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("flask.sessions", ["flask", "sessions"]),
        ("..sessions", ["sessions"]),
        ("./lib/util.js", ["lib", "util"]),
        ("@scope/pkg/deep", ["@scope", "pkg", "deep"]),
        ("std::fs", ["std", "fs"]),
        ("crate::parser::lexer", ["parser", "lexer"]),
        ("<sys/types.h>", ["sys", "types"]),
        ("github", ["github"]),
        ("..", []),
    ],
)
def test_a_module_is_taken_apart_whatever_the_language(written: str, parts: list[str]) -> None:
    assert module_parts(written) == parts


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("src/flask/sessions.py", ["src", "flask", "sessions"]),
        ("src/flask/__init__.py", ["src", "flask"]),
        ("src/router/index.ts", ["src", "router"]),
        ("src/parser/mod.rs", ["src", "parser"]),
        ("main.go", ["main"]),
    ],
)
def test_a_file_is_imported_by_its_path_or_by_its_folder(path: str, parts: list[str]) -> None:
    assert module_of_path(path) == parts


def test_modules_are_the_same_as_far_as_both_are_spelled_out() -> None:
    assert same_module(["sessions"], ["flask", "sessions"])
    assert same_module(["src", "flask", "sessions"], ["flask", "sessions"])
    assert not same_module(["werkzeug", "sessions"], ["flask", "sessions"])
    assert not same_module([], ["flask"])
