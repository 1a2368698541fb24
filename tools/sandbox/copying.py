"""A copy of the workspace for the tiers that cannot put an overlay over it: regular files, folders and inner links.

What is left out (links that lead out, devices, unreadable and huge files) is counted and said. Nothing is followed.
"""

from __future__ import annotations

import io
import os
import posixpath
import stat
import tarfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from tools.sandbox.job import MEBIBYTE

MAX_COPY_BYTES = 400 * MEBIBYTE
_BLOCK_BYTES = MEBIBYTE
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class TooLarge(Exception):
    """The workspace does not fit into a copy."""


class Target(Protocol):
    """Where a copy goes."""

    def folder(self, path: str, mode: int) -> None: ...
    def link(self, path: str, target: str) -> None: ...
    def file(self, path: str, status: os.stat_result, content: IO[bytes]) -> None: ...


class Archive:
    """A copy as a tar stream."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._tar = tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT)  # noqa: SIM115

    def close(self) -> None:
        self._tar.close()

    def folder(self, path: str, mode: int) -> None:
        self._tar.addfile(self._member(path, tarfile.DIRTYPE, mode | 0o700))

    def link(self, path: str, target: str) -> None:
        member = self._member(path, tarfile.SYMTYPE, 0o777)
        member.linkname = target
        self._tar.addfile(member)

    def file(self, path: str, status: os.stat_result, content: IO[bytes]) -> None:
        member = self._member(path, tarfile.REGTYPE, stat.S_IMODE(status.st_mode) | 0o600)
        member.size = status.st_size
        member.mtime = status.st_mtime
        self._tar.addfile(member, _Exactly(content, status.st_size))

    def _member(self, path: str, kind: bytes, mode: int) -> tarfile.TarInfo:
        member = tarfile.TarInfo(path)
        member.type, member.mode = kind, mode & 0o777
        member.uid, member.gid = _own_ids()
        return member


class Folder:
    """A copy as a folder on disk."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def folder(self, path: str, mode: int) -> None:
        (self._root / path).mkdir(mode=(mode | 0o700) & 0o777)

    def link(self, path: str, target: str) -> None:
        (self._root / path).symlink_to(target)

    def file(self, path: str, status: os.stat_result, content: IO[bytes]) -> None:
        place = self._root / path
        with place.open("wb") as file:
            while block := content.read(_BLOCK_BYTES):
                file.write(block)
        place.chmod((stat.S_IMODE(status.st_mode) | 0o600) & 0o777)
        os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))


def copy_workspace(
    root: Path, target: Target, *, leave_out: Iterable[str] = (), empty: Iterable[str] = ()
) -> tuple[str, ...]:
    """Copy the workspace; returns notes about what is not in the copy.

    `leave_out` are folders that will come from elsewhere; `empty` are files and folders of which only the name is
    copied. Raises: TooLarge.
    """
    skipped: Counter[str] = Counter()
    _copy(root, target, frozenset(leave_out), frozenset(empty), skipped)
    return tuple(f"{count} not copied for the tests: {why}" for why, count in sorted(skipped.items()))


def _copy(
    root: Path, target: Target, leave_out: frozenset[str], empty: frozenset[str], skipped: Counter[str]
) -> None:
    left = MAX_COPY_BYTES
    for folder, folders, files, at in _folders(root):
        inside = Path(folder).relative_to(root).as_posix()
        prefix = "" if inside == "." else f"{inside}/"
        for name in sorted(folders):
            path = prefix + name
            if path in leave_out:
                folders.remove(name)
            elif _status(folder, name, at) is None or stat.S_ISLNK(_status_of(folder, name, at).st_mode):
                folders.remove(name)
                _copy_link(target, folder, name, at, path, skipped)
            else:
                target.folder(path, stat.S_IMODE(_status_of(folder, name, at).st_mode))
                if path in empty:
                    folders.remove(name)
        for name in sorted(files):
            left -= _copy_file(target, folder, name, at, prefix + name, prefix + name in empty, skipped)
            if left < 0:
                raise TooLarge(f"it holds more than {MAX_COPY_BYTES // MEBIBYTE} MiB")


def _folders(root: Path) -> Iterator[tuple[str, list[str], list[str], int | None]]:
    if hasattr(os, "fwalk"):
        yield from os.fwalk(root)
    else:
        for folder, folders, files in os.walk(root):
            yield folder, folders, files, None
