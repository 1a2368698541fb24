"""Follow a workspace: call back when files changed, and use the quiet time in between for vectors.

Each folder is watched by itself, never a whole tree: a recursive watch follows symbolic links out of the workspace,
and spends the system's watches on `.git` and on installed packages. A new folder is an event in its parent; the
watch is then taken anew. Where the system has no watches left, folders are polled.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from tools.errors import WorkspaceInvalid

BURST_MILLISECONDS = 1600
"""At most this long are changes gathered (a checkout touches thousands of files)."""
QUIET_MILLISECONDS = 200
"""Changes are handed on once nothing further came for this long."""
TICK_MILLISECONDS = 400
"""How often the loop looks up when nothing changes: the wait for a stop, and the pause between two fillings."""


def watch(
    root: Path,
    *,
    refresh: Callable[[], frozenset[str]],
    fill: Callable[[], bool],
    stop: Callable[[], bool],
    note: Callable[[str], None],
) -> None:
    """Keep the index up to date until `stop()`; everything runs in the calling thread.

    `refresh` brings the index up to date and returns the folders to watch, as `folders_to_watch` names them.
    `fill` spends a few seconds on vectors and returns whether more are left to do.
    Raises: WorkspaceInvalid when the root is deleted, moved away or replaced.
    """
    identity = _identity(root)
    watched: frozenset[str] = frozenset()
    while not stop():
        fresh = True  # between two watches anything may have changed
        more = True
        for changed in _ticks(root, watched | {""}, note):
            if stop():
                return
            _require(root, identity)
            if changed or fresh:
                fresh, more = False, True
                folders = refresh()
                if folders != watched:
                    watched = folders
                    break
            elif more:
                more = fill()


def folders_to_watch(root: Path, ignored: Collection[str]) -> frozenset[str]:
    """Every folder in which a file could come to be indexed, relative to the root, which itself is "".

    `ignored` are folders that no indexed file can be in. Empty folders count: the first file in one is an event there.
    """
    left_out = {folder.rstrip("/") for folder in ignored}
    found: set[str] = set()
    for folder, inside, _ in os.walk(root):  # links to folders are listed, never entered
        here = Path(folder).relative_to(root).as_posix()
        found.add("" if here == "." else here)
        inside[:] = [
            name
            for name in inside
            if name != ".git"
            and (name if here == "." else f"{here}/{name}") not in left_out
            and not Path(folder, name).is_symlink()
        ]
    return frozenset(found)


def _ticks(root: Path, folders: frozenset[str], note: Callable[[str], None]) -> Iterator[bool]:
    """At least one every tick: whether something changed since the last one."""
    try:
        yield from _events(root, folders, polling=False)
    except FileNotFoundError:
        return  # a folder went away while the watch was taken: take it anew
    except OSError as problem:
        note(f"the system gives no more watches ({problem}): looking at the folders in turn instead")
        yield from _events(root, folders, polling=True)


def _events(root: Path, folders: frozenset[str], *, polling: bool) -> Iterator[bool]:
    import watchfiles

    present = [path for path in (root / folder for folder in sorted(folders)) if path.is_dir()]
    changes = watchfiles.watch(
        *present,
        watch_filter=None,
        debounce=BURST_MILLISECONDS,
        step=QUIET_MILLISECONDS,
        rust_timeout=TICK_MILLISECONDS,
        yield_on_timeout=True,
        recursive=False,
        force_polling=polling or None,
        ignore_permission_denied=True,
    )
    for changed in changes:
        yield bool(changed)


def _identity(root: Path) -> tuple[int, int]:
    """What makes this folder this one, whatever its name.

    Raises: WorkspaceInvalid when it is not there.
    """
    try:
        stat = root.stat()
    except OSError as problem:
        raise _gone(root, problem.strerror or "it cannot be read") from None
    return stat.st_dev, stat.st_ino


def _require(root: Path, identity: tuple[int, int]) -> None:
    if _identity(root) != identity:
        raise _gone(root, "another folder stands in its place")


def _gone(root: Path, cause: str) -> WorkspaceInvalid:
    return WorkspaceInvalid(
        f"the workspace `{root}` is gone, so there is nothing left to watch",
        cause=cause[:1].lower() + cause[1:],
        hint="what was indexed is kept; start `codewitness index --watch` again where the workspace is now",
    )
