"""The one caller of git: a fixed, hardened command line in an environment built from nothing.

A repository's own configuration can make git run programs (fsmonitor, hooks, pagers, diff drivers), look at other
folders (`core.worktree`, a `.git` that points elsewhere) or wait for ever. So everything that runs programs is
switched off, folder and git folder are named on the command line, and a git folder outside the workspace counts
only where it points back here. Whatever does not fit is `NotARepository`, and the caller walks the folder instead.
Commands that read file contents (status, diff, blame) would still run filter drivers: they are not called here.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from tools.subprocesses import built_environment, find_program, run

_TIMEOUT_SECONDS = 30.0
_MAX_LIST_BYTES = 512 * 1024 * 1024
_MAX_SMALL_FILE_BYTES = 64 * 1024
_HARDENED = (
    "--no-pager",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.pager=cat"),
    *("-c", f"core.attributesFile={os.devnull}"),
    *("-c", f"core.excludesFile={os.devnull}"),
    *("-c", "diff.external="),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "safe.bareRepository=explicit"),
)
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
}
_WORKTREE_SETTING = re.compile(r"(?im)^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t]*\r?$")


class NotARepository(Exception):
    """The workspace has no git repository that may be used; `reason` says why, or is "" where there simply is none."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason or "no git repository")
        self.reason: str = reason


@dataclass(frozen=True, slots=True)
class Head:
    """Where the repository stands."""

    branch: str
    """Name of the branch, or "" where none is checked out."""
    commit: str
    """Full hash, or "" before the first commit."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A git repository whose working folder is the workspace."""

    root: Path
    git_folder: Path
    program: Path

    def ls_files(self) -> list[str]:
        """Tracked files and those that git would offer to add; a folder (ends in "/") is a repository of its own.

        Paths are relative, undecodable bytes as surrogates. Raises: NotARepository, where git fails.
        """
        return self._list("ls-files", "-z", "--cached", "--others", "--exclude-standard")

    def ignored(self) -> list[str]:
        """What the ignore rules leave out, whole folders once and ending in "/". Raises: NotARepository."""
        return self._list("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")

    def lists(self, path: str) -> bool:
        """Whether `ls_files` holds this path. Raises: NotARepository."""
        asked = (
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--",
            f":(top,literal){path}",
        )
        return path in self._list(*asked)

    def head(self) -> Head:
        """Branch and commit now. Raises: NotARepository."""
        commit = self._git("rev-parse", "--verify", "--quiet", "HEAD^{commit}", may_fail=True)
        branch = self._git("symbolic-ref", "--short", "--quiet", "HEAD", may_fail=True)
        return Head(_text(branch), _text(commit))

    def _list(self, *arguments: str) -> list[str]:
        listed = self._git(*arguments)
        return [os.fsdecode(name) for name in listed.split(b"\0") if name]

    def _git(self, *arguments: str, may_fail: bool = False) -> bytes:
        where = ("-C", str(self.root), f"--git-dir={self.git_folder}", f"--work-tree={self.root}")
        try:
            finished = run(
                [str(self.program), *where, *_HARDENED, *arguments],
                environment=built_environment(**_ENVIRONMENT),
                timeout_seconds=_TIMEOUT_SECONDS,
                max_stdout_bytes=_MAX_LIST_BYTES,
            )
        except OSError as error:
            raise NotARepository("git cannot be started") from error
        if finished.reason != "exit":
            raise NotARepository(f"git ended early: {finished.reason}")
        if finished.exit_code and not may_fail:
            # Git's own words may quote files outside the workspace that its configuration names.
            raise NotARepository(f"git failed with exit code {finished.exit_code}")
        return finished.stdout


def open_repository(root: Path) -> Repository:
    """The repository of which `root` (a real path) is the top folder.

    Raises: NotARepository.
    """
    if not os.path.lexists(root / ".git"):
        raise NotARepository("")
    git_folder = _git_folder(root)
    for folder in (root, git_folder):
        if not _is_own(folder):
            raise NotARepository("dubious ownership: the folder belongs to another user")
    program = find_program("git", outside=root)
    if program is None:
        raise NotARepository("git is not installed")
    return Repository(root, git_folder, program)


def _git_folder(root: Path) -> Path:
    """The git folder of a workspace, once it is certain that it belongs to this workspace and to no other."""
    dot_git = root / ".git"
    if dot_git.is_dir() and not dot_git.is_symlink():
        # Git reads refs and objects from where `commondir` points: only a linked worktree has a use for it.
        if os.path.lexists(dot_git / "commondir"):
            raise NotARepository("`.git` refers to another repository")
        return dot_git
    git_folder = _pointed_to(dot_git)
    if git_folder is None or not _points_back(git_folder, root):
        raise NotARepository("`.git` points to a folder that does not point back here")
    return git_folder


def _pointed_to(dot_git: Path) -> Path | None:
    """The folder that a `.git` link or file names."""
    if dot_git.is_symlink():
        return Path(os.path.realpath(dot_git))
    content = _small_file(dot_git)
    if not content.startswith("gitdir:"):
        return None
    return Path(os.path.realpath(dot_git.parent / content.removeprefix("gitdir:").strip()))


def _points_back(git_folder: Path, root: Path) -> bool:
    """Whether a git folder elsewhere is that of a linked worktree or submodule whose working folder is `root`.

    A worktree's holds `gitdir`, which names its `.git` file, and lies in the repository that its `commondir` names.
    A submodule's is a whole repository that names its working folder by `core.worktree`.
    """
    if os.path.lexists(git_folder / "commondir"):
        common = os.path.realpath(git_folder / _small_file(git_folder / "commondir").strip())
        back = os.path.realpath(git_folder / _small_file(git_folder / "gitdir").strip())
        return git_folder.parent == Path(common, "worktrees") and back == str(root / ".git")
    worktree = _WORKTREE_SETTING.search(_small_file(git_folder / "config"))
    named = worktree[1].strip('"') if worktree else ""
    return bool(named) and os.path.realpath(git_folder / named) == str(root)


def _small_file(path: Path) -> str:
    """The text of one of git's own small files, or "" where there is none."""
    with contextlib.suppress(OSError):
        if path.is_file():
            with path.open("rb") as file:
                return os.fsdecode(file.read(_MAX_SMALL_FILE_BYTES))
    return ""


def _is_own(folder: Path) -> bool:
    """Git's own rule, which it does not apply where it is told the git folder: the user, or who called sudo."""
    if not hasattr(os, "geteuid"):
        return True
    owners = {os.geteuid()}
    if 0 in owners and os.environ.get("SUDO_UID", "").isdecimal():
        owners.add(int(os.environ["SUDO_UID"]))
    return folder.stat().st_uid in owners


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace").strip()
