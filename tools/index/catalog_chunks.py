"""Files and chunks out of the catalog."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from tools.index.records import FileRecord, SkipRecord, StoredChunk

_FILE = (
    "SELECT path, sha256, size, mtime_ns, inode, encoding, newline, n_lines, read_at_ns, made_with,"
    " hidden_characters, language, area, note, redactions FROM files"
)
_CHUNK = (
    "SELECT chunks.id, path, language, area, sha256, first_line, last_line, kind, text, symbol, qualified_name,"
    " signature, docstring FROM chunks JOIN files ON files.id = chunks.file_id"
)


def files(connection: sqlite3.Connection) -> dict[str, FileRecord]:
    """Every indexed file by its path, in order."""
    return {row[0]: _file_record(row) for row in connection.execute(f"{_FILE} ORDER BY path")}


def file(connection: sqlite3.Connection, path: str) -> FileRecord | None:
    """One indexed file."""
    row = connection.execute(f"{_FILE} WHERE path = ?", (path,)).fetchone()
    return _file_record(row) if row else None


def content_skips(connection: sqlite3.Connection) -> dict[str, SkipRecord]:
    """Files whose content is not indexed, by path."""
    return {row[0]: SkipRecord(*row) for row in connection.execute("SELECT * FROM content_skips")}


def by_id(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, StoredChunk]:
    """The chunks that still exist, by id."""
    wanted = json.dumps([int(one) for one in ids])  # ids come as numpy's integers too
    rows = connection.execute(f"{_CHUNK} WHERE chunks.id IN (SELECT value FROM json_each(?))", (wanted,))
    return {row[0]: _stored_chunk(row) for row in rows}


def at_line(connection: sqlite3.Connection, path: str, line: int) -> StoredChunk | None:
    """The chunk that a line of a file is in."""
    row = connection.execute(
        f"{_CHUNK} WHERE path = ? AND ? BETWEEN first_line AND last_line", (path, line)
    ).fetchone()
    return _stored_chunk(row) if row else None


def of_file(connection: sqlite3.Connection, path: str) -> list[StoredChunk]:
    """The chunks of a file, in order."""
    return [
        _stored_chunk(row)
        for row in connection.execute(f"{_CHUNK} WHERE path = ? ORDER BY first_line", (path,))
    ]


def _file_record(row: Sequence[Any]) -> FileRecord:
    return FileRecord(*row[:-1], redactions=json.loads(row[-1]))


def _stored_chunk(row: Sequence[Any]) -> StoredChunk:
    chunk_id, path, language, area, sha256, *chunk = row
    return StoredChunk(*chunk, id=chunk_id, path=path, language=language, area=area, sha256=sha256)
