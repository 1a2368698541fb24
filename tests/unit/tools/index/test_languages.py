"""A file's language by its name or its first line; every row of the table can be used."""

from __future__ import annotations

import pytest

from tools.index.languages import LANGUAGES, find_language, is_test_path, language_named, language_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/app.py", "python"),
        ("types/app.pyi", "python"),
        ("web/App.TSX", "tsx"),
        ("a.mjs", "javascript"),
        ("a.d.ts", "typescript"),
        ("include/a.h", "c"),
        ("a.hpp", "cpp"),
        ("Program.cs", "csharp"),
        ("build.gradle.kts", "kotlin"),
        ("Dockerfile", "dockerfile"),
        ("docker/Dockerfile.dev", "dockerfile"),
        ("Makefile", "make"),
        ("Gemfile", "ruby"),
        (".env.example", "ini"),
        (".editorconfig", "ini"),
        ("poetry.lock", "toml"),
        ("LICENSE", "text"),
        ("LICENSE-MIT", "text"),
        ("README", "text"),
        ("README.md", "markdown"),
        ("docs/index.rst", "rst"),
        ("a.ipynb", "notebook"),
        ("no_suffix", "text"),
        ("a.unknown", "text"),
        ("makefile_parser.py", "python"),
        ("license_check.go", "go"),
    ],
)
def test_the_name_tells_the_language(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("first_line", "language"),
    [
        ("#!/bin/sh", "bash"),
        ("#!/usr/bin/env python3", "python"),
        ("#!/usr/bin/env -S python3.11 -u", "python"),
        ("#! /usr/bin/env node", "javascript"),
        ("#!/usr/bin/env", "text"),
        ("#!", "text"),
        ("print('no shebang')", "text"),
    ],
)
def test_without_a_telling_name_the_first_line_does(first_line: str, language: str) -> None:
    assert language_of("bin/run", first_line) == language


def test_the_name_goes_before_the_first_line() -> None:
    assert language_of("run.rb", "#!/bin/sh") == "ruby"


def test_a_text_file_is_prose_and_an_unknown_one_is_cut_at_blank_lines() -> None:
    assert find_language("notes.txt").style == "prose"
    assert find_language("a.unknown").style == "lines"


def test_names_and_suffixes_are_given_out_once() -> None:
    for column in ("name", "suffixes", "names", "shebangs"):
        values = [getattr(row, column) for row in LANGUAGES]
        flat = [one for value in values for one in ([value] if isinstance(value, str) else value)]
        assert len(flat) == len(set(flat)), column
        assert all(one == one.lower() for one in flat)


def test_a_language_is_found_again_by_its_name() -> None:
    assert all(language_named(row.name) is row for row in LANGUAGES)
    assert language_named("klingon").name == "text"


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "pkg/test_a.py",
        "a_test.go",
        "src/a.test.ts",
        "src/a.spec.tsx",
        "src/__tests__/a.js",
        "runtime-tests/deno/a.ts",
        "spec/models/a_spec.rb",
        "src/test/java/AccountTest.java",
        "OrderTests.cs",
    ],
)
def test_files_of_tests_are_known_by_their_names(path: str) -> None:
    assert is_test_path(path)


@pytest.mark.parametrize(
    "path", ["src/contest.py", "latest.py", "src/testify.go", "attest/a.py", "src/Latest.java"]
)
def test_other_files_are_not_taken_for_tests(path: str) -> None:
    assert not is_test_path(path)
