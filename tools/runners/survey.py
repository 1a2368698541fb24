"""All files of a workspace that a test process could come across, ignored ones too, and what among them is secret.

Folders with installed packages, and git's own, are not looked into: nothing there is the project's.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from tools.secrets import is_secret_file
from tools.workspace import Unreadable, Workspace

MAX_FILES = 200_000
_PACKAGES = ("node_modules", "__pypackages__", "site-packages")
_NOT_LOOKED_INTO = (".git", ".hg", ".svn", "__pycache__", ".tox", ".nox", ".mypy_cache", ".pytest_cache")


@dataclass(frozen=True, slots=True)
class Survey:
    """What is in a workspace, by canonical paths."""

    files: frozenset[str]
    secret: tuple[str, ...]
    """Files that are secret by their name, and git's own folders."""
    dependencies: tuple[str, ...]
    """Folders with installed packages."""

    def named(self, *names: str) -> tuple[str, ...]:
        """The files with one of these names, the nearest to the root first."""
        found = [path for path in self.files if posixpath.basename(path) in names]
        return tuple(sorted(found, key=lambda path: (path.count("/"), path)))

    def ending(self, *endings: str) -> tuple[str, ...]:
        """The files whose path ends in one of these, sorted."""
        return tuple(sorted(path for path in self.files if path.endswith(endings)))


def survey(workspace: Workspace) -> Survey:
    """Look at the whole workspace; what cannot be listed is left out."""
    files: set[str] = set()
    secret: list[str] = []
    dependencies: list[str] = []
    folders = [""]
    while folders and len(files) < MAX_FILES:
        folder = folders.pop()
        names = dict(_entries(workspace, folder))
        if folder and ("pyvenv.cfg" in names or posixpath.basename(folder) in _PACKAGES):
            dependencies.append(folder)
            continue
        for name, kind in names.items():
            path = posixpath.join(folder, name)
            if name in (".git", ".hg", ".svn") and kind in ("file", "folder"):
                secret.append(path)
            elif kind == "folder" and name not in _NOT_LOOKED_INTO:
                folders.append(path)
            elif kind == "file":
                files.add(path)
                if is_secret_file(path):
                    secret.append(path)
    return Survey(frozenset(files), tuple(sorted(secret)), tuple(sorted(dependencies)))


def _entries(workspace: Workspace, folder: str) -> Iterator[tuple[str, str]]:
    try:
        yield from workspace.entries(folder)
    except Unreadable:
        return
