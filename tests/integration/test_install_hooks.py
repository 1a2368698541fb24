"""`install-hooks` with real git: the index follows merges, checkouts and rebases, and nobody's hook is touched."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.git_repositories import ENVIRONMENT, git, new_repository, write_files
from support.program import called, environment

from tools.errors import UserError
from tools.git import open_repository
from tools.git_hooks import HOOKS, MARK, Hooks, hooks_of
from tools.index.catalog import Catalog

PATIENCE_SECONDS = 60
TICK_SECONDS = 0.1


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = new_repository(tmp_path / "work", {"a.py": "first = 1\n"})
    git(root, "switch", "-q", "-c", "side")
    write_files(root, {"side.py": "def only_on_side(): ...\n"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "side")
    git(root, "switch", "-q", "main")
    return root


def recording(folder: Path, log: Path) -> tuple[str, ...]:
    """A program that notes its arguments and whether git's own variables reached it, a little later."""
    program = folder / "recorder.py"
    program.write_text(
        "import os, sys, time\ntime.sleep(0.5)\n"
        f"line = ' '.join(sys.argv[1:]) + ' ' + str('GIT_DIR' in os.environ)\n"
        f"open({str(log)!r}, 'a').write(line + chr(10))\n"
    )
    return (sys.executable, str(program))


def lines_of(log: Path, count: int) -> list[str]:
    """What was noted, once there are so many lines."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not log.exists() or len(log.read_text().splitlines()) < count:
        assert time.monotonic() < end, log.read_text() if log.exists() else "nothing was started"
        threading.Event().wait(TICK_SECONDS)
    return log.read_text().splitlines()


def test_the_program_is_started_behind_gits_back_in_the_worktree_that_changed(root, tmp_path) -> None:
    log = tmp_path / "log"
    Hooks(root / ".git" / "hooks", recording(tmp_path, log)).install()
    git(root, "switch", "-q", "side")
    git(root, "switch", "-q", "main")
    git(root, "merge", "-q", "--no-edit", "side")
    assert lines_of(log, 3) == [f"-q index --no-vectors -C {root} False"] * 3
    git(root, "checkout", "-q", "HEAD", "--", "a.py")
    git(root, "worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    assert lines_of(log, 4)[3] == f"-q index --no-vectors -C {tmp_path / 'other'} False"
    git(root, "commit", "-q", "--amend", "-m", "amended")
    assert lines_of(log, 5)[4] == f"-q index --no-vectors -C {root} False"


def test_git_goes_on_where_the_program_fails_or_is_gone(root, tmp_path) -> None:
    Hooks(root / ".git" / "hooks", (str(tmp_path / "it's gone"),)).install()
    git(root, "switch", "-q", "side")
    assert git(root, "branch", "--show-current") == "side"


def test_the_index_follows_a_checkout(root, tmp_path) -> None:
    home = tmp_path / "home"
    done = called("install-hooks", home=home, here=root)
    assert done.returncode == 0, done.stderr
    variables = environment(home) | {key: ENVIRONMENT[key] for key in ENVIRONMENT if key.startswith("GIT_")}
    subprocess.run(["git", "switch", "-q", "side"], cwd=root, env=variables, check=True)
    end, found = time.monotonic() + PATIENCE_SECONDS, False
    while not found:
        assert time.monotonic() < end
        threading.Event().wait(TICK_SECONDS)
        for catalog in home.rglob("catalog.db"):
            try:
                with Catalog.open(catalog.parent, read_only=True) as opened:
                    found = bool(opened.definitions("only_on_side"))
            except UserError:  # it is being made just now
                found = False
    assert found


def test_a_persons_own_hook_is_left_alone_and_told_the_line_to_add(root, tmp_path) -> None:
    own = root / ".git" / "hooks" / "post-merge"
    own.parent.mkdir(exist_ok=True)
    own.write_text("#!/bin/sh\necho mine\n")
    done = called("install-hooks", home=tmp_path / "home", here=root)
    assert own.read_text() == "#!/bin/sh\necho mine\n"
    assert "post-merge: is somebody's own and was left alone" in done.stdout
    assert "post-checkout: indexes in the background" in done.stdout
    assert "add this line to it: (env -u GIT_DIR" in done.stdout
    called("install-hooks", "--remove", home=tmp_path / "home", here=root)
    assert own.read_text() == "#!/bin/sh\necho mine\n"
    assert not (own.parent / "post-checkout").exists()


def test_status_and_json_say_how_the_hooks_stand(root, tmp_path) -> None:
    home = tmp_path / "home"
    done = called("install-hooks", "--status", "--json", home=home, here=root)
    assert json.loads(done.stdout)["hooks"] == dict.fromkeys(HOOKS, "missing")
    called("install-hooks", home=home, here=root)
    done = called("install-hooks", "--status", "--json", home=home, here=root)
    assert json.loads(done.stdout)["hooks"] == dict.fromkeys(HOOKS, "ours")
    assert all(MARK in (root / ".git" / "hooks" / name).read_text() for name in HOOKS)


def test_a_hooks_folder_that_is_named_is_used_only_inside_the_repository_and_on_request(
    root, tmp_path
) -> None:
    home = tmp_path / "home"
    git(root, "config", "core.hooksPath", "tools/hooks")
    done = called("install-hooks", home=home, here=root)
    assert (done.returncode, "give `--hooks-path`" in done.stderr) == (4, True)
    assert called("install-hooks", "--hooks-path", home=home, here=root).returncode == 0
    assert (root / "tools" / "hooks" / "post-merge").stat().st_mode & 0o111
    git(root, "config", "core.hooksPath", str(tmp_path / "shared"))
    done = called("install-hooks", "--hooks-path", home=home, here=root)
    assert "outside this repository" in done.stderr
    assert not (tmp_path / "shared").exists()


def test_a_hooks_folder_of_the_persons_own_settings_is_seen(root, tmp_path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".gitconfig").write_text("[core]\n\thooksPath = ~/hooks\n")
    repository = open_repository(root)
    assert repository.named_hooks_folder(tmp_path / "home") == "~/hooks"
    assert repository.named_hooks_folder(tmp_path) == ""


def test_a_worktree_installs_for_the_whole_repository(root, tmp_path) -> None:
    git(root, "worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    hooks = hooks_of(open_repository(tmp_path / "other"), ("codewitness",), "", accept_named=False)
    assert hooks.folder == root / ".git" / "hooks"


def test_without_a_repository_there_is_nothing_to_install_in(tmp_path) -> None:
    (tmp_path / "plain").mkdir()
    done = called("install-hooks", home=tmp_path / "home", here=tmp_path / "plain")
    assert (done.returncode, "holds no `.git`" in done.stderr) == (2, True)
