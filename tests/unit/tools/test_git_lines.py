from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.git_repositories import git, new_repository, write_files

from tools.git import open_repository
from tools.git_lines import committed_lines, last_commits
from tools.workspace import Workspace

LINES = "one = 1\ntwo = 2\nthree = 3\nfour = 4\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "repo", {"a.py": LINES})


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    opened = Workspace(root)
    yield opened
    opened.close()


def test_lines_are_found_in_the_last_commit_whatever_was_edited_around_them(root, workspace) -> None:
    write_files(root, {"a.py": "# new\none = 1\ntwo = 22\nthree = 3\nfour = 4\n# last\n"})
    found = committed_lines(open_repository(root), workspace.read("a.py"))
    assert {line: found.by_line.get(line) for line in range(1, 7)} == {
        1: None,
        2: 1,
        3: None,
        4: 3,
        5: 4,
        6: None,
    }
    assert found.range_of(3, 5) == (3, 4)
    assert found.range_of(1, 1) is None


def test_line_ends_and_masked_secrets_are_no_difference(root, workspace) -> None:
    secret = f'token = "ghp_{"a1B2" * 9}"\n'
    write_files(root, {"a.py": secret + LINES})
    git(root, "commit", "-q", "-a", "-m", "token")
    (root / "a.py").write_bytes((secret + LINES).replace("\n", "\r\n").encode())
    found = committed_lines(open_repository(root), workspace.read("a.py"))
    assert found.by_line == {line: line for line in range(1, 6)}


def test_a_file_that_was_never_committed_has_no_lines_there(root, workspace) -> None:
    write_files(root, {"new.py": LINES})
    assert not committed_lines(open_repository(root), workspace.read("new.py")).is_tracked


def test_each_line_has_the_commit_that_changed_it_last(root) -> None:
    first = git(root, "rev-parse", "HEAD")
    write_files(root, {"a.py": LINES.replace("two = 2", "two = 22")})
    git(root, "commit", "-q", "-a", "-m", "second")
    second = git(root, "rev-parse", "HEAD")
    repository = open_repository(root)
    assert last_commits(repository, "a.py", 1, 3) == {1: first, 2: second, 3: first}
    assert last_commits(repository, "a.py", 1, 3, seconds=0) is None
