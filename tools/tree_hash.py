"""One hash for the indexed files of a workspace as they are now: which state of the code a run of tests was about."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from tools.index.records import FileRecord
from tools.workspace import MAX_READ_BYTES, Unreadable, Workspace


def tree_sha256(workspace: Workspace, records: Mapping[str, FileRecord]) -> str:
    """Hash of every path with the hash of its bytes; only files that changed since they were indexed are read."""
    whole = hashlib.sha256()
    for path in sorted(records):
        name = path.encode("utf-8", "surrogateescape")
        whole.update(b"%s\0%s\n" % (name, _file_sha256(workspace, records[path]).encode()))
    return whole.hexdigest()


def _file_sha256(workspace: Workspace, record: FileRecord) -> str:
    found = workspace.stat(record.path)
    if found is not None and (found.size, found.mtime_ns) == (record.size, record.mtime_ns):
        return record.sha256
    return file_sha256(workspace, record.path)


def file_sha256(workspace: Workspace, path: str) -> str:
    """Hash of a file's bytes, or what is wrong with it in place of one."""
    try:
        return hashlib.sha256(workspace.read_bytes(path, max_bytes=MAX_READ_BYTES)).hexdigest()
    except Unreadable as unreadable:
        return unreadable.reason
