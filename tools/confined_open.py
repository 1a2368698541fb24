"""Open files beneath one folder, and nothing else, whatever links are planted or swapped meanwhile.

Paths here are canonical: relative, POSIX, without empty, `.` or `..` parts; "" is the folder itself. No link is
followed on the way or at the end, so checking and opening are one step: there is no moment in which a checked
path can become another one. Which way a platform offers is found out by trying it (`confine`):

- `BeneathOpener`: Linux 5.6 and later, one `openat2` call that the kernel confines;
- `StepwiseOpener`: POSIX, one `openat` with `O_NOFOLLOW` for each part of the path;
- `CheckedOpener`: Windows, each part is looked at before and after opening, and the file must be the same one.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import stat
import struct
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

EntryKind: TypeAlias = Literal["file", "folder", "link", "other"]

_SYS_OPENAT2 = 437  # the same on every architecture
_RESOLVE = 8 | 4 | 2  # RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS, RESOLVE_NO_MAGICLINKS
_CLOEXEC: int = getattr(os, "O_CLOEXEC", 0)
_READ: int = os.O_RDONLY | _CLOEXEC | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
# Without O_NONBLOCK, opening a FIFO waits for a writer that may never come.
_READ_NOW: int = _READ | getattr(os, "O_NONBLOCK", 0)
_FOLDER: int = os.O_RDONLY | _CLOEXEC | getattr(os, "O_DIRECTORY", 0)
_PATH_ONLY: int = getattr(os, "O_PATH", 0)


class Opener(Protocol):
    """Reaches the files of one folder. Errors are plain OSErrors, and their text holds no path."""

    def open(self, path: str) -> int:
        """A descriptor for reading. The caller still has to see that it is a regular file."""
        ...

    def stat(self, path: str) -> os.stat_result:
        """What is at the path; a link is an error (ELOOP), never its target."""
        ...

    def entries(self, path: str) -> list[tuple[str, EntryKind]]:
        """The names in a folder and what each one is, links not followed."""
        ...

    def link_target(self, path: str) -> str | None:
        """Where the link at the path points, as written in it; None for what is no link or is not there."""
        ...

    def close(self) -> None: ...


def confine(root: Path) -> Opener:
    """The strongest opener that works here. Raises OSError where the folder cannot be opened at all."""
    if not (os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")):
        return CheckedOpener(root)
    if sys.platform == "linux":
        opener = BeneathOpener(root)
        # Old kernels lack the call, and some container filters answer EPERM to it.
        with contextlib.suppress(OSError):
            opener.stat("")
            return opener
        opener.close()
    return StepwiseOpener(root)


class _FromRoot:
    """What both POSIX openers share: the root's descriptor, kept open so that the folder cannot be swapped."""

    def __init__(self, root: Path) -> None:
        self._root_fd: int = os.open(root, _FOLDER | _PATH_ONLY)

    def close(self) -> None:
        if self._root_fd >= 0:
            os.close(self._root_fd)
            self._root_fd = -1

    def open(self, path: str) -> int:
        return self._open(path, _READ_NOW)

    def entries(self, path: str) -> list[tuple[str, EntryKind]]:
        with _closing(self._open(path, _FOLDER)) as folder, os.scandir(folder) as found:
            return [(entry.name, _kind(entry)) for entry in found]

    def link_target(self, path: str) -> str | None:
        folder, _, name = path.rpartition("/")
        with contextlib.suppress(OSError), _closing(self._open(folder, _FOLDER)) as parent:
            return os.readlink(name, dir_fd=parent)
        return None

    def _open(self, path: str, flags: int) -> int:
        raise NotImplementedError


class BeneathOpener(_FromRoot):
    """One system call for a whole path; the kernel refuses links, magic links and every way out."""

    def __init__(self, root: Path) -> None:
        self._libc: ctypes.CDLL = ctypes.CDLL(None, use_errno=True)
        super().__init__(root)

    def stat(self, path: str) -> os.stat_result:
        fd = self._open(path, _PATH_ONLY | _CLOEXEC)
        try:
            return os.fstat(fd)
        finally:
            os.close(fd)

    def _open(self, path: str, flags: int) -> int:
        name = os.fsencode(path or ".")
        how = struct.pack("=QQQ", flags, 0, _RESOLVE)
        while True:
            fd: int = self._libc.syscall(_SYS_OPENAT2, self._root_fd, name, how, len(how))
            if fd >= 0:
                return fd
            code = ctypes.get_errno()
            if code not in (errno.EINTR, errno.EAGAIN):  # EAGAIN: a rename elsewhere raced with the lookup
                raise OSError(code, os.strerror(code))


class StepwiseOpener(_FromRoot):
    """One `openat` for each part of a path, none of which follows a link."""

    def stat(self, path: str) -> os.stat_result:
        folder, _, name = path.rpartition("/")
        with _closing(self._open(folder, _FOLDER)) as parent:
            found = os.stat(name or ".", dir_fd=parent, follow_symlinks=False)
        if stat.S_ISLNK(found.st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return found

    def _open(self, path: str, flags: int) -> int:
        folder = os.open(".", _FOLDER, dir_fd=self._root_fd)
        *folders, name = path.split("/")
        try:
            for part in folders:
                inner = _openat(part, _FOLDER | os.O_NOFOLLOW, folder)
                os.close(folder)
                folder = inner
            return _openat(name or ".", flags | os.O_NOFOLLOW, folder)
        finally:
            os.close(folder)


class CheckedOpener:
    """Without descriptors of folders: each part is looked at before and after, and must lead to the same file."""

    def __init__(self, root: Path) -> None:
        self._root: Path = root
        root.stat()

    def close(self) -> None:
        """Nothing is kept open."""

    def open(self, path: str) -> int:
        found = self.stat(path)
        if not stat.S_ISREG(
            found.st_mode
        ):  # here nothing else may be opened: a FIFO would wait, a device act
            code = errno.EISDIR if stat.S_ISDIR(found.st_mode) else errno.EINVAL
            raise OSError(code, os.strerror(code))
        fd = os.open(self._root / path, _READ_NOW)
        try:
            same = os.path.samestat(found, os.fstat(fd)) and os.path.samestat(found, self.stat(path))
        except OSError:
            same = False
        if not same:
            os.close(fd)
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return fd

    def stat(self, path: str) -> os.stat_result:
        place = self._root
        found = place.lstat()
        for part in path.split("/") if path else ():
            place /= part
            try:
                found = place.lstat()
            except OSError as error:
                raise OSError(error.errno, os.strerror(error.errno or errno.EIO)) from None
            if _is_link(found):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return found

    def entries(self, path: str) -> list[tuple[str, EntryKind]]:
        self.stat(path)
        with os.scandir(self._root / path) as found:
            return [(entry.name, _kind(entry)) for entry in found]

    def link_target(self, path: str) -> str | None:
        with contextlib.suppress(OSError):
            self.stat(path.rpartition("/")[0])
            return os.fspath((self._root / path).readlink())
        return None


def _openat(name: str, flags: int, folder: int) -> int:
    """`openat` whose errors hold no path, and that says ELOOP for a link wherever it stands in the path."""
    try:
        return os.open(name, flags, dir_fd=folder)
    except OSError as error:
        code = error.errno or errno.EIO
    # O_DIRECTORY together with O_NOFOLLOW answers ENOTDIR for a link; BSD answers EMLINK.
    if code in (errno.ENOTDIR, errno.EMLINK):
        with contextlib.suppress(OSError):
            os.readlink(name, dir_fd=folder)
            code = errno.ELOOP
    raise OSError(code, os.strerror(code))


def _kind(entry: os.DirEntry[str]) -> EntryKind:
    """What an entry is, by what listing the folder already told; Windows' junctions count as links."""
    if entry.is_symlink() or (sys.platform == "win32" and _is_link(entry.stat(follow_symlinks=False))):
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"


def _is_link(found: os.stat_result) -> bool:
    reparse_point = getattr(found, "st_file_attributes", 0) & getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0)
    return stat.S_ISLNK(found.st_mode) or bool(reparse_point)


@contextlib.contextmanager
def _closing(fd: int) -> Generator[int]:
    try:
        yield fd
    finally:
        os.close(fd)
