"""Which files differ from what the catalog knows.

A file whose size, modification time and inode are as recorded is taken as unchanged, without being read, unless it
was modified so shortly before it was read that a later edit could carry the same time; then, as whenever anything
differs, its bytes decide. A file that is gone and whose bytes stand at a new path was renamed.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from tools.index.areas import area_of
from tools.index.languages import language_of
from tools.index.records import FileRecord, SkipRecord
from tools.workspace import FileStat, Unreadable, Workspace

_RACY_NS = 2_000_000_000
"""File systems keep times as coarse as two seconds (FAT)."""
_MOST_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Changes:
    """What has to be done so that the catalog tells what the files say."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Known paths to read again: other bytes, or indexed by other versions of our rules."""
    removed: tuple[str, ...] = ()
    """Known paths, indexed or skipped, that are no longer candidates."""
    renamed: tuple[tuple[str, FileRecord], ...] = ()
    """(old path, the record under its new path): the same bytes, to be understood in the same way."""
    touched: tuple[FileRecord, ...] = ()
    """The same bytes that look different on disk, as they look now."""
    unchanged: int = 0
    """Candidates that need no work, the touched ones included."""


@dataclass(frozen=True, slots=True)
class _Seen:
    stat: FileStat
    read_at_ns: int
    sha256: str


def compare(
    workspace: Workspace,
    paths: Iterable[str],
    files: Mapping[str, FileRecord],
    skips: Mapping[str, SkipRecord],
    made_with: str,
    *,
    reread: bool = False,
) -> Changes:
    """Compare the candidates with what is known of them; `reread` finds every known file changed."""
    added: list[str] = []
    changed: list[str] = []
    touched: list[FileRecord] = []
    present: set[str] = set()
    for path in paths:
        present.add(path)
        known = files.get(path) or skips.get(path)
        if known is None:
            added.append(path)
        elif reread or known.made_with != made_with:
            changed.append(path)
        elif not _looks_unchanged(known, workspace.stat(path)):
            same = _same_bytes(workspace, path, known) if isinstance(known, FileRecord) else None
            changed.append(path) if same is None else touched.append(same)
    removed = [path for path in (*files, *skips) if path not in present]
    renamed = _renamed(workspace, added, [files[path] for path in removed if path in files], made_with)
    old_paths = {old for old, _ in renamed}
    new_paths = {record.path for _, record in renamed}
    return Changes(
        added=tuple(path for path in added if path not in new_paths),
        changed=tuple(changed),
        removed=tuple(path for path in removed if path not in old_paths),
        renamed=tuple(renamed),
        touched=tuple(touched),
        unchanged=len(present) - len(added) - len(changed),
    )


def _looks_unchanged(known: FileRecord | SkipRecord, there: FileStat | None) -> bool:
    if there is None or (there.size, there.mtime_ns, there.inode) != (
        known.size,
        known.mtime_ns,
        known.inode,
    ):
        return False
    return known.mtime_ns + _RACY_NS < known.read_at_ns


def _same_bytes(workspace: Workspace, path: str, known: FileRecord) -> FileRecord | None:
    """The record with how the file looks now, or None when its bytes are others."""
    now = _look(workspace, path, {known.size})
    return _as_seen(known, path, now) if now is not None and now.sha256 == known.sha256 else None


def _renamed(
    workspace: Workspace, added: Iterable[str], gone: Iterable[FileRecord], made_with: str
) -> list[tuple[str, FileRecord]]:
    """Pairs of a file that is gone and a new one with its bytes, each used once, of equal language and area."""
    by_hash: dict[str, list[FileRecord]] = {}
    for record in gone:
        if record.made_with == made_with:
            by_hash.setdefault(record.sha256, []).append(record)
    sizes = {record.size for records in by_hash.values() for record in records}
    pairs: list[tuple[str, FileRecord]] = []
    for path in added if sizes else ():
        now = _look(workspace, path, sizes)
        candidates = by_hash.get(now.sha256, []) if now is not None else []
        alike = [record for record in candidates if _understood_alike(record.path, path)]
        if now is not None and alike:
            candidates.remove(alike[0])
            pairs.append((alike[0].path, _as_seen(alike[0], path, now)))
    return pairs


def _look(workspace: Workspace, path: str, sizes: Collection[int]) -> _Seen | None:
    """How a file looks and the hash of its bytes, when it has one of the sizes and can be read.

    The look comes before the bytes, so that an edit in between is seen the next time.
    """
    read_at_ns = time.time_ns()
    there = workspace.stat(path)
    if there is None or there.size not in sizes:
        return None
    try:
        data = workspace.read_bytes(path, max_bytes=_MOST_BYTES)
    except Unreadable:
        return None
    return _Seen(there, read_at_ns, hashlib.sha256(data).hexdigest())


def _as_seen(known: FileRecord, path: str, now: _Seen) -> FileRecord:
    return replace(
        known, path=path, mtime_ns=now.stat.mtime_ns, inode=now.stat.inode, read_at_ns=now.read_at_ns
    )


def _understood_alike(old: str, new: str) -> bool:
    """Whether the same bytes are read as the same language and the same kind of file at both paths."""
    return area_of(old) == area_of(new) and language_of(old) == language_of(new)
