from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.git_repositories import git, new_repository, write_files

from tools.index.catalog import Catalog
from tools.index.commits import MADE_WITH, index_commits, search_commits


def committed(root: Path, message: str, files: dict[str, str] | None = None) -> str:
    write_files(root, files or {})
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = new_repository(tmp_path / "work", {"auth/tokens.py": "def refresh(token): ...\n"})
    committed(root, "Refresh tokens earlier", {"auth/tokens.py": "def refresh(token): return renew(token)\n"})
    committed(root, "Hash the password", {"users.py": "def total_rounds(password): ...\n"})
    committed(
        root, "Tidy up", {"auth/tokens.py": "def refresh(session_token): return renew(session_token)\n"}
    )
    return root


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    (tmp_path / "data").mkdir()
    with Catalog.open(tmp_path / "data") as opened:
        yield opened


def found(catalog: Catalog, text: str) -> list[str]:
    return [one.commit.subject for one in search_commits(catalog, text, limit=10)]


def test_commits_are_found_by_subject_path_and_changed_lines(root, catalog) -> None:
    assert index_commits(catalog, root) == 4
    assert found(catalog, "token refresh") == ["Tidy up", "Refresh tokens earlier", "first"]
    assert found(catalog, "total rounds of the password") == ["Hash the password"]
    assert found(catalog, "quantum blockchain") == []


@pytest.mark.parametrize(
    "question",
    [
        "what changed in the password lately?",
        "¿qué cambió últimamente en la contraseña?",
        "o que mudou recentemente na senha?",
        "最近パスワードで何が変更された？",
    ],
)
def test_words_about_time_do_not_count_in_any_language(root, catalog, question) -> None:
    index_commits(catalog, root)
    assert found(catalog, question) == ["Hash the password"]


def test_a_question_about_nothing_but_time_gives_the_newest(root, catalog) -> None:
    index_commits(catalog, root)
    assert found(catalog, "what changed recently?")[0] == "Tidy up"


def test_a_second_run_adds_what_is_new_and_a_third_nothing(root, catalog) -> None:
    index_commits(catalog, root)
    committed(root, "Ship it", {"cart.py": "shipped = True\n"})
    assert index_commits(catalog, root) == 1
    changes = catalog.change_count()
    assert index_commits(catalog, root) == 0
    assert catalog.change_count() == changes
    assert catalog.commit_state() == (git(root, "rev-parse", "HEAD"), MADE_WITH)


def test_only_so_many_are_kept_and_rewritten_ones_are_forgotten(root, catalog) -> None:
    index_commits(catalog, root, most=3)
    assert len(catalog.commit_shas()) == 3
    git(root, "commit", "-q", "--amend", "-m", "Tidy it all up")
    index_commits(catalog, root, most=3)
    assert found(catalog, "tidy") == ["Tidy it all up"]
    assert len(catalog.commit_shas()) == 3


def test_what_time_does_not_allow_is_done_by_the_next_run(root, catalog) -> None:
    assert index_commits(catalog, root, seconds=0) == 0
    assert catalog.commit_state()[0] == ""
    assert index_commits(catalog, root) == 4


def test_where_there_is_no_history_there_are_no_commits(root, catalog, tmp_path) -> None:
    assert found(catalog, "tokens") == []
    assert index_commits(catalog, tmp_path / "data") == 0
    index_commits(catalog, root)
    (root / ".git").rename(tmp_path / "away")
    assert index_commits(catalog, root) == 0
    assert catalog.commit_shas() == frozenset()


def test_secrets_of_history_are_not_found(root, catalog) -> None:
    token = "ghp_" + "a1B2" * 9
    committed(root, "Configure", {"deploy.py": f'token = "{token}"\n', ".env": "MARKER=zebrafish\n"})
    index_commits(catalog, root)
    assert found(catalog, token) == []
    assert found(catalog, "zebrafish") == []
