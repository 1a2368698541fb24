"""The files of a workspace without git's help: a walk that honours ignore files and passes by what was built.

`.gitignore` and `.ignore` count in every folder, inner ones over outer ones. Links are not followed. A repository
inside a repository is left out, as git itself does; a plain folder of repositories is walked whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tools.confined_open import EntryKind
from tools.index.chunk import Skip
from tools.index.ignore_rules import IgnoreRules, is_ignored, read_rules
from tools.index.unwanted import folder_skip
from tools.workspace import Unreadable, Workspace

IGNORED = "ignored"
_IGNORE_FILES = (".gitignore", ".ignore")
_REPOSITORY = ".git"


class Stopped(Exception):
    """The caller asked to stop before the list was whole."""


@dataclass
class Walk:
    """One walk over a workspace, and what it has found so far."""

    workspace: Workspace
    stop: Callable[[], bool]
    paths: list[str] = field(default_factory=list[str])
    skips: list[Skip] = field(default_factory=list[Skip])
    ignored_folders: list[str] = field(default_factory=list[str])

    def run(self) -> None:
        """Visit every folder. Raises: Stopped."""
        pending = [_Folder.top(self.workspace)]
        while pending:
            if self.stop():
                raise Stopped
            folder = pending.pop()
            self._sort_files(folder)
            pending += [inner for name in folder.named("folder") if (inner := self._inner(folder, name))]

    def _sort_files(self, folder: _Folder) -> None:
        for name, kind in folder.entries.items():
            path = folder.path_of(name)
            if kind == "link":
                self.skips.append(Skip(path, "symlink"))
            elif kind == "other":
                self.skips.append(Skip(path, "not a regular file"))
            elif kind == "file" and name != _REPOSITORY:
                if is_ignored(path, folder.rules):
                    self.skips.append(Skip(path, IGNORED))
                else:
                    self.paths.append(path)

    def _inner(self, folder: _Folder, name: str) -> _Folder | None:
        """The inner folder, or None once it is noted why it is left out."""
        inner = folder.enter(self.workspace, name)
        if isinstance(inner, _Folder):
            return inner
        if inner == IGNORED:
            self.ignored_folders.append(folder.path_of(name))
        elif inner:
            self.skips.append(Skip(folder.path_of(name), inner))
        return None


def left_out(workspace: Workspace, path: str) -> str:
    """Why a walk would not come to a file that is there, or ""."""
    *folders, name = path.split("/")
    folder = _Folder.top(workspace)
    for part in folders:
        inner = folder.enter(workspace, part)
        if not isinstance(inner, _Folder):
            return f"its folder `{folder.path_of(part)}` is left out: {inner or 'part of git'}"
        folder = inner
    return IGNORED if is_ignored(folder.path_of(name), folder.rules) else ""


@dataclass(frozen=True)
class _Folder:
    """A folder that the walk is in."""

    path: str
    entries: dict[str, EntryKind]
    rules: Sequence[IgnoreRules]
    """Of this folder and those above it, outermost first."""
    of_repository: bool
    """The workspace is a repository, though not one that git may be asked about."""

    @classmethod
    def top(cls, workspace: Workspace) -> _Folder:
        entries = dict(workspace.entries(""))
        return cls("", entries, _rules(workspace, "", entries), _REPOSITORY in entries)

    def path_of(self, name: str) -> str:
        return f"{self.path}/{name}" if self.path else name

    def named(self, kind: EntryKind) -> list[str]:
        return [name for name, found in self.entries.items() if found == kind]

    def enter(self, workspace: Workspace, name: str) -> _Folder | str:
        """The folder of this name in this one, or why it is left out; "" for git's own, which nobody misses."""
        if name == _REPOSITORY:
            return ""
        path = self.path_of(name)
        if is_ignored(f"{path}/", self.rules):
            return IGNORED
        # Before its content is listed too: a folder of installed packages may be vast.
        reason = folder_skip(name, self.entries, ())
        if reason:
            return reason
        try:
            entries = dict(workspace.entries(path))
        except Unreadable as problem:
            return problem.reason
        reason = folder_skip(name, self.entries, entries)
        if reason:
            return reason
        if self.of_repository and _REPOSITORY in entries:
            return "nested repository"
        return _Folder(path, entries, [*self.rules, *_rules(workspace, path, entries)], self.of_repository)


def _rules(workspace: Workspace, folder: str, entries: dict[str, EntryKind]) -> list[IgnoreRules]:
    return read_rules(workspace, folder, [name for name in _IGNORE_FILES if entries.get(name) == "file"])
