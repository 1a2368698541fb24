"""Where indexes live: one private folder per workspace, under the data folder, never inside the workspace.

The folder's name is a hash of the workspace's real path, device and inode, so another folder that later stands at
the same path gets an index of its own. `workspace.json` inside says whose it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from tools.errors import IndexUnusable
from tools.index.catalog import Catalog
from tools.index.catalog_schema import FILE_NAME
from tools.index.lock import LOCK_NAME, WriterLock

_OWNER_NAME = "workspace.json"


@dataclass(frozen=True, slots=True)
class IndexFolder:
    """One index on this machine."""

    folder: Path
    workspace: str
    """Path of the workspace it was made for."""
    present: bool
    """That very folder is still there."""
    bytes_on_disk: int
    updated_at: str
    """When something that is searched last changed, ISO 8601, or "" when nothing is indexed."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """What `prune` did."""

    removed: tuple[IndexFolder, ...]
    busy: tuple[IndexFolder, ...]
    """Left alone, since somebody is writing them."""
    vectors: int
    """Vectors removed whose text no longer occurs in the workspaces that are left."""


def index_folder(workspace_root: Path, data_dir: Path) -> Path:
    """The folder of a workspace's index, made if need be (0700).

    Raises: IndexUnusable when it cannot be made.
    """
    root = Path(os.path.realpath(workspace_root))
    try:
        owner = _owner(root)
        folder = data_dir / _key(owner)
        data_dir.parent.mkdir(parents=True, exist_ok=True)
        data_dir.mkdir(mode=0o700, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
        if _read_owner(folder) != owner:
            _write_owner(folder, owner)
        return folder
    except OSError as error:
        raise IndexUnusable(
            f"there is no place for the index of `{root}`",
            cause=str(error),
            hint="make the data folder writable for you, or set another one (`codewitness config path` says where)",
        ) from error


def index_place(workspace_root: Path, data_dir: Path) -> Path:
    """Where the index of a workspace lies or would lie; nothing is made. Raises: IndexUnusable."""
    root = Path(os.path.realpath(workspace_root))
    try:
        return data_dir / _key(_owner(root))
    except OSError as error:
        hint = "open the workspace again where it is now"
        raise IndexUnusable(f"`{root}` cannot be looked at", cause=str(error), hint=hint) from error


def list_indexes(data_dir: Path) -> list[IndexFolder]:
    """Every index under the data folder, by the path of its workspace."""
    found: list[IndexFolder] = []
    for folder in data_dir.iterdir() if data_dir.is_dir() else ():
        owner = _read_owner(folder)
        if owner is not None and folder.name == _key(owner):
            found.append(_described(folder, owner))
    return sorted(found, key=lambda one: (one.workspace, one.folder.name))


def prune(data_dir: Path) -> Pruned:
    """Delete the indexes of workspaces that are gone, and in the others the vectors of texts that are gone."""
    removed: list[IndexFolder] = []
    busy: list[IndexFolder] = []
    vectors = 0
    for index in list_indexes(data_dir):
        try:
            if not index.present:
                delete_index(index.folder)
                removed.append(index)
            elif (index.folder / FILE_NAME).is_file():
                with WriterLock(index.folder), Catalog.open(index.folder) as catalog:
                    vectors += catalog.prune_vectors()
        except IndexUnusable:
            busy.append(index)
    return Pruned(tuple(removed), tuple(busy), vectors)


def delete_index(folder: Path) -> None:
    """Delete one index with its folder; on Windows, where no open file can be deleted, its lock file stays.

    Raises: IndexUnusable when somebody is writing it, or when the folder is no index of ours.
    """
    owner = _read_owner(folder)
    if owner is None or folder.name != _key(owner):
        raise IndexUnusable(
            f"`{folder}` was not deleted",
            cause="it is not the folder of an index",
            hint="`codewitness index list` names them all",
        )
    with WriterLock(folder):
        try:
            _empty(folder)
        except OSError as error:
            hint = "close what still uses it, and delete it again"
            raise IndexUnusable(
                f"the index in `{folder}` was not deleted whole", cause=str(error), hint=hint
            ) from error
        with suppress(OSError):
            (folder / LOCK_NAME).unlink()
            folder.rmdir()


def bytes_on_disk(folder: Path) -> int:
    """The size of all files below a folder."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.lstat().st_size if path.is_file() else 0
    return total


def _empty(folder: Path) -> None:
    for inside in folder.iterdir():
        if inside.is_dir() and not inside.is_symlink():
            shutil.rmtree(inside)
        elif inside.name != LOCK_NAME:
            inside.unlink()


def _owner(root: Path) -> dict[str, Any]:
    there = root.stat()
    return {
        "path": os.fsencode(root).decode("utf-8", "backslashreplace"),
        "device": there.st_dev,
        "inode": there.st_ino,
    }


def _key(owner: dict[str, Any]) -> str:
    identity = "\0".join(str(owner.get(name)) for name in ("path", "device", "inode"))
    return hashlib.sha256(identity.encode()).hexdigest()[:32]


def _read_owner(folder: Path) -> dict[str, Any] | None:
    try:
        owner = json.loads((folder / _OWNER_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return cast(dict[str, Any], owner) if isinstance(owner, dict) else None


def _write_owner(folder: Path, owner: dict[str, Any]) -> None:
    """Whole or not at all: an index whose owner is not known could never be listed."""
    draft = folder / f"{_OWNER_NAME}.{os.getpid()}"
    draft.write_text(json.dumps(owner), encoding="utf-8")
    draft.chmod(0o600)
    draft.replace(folder / _OWNER_NAME)


def _described(folder: Path, owner: dict[str, Any]) -> IndexFolder:
    path = str(owner["path"])
    try:
        present = _owner(Path(path)) == owner
    except OSError:
        present = False
    return IndexFolder(folder, path, present, bytes_on_disk(folder), _updated_at(folder))


def _updated_at(folder: Path) -> str:
    """What the database says of itself; when it last changed, where it cannot be read."""
    database = folder / FILE_NAME
    if not database.is_file():
        return ""
    with suppress(IndexUnusable), Catalog.open(folder, read_only=True) as catalog:
        return catalog.updated_at()
    return datetime.fromtimestamp(database.stat().st_mtime).astimezone().isoformat(timespec="seconds")
