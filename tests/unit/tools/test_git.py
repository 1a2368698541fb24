from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from support.git_repositories import ENVIRONMENT, git, new_repository, write_files
from support.planted import plant_repository

from tools.git import NotARepository, open_repository


def _reason(root: Path) -> str:
    with pytest.raises(NotARepository) as refused:
        open_repository(root)
    return refused.value.reason


def test_tracked_and_new_files_are_listed_and_ignored_ones_are_not(tmp_path: Path) -> None:
    root = new_repository(tmp_path / "repo", {"a.py": "", ".gitignore": "*.log\nout/\n"})
    write_files(root, {"new.py": "", "x.log": "", "out/deep/b.py": ""})
    repository = open_repository(root)
    assert sorted(repository.ls_files()) == [".gitignore", "a.py", "new.py"]
    assert sorted(repository.ignored()) == ["out/", "x.log"]
    assert repository.lists("new.py")
    assert not repository.lists("x.log")
    assert not repository.lists("*.py")


def test_names_of_any_bytes_are_listed(tmp_path: Path) -> None:
    root = new_repository(tmp_path / "repo")
    names = {
        os.fsdecode(name) for name in (b"line\nbreak.py", b"caf\xe9.py", b"--help", b":(top)x", b'q"\t.py')
    }
    for name in names:
        (root / name).touch()
    assert set(open_repository(root).ls_files()) == names
    assert all(open_repository(root).lists(name) for name in names)


def test_the_head_is_named(tmp_path: Path) -> None:
    root = new_repository(tmp_path / "repo")
    head = open_repository(root).head()
    assert head.branch == "main"
    assert head.commit == git(root, "rev-parse", "HEAD")


def test_the_head_before_the_first_commit_and_without_a_branch(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    git(tmp_path / "empty", "init", "-q", "-b", "main")
    assert open_repository(tmp_path / "empty").head().commit == ""
    root = new_repository(tmp_path / "repo")
    git(root, "checkout", "-q", "--detach")
    assert open_repository(root).head().branch == ""


def test_a_plain_folder_is_no_repository(tmp_path: Path) -> None:
    assert _reason(tmp_path) == ""


def test_nothing_of_a_planted_repository_is_run(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    root = plant_repository(tmp_path / "repo", marks)
    repository = open_repository(root)
    assert "src/app.py" in repository.ls_files()
    assert repository.ignored() == []
    assert repository.lists("src/app.py")
    assert repository.head().branch == "main"
    assert list(marks.iterdir()) == []


def test_the_planted_repository_does_catch_a_careless_caller(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    root = plant_repository(tmp_path / "repo", marks)
    subprocess.run(["git", "status"], cwd=root, env=ENVIRONMENT, check=False, capture_output=True)
    assert {"fsmonitor"} <= {mark.name for mark in marks.iterdir()}


def test_a_work_tree_setting_leads_nowhere(tmp_path: Path) -> None:
    write_files(tmp_path / "private", {"diary.txt": "secret"})
    root = new_repository(tmp_path / "repo", {"a.py": ""})
    git(root, "config", "core.worktree", str(tmp_path / "private"))
    assert open_repository(root).ls_files() == ["a.py"]


def test_a_linked_worktree_is_accepted(tmp_path: Path) -> None:
    main = new_repository(tmp_path / "main", {"a.py": ""})
    git(main, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    repository = open_repository(tmp_path / "side")
    assert repository.ls_files() == ["a.py"]
    assert repository.head().branch == "side"


def test_a_submodule_is_accepted(tmp_path: Path) -> None:
    library = new_repository(tmp_path / "library", {"lib.py": ""})
    main = new_repository(tmp_path / "main")
    git(main, "submodule", "--quiet", "add", str(library), "deps/library")
    assert open_repository(main / "deps" / "library").ls_files() == ["lib.py"]


@pytest.mark.parametrize("kind", ["file", "link"])
def test_a_git_folder_that_belongs_to_another_workspace_is_refused(tmp_path: Path, kind: str) -> None:
    private = new_repository(tmp_path / "private", {"diary.txt": "secret"})
    root = tmp_path / "repo"
    root.mkdir()
    if kind == "file":
        (root / ".git").write_text(f"gitdir: {private / '.git'}\n")
    else:
        (root / ".git").symlink_to(private / ".git")
    assert _reason(root) == "`.git` points to a folder that does not point back here"


def test_the_git_file_of_another_worktree_is_refused(tmp_path: Path) -> None:
    private = new_repository(tmp_path / "private")
    git(private, "worktree", "add", "-q", str(tmp_path / "side"))
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / ".git").write_text((tmp_path / "side" / ".git").read_text())
    assert _reason(tmp_path / "repo") == "`.git` points to a folder that does not point back here"


@pytest.mark.parametrize("place", [".git", "planted"])
def test_a_git_folder_that_borrows_from_another_repository_is_refused(tmp_path: Path, place: str) -> None:
    """`commondir` would have git answer with the commits of a repository that is none of this workspace's."""
    private = new_repository(tmp_path / "private", {"diary.txt": "secret"})
    root = new_repository(tmp_path / "repo")
    if place == "planted":
        (root / ".git").rename(root / "planted")
        (root / ".git").write_text("gitdir: planted\n")
        (root / "planted" / "gitdir").write_text(f"{root}/.git\n")
    (root / place / "commondir").write_text(f"{private}/.git\n")
    assert "`.git`" in _reason(root)


def test_a_git_entry_that_is_nothing_of_the_kind_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".git")
    assert "`.git`" in _reason(tmp_path)


def test_a_broken_repository_says_so_without_quoting_git(tmp_path: Path) -> None:
    root = new_repository(tmp_path / "repo")
    (tmp_path / "private.txt").write_text("secret words\n")
    with (root / ".git" / "config").open("a") as config:
        config.write(f"[include]\n\tpath = {tmp_path}/private.txt\n")
    with pytest.raises(NotARepository, match="exit code 128") as refused:
        open_repository(root).ls_files()
    assert "private" not in str(refused.value)


def test_a_repository_of_another_user_is_not_trusted(tmp_path: Path) -> None:
    root = new_repository(tmp_path / "repo")
    if os.geteuid() == 0:  # no one else can give a folder away
        os.chown(root, 12345, 12345)
        assert _reason(root).startswith("dubious ownership")
        os.chown(root, 0, 0)
    assert open_repository(root).ls_files() == []
