"""A copy of the workspace for the tiers that cannot put an overlay over it: regular files, folders and inner links.

What is left out (links that lead out, devices, unreadable and huge files) is counted and said. Nothing is followed.
"""

from __future__ import annotations

import os
import posixpath
import shutil
import stat
import tarfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Protocol, cast

from tools.sandbox.job import MEBIBYTE

MAX_COPY_BYTES = 400 * MEBIBYTE
_BLOCK_BYTES = MEBIBYTE
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class TooLarge(Exception):
    """The workspace does not fit into a copy."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of a file that is being copied."""

    size: int
    mode: int
    mtime_ns: int


class Target(Protocol):
    """Where a copy goes."""

    def folder(self, path: str, mode: int) -> None: ...
    def link(self, path: str, target: str) -> None: ...
    def file(self, path: str, seen: Seen, content: IO[bytes]) -> None: ...


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

    def file(self, path: str, seen: Seen, content: IO[bytes]) -> None:
        member = self._member(path, tarfile.REGTYPE, seen.mode | 0o600)
        member.size = seen.size
        member.mtime = seen.mtime_ns / 1e9
        self._tar.addfile(member, cast(IO[bytes], _Exactly(content, seen.size)))

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

    def file(self, path: str, seen: Seen, content: IO[bytes]) -> None:
        place = self._root / path
        with place.open("wb") as file:
            shutil.copyfileobj(_Exactly(content, seen.size), file, _BLOCK_BYTES)
        place.chmod((seen.mode | 0o600) & 0o777)
        os.utime(place, ns=(seen.mtime_ns, seen.mtime_ns))


class _Exactly:
    """So many bytes of a file, also when it grows or shrinks meanwhile: an archive says the size beforehand."""

    def __init__(self, content: IO[bytes], size: int) -> None:
        self._content = content
        self._left = size

    def read(self, size: int = -1) -> bytes:
        wanted = self._left if size < 0 else min(size, self._left)
        block = self._content.read(wanted)
        self._left -= wanted
        return block.ljust(wanted, b"\0")


def copy_workspace(
    root: Path, target: Target, *, leave_out: Iterable[str] = (), empty: Iterable[str] = ()
) -> tuple[str, ...]:
    """Copy the workspace; returns notes about what is not in the copy.

    `leave_out` are folders that will come from elsewhere; of `empty` only the names are copied. Nothing of the
    workspace runs meanwhile, so that paths stay what they were looked at as. Raises: TooLarge.
    """
    copy = _Copy(root, target, frozenset(leave_out), frozenset(empty))
    copy.folder("")
    return tuple(f"{count} not copied for the tests: {why}" for why, count in sorted(copy.skipped.items()))


class _Copy:
    """One copy on its way."""

    def __init__(self, root: Path, target: Target, leave_out: frozenset[str], empty: frozenset[str]) -> None:
        self._root = root
        self._target = target
        self._leave_out = leave_out
        self._empty = empty
        self._left = MAX_COPY_BYTES
        self.skipped: Counter[str] = Counter()

    def folder(self, inside: str) -> None:
        """Copy what is in a folder, which itself is there already."""
        try:
            entries = sorted(os.scandir(self._root / inside), key=lambda entry: entry.name)
        except OSError:
            self.skipped["unreadable folders"] += 1
            return
        for entry in entries:
            path = posixpath.join(inside, entry.name)
            if path not in self._leave_out:
                self._entry(path, entry)

    def _entry(self, path: str, entry: os.DirEntry[str]) -> None:
        if entry.is_symlink():
            self._link(path, entry.path)
        elif entry.is_dir(follow_symlinks=False):
            self._target.folder(path, stat.S_IMODE(entry.stat(follow_symlinks=False).st_mode))
            if path not in self._empty:
                self.folder(path)
        elif entry.is_file(follow_symlinks=False):
            self._file(path, entry.path)
        else:
            self.skipped["neither files nor folders"] += 1

    def _link(self, path: str, place: str) -> None:
        to = str(Path(place).readlink())
        leads = posixpath.normpath(posixpath.join(posixpath.dirname(path), to))
        if PurePosixPath(to).is_absolute() or leads.startswith(".."):
            self.skipped["links that lead out of the workspace"] += 1
        else:
            self._target.link(path, to)

    def _file(self, path: str, place: str) -> None:
        try:
            descriptor = os.open(place, _OPEN_FLAGS)
        except OSError:
            self.skipped["unreadable files"] += 1
            return
        with open(descriptor, "rb") as content:  # noqa: PTH123  (a descriptor)
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                self.skipped["neither files nor folders"] += 1
                return
            size = 0 if path in self._empty else status.st_size
            self._left -= size
            if self._left < 0:
                raise TooLarge(f"it holds more than {MAX_COPY_BYTES // MEBIBYTE} MiB")
            seen = Seen(size, stat.S_IMODE(status.st_mode), status.st_mtime_ns)
            self._target.file(path, seen, content)


def _own_ids() -> tuple[int, int]:
    return (os.getuid(), os.getgid()) if hasattr(os, "getuid") else (0, 0)
