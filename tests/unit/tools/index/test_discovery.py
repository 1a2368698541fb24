from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.git_repositories import git, new_repository, write_files
from support.planted import plant_repository

from tools.index.chunk import Discovery
from tools.index.discovery import Stopped, discover, explain
from tools.workspace import Workspace

SetUp = Callable[[Path, dict[str, str]], Path]


def _discover(
    root: Path, *, max_file_bytes: int = 1024 * 1024, extra_ignores: tuple[str, ...] = ()
) -> Discovery:
    workspace = Workspace(root)
    try:
        return discover(workspace, max_file_bytes=max_file_bytes, extra_ignores=extra_ignores)
    finally:
        workspace.close()


def _explain(root: Path, path: str) -> str:
    workspace = Workspace(root)
    try:
        return explain(workspace, path, extra_ignores=["*.sql"])
    finally:
        workspace.close()


def _plain_folder(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    write_files(folder, files)
    return folder


@pytest.fixture(params=[_plain_folder, new_repository], ids=["walk", "git"])
def set_up(request: pytest.FixtureRequest) -> SetUp:
    return request.param


def _reasons(found: Discovery) -> dict[str, str]:
    return {skip.path: skip.reason for skip in found.skips}


def test_sources_are_listed_sorted_and_everything_else_has_a_reason(set_up: SetUp, tmp_path: Path) -> None:
    root = set_up(tmp_path / "code", {"src/b.py": "", "a.py": "", "README.md": ""})
    write_files(
        root,
        {
            **{".env": "K=1", "logo.png": "x", "yarn.lock": "x", "big.py": "x" * 2000, "new.py": ""},
            **{"keep/skipme.py": "", "data.sql": "", ".codewitnessignore": "skipme.py\n!.env\n"},
        },
    )
    (root / "link.py").symlink_to("a.py")
    (root / "out").symlink_to("/etc")
    found = _discover(root, max_file_bytes=1000, extra_ignores=("*.sql",))
    assert found.paths == (".codewitnessignore", "README.md", "a.py", "new.py", "src/b.py")
    assert _reasons(found) == {
        ".env": "secret file",
        "big.py": "too large",
        "data.sql": "excluded by your settings",
        "keep/skipme.py": "excluded by `.codewitnessignore`",
        "link.py": "symlink",
        "logo.png": "binary",
        "out": "symlink",
        "yarn.lock": "generated",
    }


def test_ignore_files_are_honoured_nested_and_negated(set_up: SetUp, tmp_path: Path) -> None:
    root = set_up(
        tmp_path / "code",
        {".gitignore": "*.log\n/out/\n", "in/.gitignore": "!keep.log\nlocal/\n", "in/a.py": ""},
    )
    write_files(
        root, {"x.log": "", "in/keep.log": "", "in/drop.log": "", "in/local/b.py": "", "out/c.py": ""}
    )
    found = _discover(root)
    assert found.paths == (".gitignore", "in/.gitignore", "in/a.py", "in/keep.log")
    assert _reasons(found) == {"x.log": "ignored", "in/drop.log": "ignored"}
    assert found.ignored_folders == ("in/local", "out")


def test_our_ignore_file_takes_folders_and_can_only_leave_out(set_up: SetUp, tmp_path: Path) -> None:
    root = set_up(tmp_path / "code", {".gitignore": "x.log\n", ".codewitnessignore": "docs/\n!x.log\n"})
    write_files(root, {"docs/deep/a.md": "", "x.log": "", "a.py": ""})
    found = _discover(root)
    assert "a.py" in found.paths
    assert _reasons(found) == {"docs/deep/a.md": "excluded by `.codewitnessignore`", "x.log": "ignored"}


@pytest.mark.parametrize("name", [b"line\nbreak.py", b"caf\xe9.py", b"-rf.py", b"a\x1b[31m.py"])
def test_names_of_any_bytes_are_listed(set_up: SetUp, tmp_path: Path, name: bytes) -> None:
    root = set_up(tmp_path / "code", {})
    (root / os.fsdecode(name)).touch()
    assert _discover(root).paths == (os.fsdecode(name),)


def test_fifos_are_passed_by(set_up: SetUp, tmp_path: Path) -> None:
    root = set_up(tmp_path / "code", {"a.py": ""})
    os.mkfifo(root / "fifo")
    assert _discover(root).paths == ("a.py",)


def test_how_the_files_were_listed_is_said(tmp_path: Path) -> None:
    assert _discover(_plain_folder(tmp_path / "plain", {})).listed_by == "walk"
    assert _discover(new_repository(tmp_path / "repo")).listed_by == "git"
    strange = _plain_folder(tmp_path / "strange", {".git": "gitdir: /nowhere\n", "a.py": ""})
    found = _discover(strange)
    assert found.listed_by == "walk: `.git` points to a folder that does not point back here"
    assert found.paths == ("a.py",)


def test_repositories_inside_a_repository_are_counted(tmp_path: Path) -> None:
    library = new_repository(tmp_path / "library", {"lib.py": ""})
    root = new_repository(tmp_path / "main", {"a.py": ""})
    git(root, "submodule", "--quiet", "add", str(library), "deps")
    new_repository(root / "nested", {"b.py": ""})
    found = _discover(root)
    assert found.paths == (".gitmodules", "a.py")
    assert _reasons(found) == {"deps": "submodule", "nested": "nested repository"}


def test_a_plain_folder_of_repositories_is_walked_whole(tmp_path: Path) -> None:
    root = _plain_folder(tmp_path / "all", {})
    for name in ("one", "two"):
        new_repository(root / name, {"a.py": ""})
    assert _discover(root).paths == ("one/a.py", "two/a.py")


def test_a_repository_that_git_may_not_list_keeps_nested_ones_out(tmp_path: Path) -> None:
    root = _plain_folder(tmp_path / "code", {".git": "gitdir: /nowhere\n", "a.py": ""})
    new_repository(root / "nested", {"b.py": ""})
    assert _reasons(_discover(root)) == {"nested": "nested repository"}


def test_a_walk_passes_by_what_was_built_or_vendored(tmp_path: Path) -> None:
    root = _plain_folder(
        tmp_path / "code",
        {
            **{"a.py": "", "node_modules/x/index.js": "", "env/pyvenv.cfg": "", "env/lib/y.py": ""},
            **{"Cargo.toml": "", "target/z.rs": "", "build/source.ts": ""},
        },
    )
    found = _discover(root)
    assert found.paths == ("Cargo.toml", "a.py", "build/source.ts")
    assert _reasons(found) == dict.fromkeys(("env", "node_modules", "target"), "vendored or built")


def test_a_tracked_file_that_was_deleted_is_said(tmp_path: Path) -> None:
    root = new_repository(tmp_path / "repo", {"a.py": "", "b.py": ""})
    (root / "b.py").unlink()
    found = _discover(root)
    assert found.paths == ("a.py",)
    assert _reasons(found) == {"b.py": "deleted, and still tracked"}


def test_a_file_in_conflict_is_listed_once(tmp_path: Path) -> None:
    root = new_repository(tmp_path / "repo", {"a.py": ""})
    blob = git(root, "rev-parse", "HEAD:a.py")
    git(root, "rm", "-q", "--cached", "a.py")
    sides = "".join(f"100644 {blob} {side}\ta.py\n" for side in (1, 2, 3))
    git(root, "update-index", "--index-info", stdin=sides)
    assert git(root, "ls-files").split() == ["a.py"] * 3
    assert _discover(root).paths == ("a.py",)


def test_a_planted_repository_has_nothing_run(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    found = _discover(plant_repository(tmp_path / "repo", marks))
    assert "src/app.py" in found.paths
    assert list(marks.iterdir()) == []


def test_an_ignore_file_that_is_a_fifo_keeps_a_walk_from_nothing(tmp_path: Path) -> None:
    root = _plain_folder(tmp_path / "code", {"a.py": ""})
    os.mkfifo(root / ".gitignore")
    os.mkfifo(root / ".codewitnessignore")
    assert _discover(root).paths == ("a.py",)


def test_a_listing_can_be_stopped(set_up: SetUp, tmp_path: Path) -> None:
    workspace = Workspace(set_up(tmp_path / "code", {"a.py": ""}))
    with pytest.raises(Stopped):
        discover(workspace, stop=lambda: True)
    workspace.close()


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("a.py", "`a.py` is indexed"),
        ("./a.py", "`a.py` is indexed"),
        (".env", "`.env` is not indexed: secret file"),
        ("gone.py", "`gone.py` is not indexed: not found"),
        ("sub", "`sub` is not indexed: a folder"),
        ("../x", "`../x` is not indexed: outside the workspace"),
        ("x.sql", "`x.sql` is not indexed: excluded by your settings"),
        ("made.go", "`made.go` is not indexed: generated"),
        ("link.py", "`link.py` is not indexed: symlink to `a.py`, read `a.py` instead"),
    ],
)
def test_one_sentence_explains_a_file(set_up: SetUp, tmp_path: Path, path: str, sentence: str) -> None:
    files = {
        "a.py": "x = 1\n",
        ".env": "",
        "sub/b.py": "",
        "x.sql": "",
        "made.go": "// Code generated by x. DO NOT EDIT.\n",
    }
    root = set_up(tmp_path / "code", files)
    (root / "link.py").symlink_to("a.py")
    assert _explain(root, path) == sentence


def test_an_ignored_file_is_explained(tmp_path: Path) -> None:
    files = {".gitignore": "*.log\nout/\n", "x.log": "", "out/a.py": "", "node_modules/b.js": ""}
    plain = _plain_folder(tmp_path / "plain", files)
    assert _explain(plain, "x.log") == "`x.log` is not indexed: ignored"
    assert _explain(plain, "out/a.py") == "`out/a.py` is not indexed: its folder `out` is left out: ignored"
    assert "vendored" in _explain(plain, "node_modules/b.js")
    repository = new_repository(tmp_path / "repo")
    write_files(repository, files)
    assert "git ignores it" in _explain(repository, "x.log")
