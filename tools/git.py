"""The one caller of git: a fixed, hardened command line in an environment built from nothing.

A repository's own configuration can make git run programs (fsmonitor, hooks, pagers, diff drivers), look at other
folders (`core.worktree`, a `.git` that points elsewhere) or wait for ever. So everything that runs programs is
switched off, folder and git folder are named on the command line, and a git folder outside the workspace counts
only where it points back here. Whatever does not fit is `NotARepository`, and the caller walks the folder instead.
Commands that read the files of the working folder (status, diff, blame without a commit) would still run filter
drivers. History is read from commits alone (`tools/git_log.py`); where the working folder must be compared, the drivers
that the configuration names are switched off one by one.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.subprocesses import Finished, built_environment, find_program, run

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
    *("-c", "core.commitGraph=false"),  # a planted one tells of other parents than the commits themselves
    *("-c", "safe.bareRepository=explicit"),
)
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # the configuration may allow a single protocol, which `protocol.allow` cannot undo
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_LITERAL_PATHSPECS": "1",
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
            path,
        )
        return path in self._list(*asked)

    def head(self) -> Head:
        """Branch and commit now. Raises: NotARepository."""
        commit = self._git("rev-parse", "--verify", "--quiet", "HEAD^{commit}", may_fail=True)
        branch = self._git("symbolic-ref", "--short", "--quiet", "HEAD", may_fail=True)
        return Head(_text(branch), _text(commit))

    def finished(
        self, *arguments: str, seconds: float, most_bytes: int, stop: Callable[[], bool] = lambda: False
    ) -> Finished:
        """What git said, however it ended: for history, of which a part is worth having. Raises: NotARepository."""
        return self._run(arguments, {}, seconds, most_bytes, stop)

    def commit_named(self, revision: str) -> str:
        """The full id of the commit that a revision names, or "". Raises: NotARepository."""
        if revision.startswith("-") or not revision.isprintable():
            return ""
        named = self._git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", may_fail=True)
        return _text(named)

    def shallow_edges(self) -> frozenset[str]:
        """Commits at which a shallow clone ends: their parents are not here."""
        return frozenset(_small_file(self.common_folder / "shallow").split())

    @property
    def common_folder(self) -> Path:
        """Where commits, hooks and settings are kept: that of the main worktree."""
        common = self.git_folder / "commondir"
        if not os.path.lexists(common):
            return self.git_folder
        return Path(os.path.realpath(self.git_folder / _small_file(common).strip()))

    def blob(self, revision: str, path: str, most_bytes: int) -> bytes | None:
        """A file as a commit holds it, unfiltered; None where it has none, or one that is larger."""
        asked = ("cat-file", "blob", f"{revision}:{path}")
        finished = self.finished(*asked, seconds=_TIMEOUT_SECONDS, most_bytes=most_bytes)
        return finished.stdout if finished.reason == "exit" and not finished.exit_code else None

    def is_submodule(self, path: str) -> bool:
        """Whether the path is, or is inside, a repository of its own."""
        parts = path.split("/")
        above = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
        listed = self._git("ls-tree", "-z", "HEAD", "--", *above, may_fail=True)
        return any(entry.startswith(b"160000 ") for entry in listed.split(b"\0"))

    def named_hooks_folder(self, home: Path) -> str:
        """What `core.hooksPath` says in the person's settings or the repository's, or "". Raises: NotARepository."""
        own = {"HOME": str(home), "GIT_CONFIG_GLOBAL": None, "GIT_CONFIG_NOSYSTEM": None}
        asked = ("config", "--show-scope", "-z", "--get-all", "core.hooksPath")
        listed = self._git(*asked, may_fail=True, environment=own).split(b"\0")
        pairs = zip(listed[::2], listed[1::2], strict=False)
        values = [os.fsdecode(value) for scope, value in pairs if scope != b"command"]  # that one is ours
        return values[-1] if values else ""

    def changed_since(self, revision: str) -> list[str]:
        """Paths that differ between a commit and the files as they are, new ones included; deleted ones too.

        Raises: NotARepository.
        """
        asked = (
            "diff",
            "--name-only",
            "-z",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--no-relative",
        )
        submodules = "--ignore-submodules=all"  # looking into one would run git under its own configuration
        differing = self._git(*asked, submodules, revision, "--", environment=self._without_filters())
        new = self._list("ls-files", "-z", "--others", "--exclude-standard")
        return sorted({*(os.fsdecode(name) for name in differing.split(b"\0") if name), *new})

    def _without_filters(self) -> dict[str, str]:
        """Every filter driver that the configuration names, switched off; names may hold any character."""
        named = self._git("config", "--name-only", "-z", "--get-regexp", r"^filter\.", may_fail=True)
        drivers = {os.fsdecode(key).rpartition(".")[0] for key in named.split(b"\0") if key}
        settings = [
            (f"{driver}.{key}", value)
            for driver in sorted(drivers)
            for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
        ]
        environment = {"GIT_CONFIG_COUNT": str(len(settings))}
        for at, (key, value) in enumerate(settings):
            environment |= {f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value}
        return environment

    def _list(self, *arguments: str) -> list[str]:
        listed = self._git(*arguments)
        return [os.fsdecode(name) for name in listed.split(b"\0") if name]

    def _git(
        self, *arguments: str, may_fail: bool = False, environment: Mapping[str, str | None] | None = None
    ) -> bytes:
        finished = self._run(arguments, environment or {}, _TIMEOUT_SECONDS, _MAX_LIST_BYTES, lambda: False)
        if finished.reason != "exit":
            raise NotARepository(f"git ended early: {finished.reason}")
        if finished.exit_code and not may_fail:
            # Git's own words may quote files outside the workspace that its configuration names.
            raise NotARepository(f"git failed with exit code {finished.exit_code}")
        return finished.stdout

    def _run(
        self,
        arguments: tuple[str, ...],
        environment: Mapping[str, str | None],
        seconds: float,
        most_bytes: int,
        stop: Callable[[], bool],
    ) -> Finished:
        where = ("-C", str(self.root), f"--git-dir={self.git_folder}", f"--work-tree={self.root}")
        given = {key: value for key, value in {**_ENVIRONMENT, **environment}.items() if value is not None}
        try:
            return run(
                [str(self.program), *where, *_HARDENED, *arguments],
                environment=built_environment(**given),
                timeout_seconds=seconds,
                max_stdout_bytes=most_bytes,
                stop=stop,
            )
        except OSError as error:
            raise NotARepository("git cannot be started") from error


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
