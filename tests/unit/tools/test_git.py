from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from support.git_repositories import ENVIRONMENT, git, new_repository, write_files
from support.planted import plant_repository, trap_program

from tools.git import NotARepository, open_repository
from tools.git_lines import last_commits
from tools.git_log import History


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


def test_history_and_comparison_run_nothing_of_a_planted_repository(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    root = plant_repository(tmp_path / "repo", marks)
    repository = open_repository(root)
    history = History(repository)
    (commit,) = history.log(count=5).commits
    assert [change.path for change in commit.changes] == [".gitattributes", "src/app.py"]
    assert history.log("-L1,1:src/app.py", count=5).commits
    assert history.log("--follow", count=5, paths=("src/app.py",)).commits
    assert history.commit(commit.sha) == commit
    assert last_commits(repository, "src/app.py", 1, 1) == {1: commit.sha}
    assert repository.blob("HEAD", "src/app.py", 1_000) == b"needle = 1\n"
    hooks = ["hooks/post-checkout", "hooks/post-index-change", "hooks/pre-commit"]
    assert repository.changed_since("HEAD") == [".ignore", ".rgignore", *hooks, "src/app.py"]
    assert list(marks.iterdir()) == []


def test_a_filter_with_an_odd_name_is_switched_off_too(tmp_path: Path) -> None:
    (tmp_path / "marks").mkdir()
    trap = trap_program(tmp_path / "marks", "clean")
    root = new_repository(tmp_path / "repo", {"a.py": "x = 1\n", ".gitattributes": "*.py filter=e=v.il\n"})
    git(root, "config", "filter.e=v.il.clean", str(trap))
    git(root, "config", "filter.e=v.il.required", "true")
    (root / "a.py").write_text("x = 2\n")
    assert open_repository(root).changed_since("HEAD") == ["a.py"]
    assert list((tmp_path / "marks").iterdir()) == []


def test_a_missing_object_is_never_fetched_by_the_repositorys_own_means(tmp_path: Path) -> None:
    (tmp_path / "marks").mkdir()
    trap = trap_program(tmp_path / "marks", "fetch")
    trap.write_text(trap.read_text().replace("exec cat", "exit 1"))  # git would wait for a server's greeting
    root = new_repository(tmp_path / "repo", {"a.py": "x = 1\n"})
    blob = git(root, "rev-parse", "HEAD:a.py")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for setting, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "evil",
        "remote.evil.promisor": "true",
        "remote.evil.url": f"ext::{trap}",
        "protocol.ext.allow": "always",
    }.items():
        git(root, "config", setting, value)
    with pytest.raises(NotARepository, match="exit code"):
        History(open_repository(root)).log(count=1)
    assert list((tmp_path / "marks").iterdir()) == []
    subprocess.run(["git", "show"], cwd=root, env=ENVIRONMENT, check=False, capture_output=True)
    assert [mark.name for mark in (tmp_path / "marks").iterdir()] == ["fetch"]


def test_replaced_and_grafted_commits_are_read_as_they_are(tmp_path: Path) -> None:
    root = new_repository(tmp_path / "repo", {"a.py": "x = 1\n"})
    first = git(root, "rev-parse", "HEAD")
    git(root, "commit", "-q", "--allow-empty", "-m", "second")
    second = git(root, "rev-parse", "HEAD")
    forged = git(root, "commit-tree", "HEAD^{tree}", "-m", "forged")
    git(root, "replace", second, forged)
    (root / ".git" / "info" / "grafts").write_text(f"{second}\n")
    commits = History(open_repository(root)).log(count=5, patches=False).commits
    assert [(one.sha, one.subject) for one in commits] == [(second, "second"), (first, "first")]


def test_what_changed_since_a_revision(tmp_path: Path) -> None:
    root = new_repository(tmp_path / "repo", {"a.py": "", "b.py": "", "c.py": "", "old.py": "x = 1\n"})
    write_files(root, {"b.py": "b = 1\n"})
    git(root, "mv", "old.py", "moved.py")
    git(root, "commit", "-q", "-a", "-m", "second")
    write_files(root, {"c.py": "c = 1\n", "new.py": ""})
    repository = open_repository(root)
    assert repository.changed_since("HEAD") == ["c.py", "new.py"]
    assert repository.changed_since("HEAD~1") == ["b.py", "c.py", "moved.py", "new.py", "old.py"]
    assert repository.commit_named("HEAD~1")
    for odd in ("--output=x", "nowhere", "HEAD:a.py", "x\ny", ""):
        assert repository.commit_named(odd) == ""


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
