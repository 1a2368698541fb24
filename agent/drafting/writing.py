"""Putting drafted files into the workspace: new ones, and over existing ones only where that was asked for."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from agent.drafting.report import DraftReport
from tools.errors import UserError
from tools.show import show_name
from tools.workspace import Workspace


class DraftExists(UserError):
    """A test file already stands where the draft would go."""


class DraftUnwritable(UserError):
    """A drafted file could not be written."""


def exists(path: str) -> DraftExists:
    """The error for one file."""
    return DraftExists(
        f"`{show_name(path)}` exists already",
        cause="the draft would go there, and existing files are not replaced",
        hint="move it away, or add `--force` to have it replaced",
    )


def write_files(workspace: Workspace, report: DraftReport, replace: bool = False) -> tuple[str, ...]:
    """Write the drafted files; their paths. All are looked at before any is written.

    Raises: DraftExists, DraftUnwritable.
    """
    places = [(file, _place(workspace, file.path)) for file in report.files]
    for file, place in places:
        if place.exists() and not replace:
            raise exists(file.path)
    for file, place in places:
        _write(place, file.text.encode("utf-8"), file.path)
    return tuple(file.path for file, _ in places)


def _place(workspace: Workspace, path: str) -> Path:
    """Where it goes; no link on the way there. Raises: DraftUnwritable."""
    place = workspace.root
    for part in path.split("/"):
        place = place / part
        if part in ("", ".", "..") or place.is_symlink():
            raise _unwritable(path, "there is a link on the way to it, or it lies outside the workspace")
    return place


def _write(place: Path, content: bytes, path: str) -> None:
    """All of it or nothing: an interruption leaves no half of a file."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, prefix=".codewitness-", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
        temporary.chmod(place.stat().st_mode & 0o777 if place.exists() else 0o666 & ~_umask())
        temporary.replace(place)
    except OSError as problem:
        raise _unwritable(path, problem.strerror or str(problem)) from problem


def _umask() -> int:
    """What the person's own files are made with; asking for it means setting it for a moment."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _unwritable(path: str, cause: str) -> DraftUnwritable:
    return DraftUnwritable(
        f"`{show_name(path)}` could not be written",
        cause=cause,
        hint="the patch on stdout holds the same: leave `--write` away and apply it yourself",
    )
