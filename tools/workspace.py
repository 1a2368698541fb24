"""The one folder that may be read: every tool, the index and the citation check open its files through here.

Paths are canonical: relative to the root, POSIX, no `.` or `..`; "" is the root. Names that are not valid UTF-8
travel with surrogate escapes and are made readable by `tools/show.py` alone. No link is followed, inside or out.
Nothing that this module says tells what lies outside, not even whether it exists. What `read` returns has its
secrets masked already (`tools/secrets.py`), so nothing above ever sees them.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from tools.confined_open import EntryKind, confine
from tools.errors import WorkspaceInvalid
from tools.secrets import is_secret_file, mask
from tools.show import hidden_characters
from tools.text_decoding import Newline, NotText, decode, newline_of, split_lines

__all__ = [
    "FileStat",
    "SourceFile",
    "Unreadable",
    "Workspace",
    "split_lines",
]

MAX_READ_BYTES = 64 * 1024 * 1024
_BLOCK_BYTES = 1024 * 1024

_OUTSIDE = "outside the workspace"
_REASONS = {
    errno.ENOENT: "not found",
    errno.ENOTDIR: "not found",
    errno.ENAMETOOLONG: "not found",
    errno.EXDEV: _OUTSIDE,
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.EISDIR: "a folder",
    errno.ENXIO: "not a regular file",  # a socket, or a FIFO that nobody reads
    errno.ENODEV: "not a regular file",
    errno.EINVAL: "not a regular file",
}
# Nearly all paths come from the index and are canonical already.
_NEEDS_CARE = re.compile(r"\A/|//|(?:\A|/)\.{0,2}(?:/|\Z)|[\0\ud800-\udfff]")
_WINDOWS_DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)),
}


class Unreadable(Exception):
    """A path that cannot be read here, and the reason in a few words."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"`{path}`: {reason}")
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class FileStat:
    """What changes when a file changes, without reading it."""

    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as it was when it was read, as text with its secrets masked."""

    path: str
    sha256: str
    """Of the raw bytes, unmasked."""
    size: int
    encoding: str
    newline: Newline
    lines: tuple[str, ...]
    redactions: Mapping[str, int]
    """Masked values per rule."""
    hidden_characters: int
    """Characters that a reader cannot see: zero width, direction changing, tags."""

    def text(self, first: int, last: int) -> str:
        """Lines `first` to `last`, 1-based and inclusive, joined by "\\n". Raises ValueError outside the file."""
        if not 1 <= first <= last <= len(self.lines):
            raise ValueError(f"lines {first}-{last} are not within 1-{len(self.lines)}")
        return "\n".join(self.lines[first - 1 : last])


class Workspace:
    """Opens files of one folder safely, however hostile its content."""

    def __init__(self, root: Path) -> None:
        """Raises: WorkspaceInvalid, where the folder is missing or may not be opened."""
        self.root: Path = Path(os.path.realpath(root))
        # A person may go on typing the name of the link by which the folder was opened.
        as_typed = os.path.abspath(root)  # noqa: PTH100  (resolving would follow the link)
        self._absolute_prefixes: tuple[str, ...] = (str(self.root), as_typed)
        try:
            if not self.root.is_dir():
                raise NotADirectoryError(
                    errno.ENOTDIR, "not a folder" if self.root.exists() else "no such folder"
                )
            self._opener = confine(self.root)
        except OSError as error:
            raise WorkspaceInvalid(
                f"`{root}` cannot be opened as a workspace",
                cause=(error.strerror or "not a folder").lower(),
                hint="name a folder that exists and that you may read",
            ) from error

    def close(self) -> None:
        """Free the root's descriptor; nothing can be read afterwards."""
        self._opener.close()

    def normalise(self, path: str) -> str:
        """What a model or a person typed, as a canonical path: accepts `./a`, `a//b`, and absolute paths inside.

        Raises: Unreadable, for what leads out or cannot be a path. Whether something is there is not asked.
        """
        if sys.platform != "win32" and not _NEEDS_CARE.search(path):
            return path
        inside = self._without_root(path)
        parts: list[str] = []
        for part in inside.split("/"):
            if part == "..":
                if not parts:
                    raise Unreadable(path, _OUTSIDE)
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
        if not all(map(_is_possible_name, parts)):
            raise Unreadable(path, "not a valid path")
        return "/".join(parts)

    def look(self, path: str) -> FileStat:
        """Size and times of a regular file, without opening it. Raises: Unreadable, with the reason why it is none."""
        path = self.normalise(path)
        try:
            found = self._opener.stat(path)
        except OSError as error:
            raise self._unreadable(path, error) from None
        return _regular(path, found)

    def stat(self, path: str) -> FileStat | None:
        """The same, or None."""
        try:
            return self.look(path)
        except Unreadable:
            return None

    def entries(self, folder: str) -> list[tuple[str, EntryKind]]:
        """Names in a folder and what each is, links not followed. Raises: Unreadable."""
        folder = self.normalise(folder)
        try:
            return self._opener.entries(folder)
        except OSError as error:
            raise self._unreadable(folder, error) from None

    def read_bytes(self, path: str, *, max_bytes: int) -> bytes:
        """Raw bytes of a regular file, unmasked, secret files too. For the program itself, never for a model.

        Raises: Unreadable.
        """
        path = self.normalise(path)
        try:
            fd = self._opener.open(path)
        except OSError as error:
            raise self._unreadable(path, error) from None
        try:
            size = _regular(path, os.fstat(fd)).size
            data = _read_up_to(fd, max_bytes + 1) if size <= max_bytes else b""
        except OSError as error:
            raise self._unreadable(path, error) from None
        finally:
            os.close(fd)
        if size > max_bytes or len(data) > max_bytes:  # it may have grown meanwhile
            raise Unreadable(path, f"larger than {_readable_size(max_bytes)}")
        return data

    def read(self, path: str, *, max_bytes: int = MAX_READ_BYTES) -> SourceFile:
        """One file as text: hashed, decoded and masked from the same open file. Raises: Unreadable."""
        path = self.normalise(path)
        if is_secret_file(path):
            raise Unreadable(path, "secret file")
        data = self.read_bytes(path, max_bytes=max_bytes)
        try:
            decoded = decode(data)
        except NotText as error:
            raise Unreadable(path, str(error)) from None
        masked, redactions = mask(decoded.text)
        return SourceFile(
            path=path,
            sha256=hashlib.sha256(data).hexdigest(),
            size=len(data),
            encoding=decoded.encoding,
            newline=newline_of(masked),
            lines=tuple(split_lines(masked)),
            redactions=redactions,
            hidden_characters=hidden_characters(masked),
        )

    def _without_root(self, path: str) -> str:
        posix = path.replace("\\", "/") if sys.platform == "win32" else path
        if not PurePath(posix).is_absolute():
            return posix
        inside = PurePath(os.path.normpath(posix))
        for prefix in self._absolute_prefixes:
            if inside.is_relative_to(prefix):
                return inside.relative_to(prefix).as_posix()
        raise Unreadable(path, _OUTSIDE)

    def _unreadable(self, path: str, error: OSError) -> Unreadable:
        # BSD says EMLINK where Linux says ELOOP. A folder of the path may be a link while its end is not found.
        reason = self._link_reason(path) if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENOTDIR) else ""
        return Unreadable(path, reason or _REASONS.get(error.errno or 0, "not readable"))

    def _link_reason(self, path: str) -> str:
        """Which path to read instead, where a part of this one is a link to another place in the workspace."""
        parts = path.split("/")
        for count in range(1, len(parts) + 1):
            target = self._opener.link_target("/".join(parts[:count]))
            if target is None:
                continue
            start = "" if PurePath(target).is_absolute() else "/".join([*parts[: count - 1], ""])
            try:
                instead = self.normalise("/".join([start + target, *parts[count:]])) or "."
            except Unreadable:
                return "symlink out of the workspace"
            return f"symlink to `{instead}`, read `{instead}` instead"
        return ""


def _regular(path: str, found: os.stat_result) -> FileStat:
    if stat.S_ISREG(found.st_mode):
        return FileStat(found.st_size, found.st_mtime_ns, found.st_ino)
    raise Unreadable(path, "a folder" if stat.S_ISDIR(found.st_mode) else "not a regular file")


def _is_possible_name(part: str) -> bool:
    try:
        os.fsencode(part)
    except UnicodeEncodeError:
        return False
    if sys.platform == "win32":
        # A colon names a stream, a trailing dot or space vanishes, and device names reach devices from any folder.
        reserved = part.split(".")[0].rstrip().lower() in _WINDOWS_DEVICES
        return not reserved and not part.endswith((".", " ")) and not set(part) & set('\0:*?"<>|')
    return "\0" not in part


def _read_up_to(fd: int, limit: int) -> bytes:
    blocks: list[bytes] = []
    remaining = limit
    while remaining and (block := os.read(fd, min(remaining, _BLOCK_BYTES))):
        blocks.append(block)
        remaining -= len(block)
    return b"".join(blocks)


def _readable_size(n_bytes: int) -> str:
    for unit, size in (("MiB", 1024 * 1024), ("KiB", 1024)):
        if n_bytes >= size:
            return f"{n_bytes / size:g} {unit}"
    return f"{n_bytes} bytes"
