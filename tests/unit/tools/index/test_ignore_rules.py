from __future__ import annotations

import time
from pathlib import Path

import pytest

from tools.index.ignore_rules import is_ignored, parse_rules, read_rules
from tools.workspace import Workspace


@pytest.mark.parametrize(
    ("patterns", "path", "ignored"),
    [
        (["*.log"], "a/b.log", True),
        (["*.log", "!keep.log"], "a/keep.log", False),
        (["/build"], "build/", True),
        (["/build"], "src/build/", False),
        (["build/"], "src/build/", True),
        (["build/"], "src/build", False),
        (["docs/**/*.txt"], "docs/a/b/c.txt", True),
        (["a/*"], "a/b", True),
        (["# comment", "", "  "], "comment", False),
        ([r"\#file"], "#file", True),
        (["*.py[cod]"], "x.pyc", True),
    ],
)
def test_patterns_mean_what_they_mean_to_git(patterns: list[str], path: str, ignored: bool) -> None:
    rules = parse_rules("", patterns)
    assert is_ignored(path, [rules] if rules else []) == ignored


def test_the_innermost_rules_that_speak_of_a_path_decide() -> None:
    outer, inner = parse_rules("", ["*.txt"]), parse_rules("docs", ["!*.txt", "/draft.txt"])
    assert outer
    assert inner
    assert is_ignored("a.txt", [outer])
    assert not is_ignored("docs/a.txt", [outer, inner])
    assert is_ignored("docs/draft.txt", [outer, inner])


def test_lines_that_are_no_pattern_are_dropped_and_the_others_hold() -> None:
    rules = parse_rules("", ["!", "/", "a[", "*.log"])
    assert rules
    assert rules.verdict("x.log")


def test_a_pattern_made_to_be_slow_is_dropped() -> None:
    rules = parse_rules("", ["*a" * 20 + "b", "*.log"])
    assert rules
    started = time.process_time()
    assert not rules.verdict("a" * 250)
    assert time.process_time() - started < 1


def test_ignore_files_are_read_and_links_are_not(tmp_path: Path) -> None:
    (tmp_path / "code" / "in").mkdir(parents=True)
    (tmp_path / "code" / "in" / ".gitignore").write_bytes("\ufeff*.log\r\nünï\n".encode())
    (tmp_path / "outside").write_text("*.py\n")
    (tmp_path / "code" / ".ignore").symlink_to(tmp_path / "outside")
    workspace = Workspace(tmp_path / "code")
    inner = read_rules(workspace, "in", [".gitignore", ".ignore"])
    assert [is_ignored(path, inner) for path in ("in/a.log", "in/ünï", "in/a.py")] == [True, True, False]
    assert read_rules(workspace, "", [".gitignore", ".ignore"]) == []
    workspace.close()
