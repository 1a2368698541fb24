"""Which folder is the workspace: `-C DIR` exactly, else the nearest one above that holds `.git`, else this one."""

from __future__ import annotations

import os
from pathlib import Path

from tools.errors import WorkspaceInvalid


def current_folder() -> Path:
    """Where the command was started. Raises: WorkspaceInvalid, when that was deleted meanwhile."""
    try:
        return Path.cwd()
    except OSError as error:
        raise WorkspaceInvalid(
            "the current folder cannot be a workspace",
            cause="it was deleted, or may not be looked at",
            hint="`cd` into a project that is there",
        ) from error


def workspace_root(directory: Path | None, *, force: bool, here: Path, home: Path) -> Path:
    """The real path of the workspace.

    Raises: WorkspaceInvalid when it is no folder, or when it is the home folder or `/` and nobody insists.
    """
    root = (here / directory.expanduser() if directory is not None else _nearest(here, home)).resolve()
    if not root.is_dir():
        raise WorkspaceInvalid(
            f"`{root}` cannot be a workspace",
            cause="it is not a folder" if root.exists() else "there is no such folder",
            hint="name an existing project folder with `-C DIR`",
        )
    if not force and (root == home.resolve() or root == Path(root.anchor)):
        raise WorkspaceInvalid(
            f"`{root}` is not taken as a workspace",
            cause="it is your home folder" if root == home.resolve() else "it is the root of the whole disk",
            hint="`cd` into one project or name it with `-C DIR`; `--force` takes this folder all the same",
        )
    return root


def _nearest(here: Path, home: Path) -> Path:
    """The nearest folder at or above `here` that holds `.git`, looked for below home only; else `here` itself."""
    here, home = here.resolve(), home.resolve()
    for folder in (here, *here.parents):
        if folder == home:
            break
        if os.path.lexists(folder / ".git"):
            return folder
    return here
