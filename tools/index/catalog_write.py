"""Rows in: one file at a time, each in one transaction of its own that the caller opens.

Everything that belongs to a file hangs on its row and goes with it; only the keyword index has to be told.
Vectors belong to a text, not to a file: they stay when the text goes, so that a reverted edit embeds nothing.
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from tools.index import catalog_keywords
from tools.index.chunk import Chunk, Definition, Discovery, ParsedFile, Reference, text_sha256
from tools.index.module_names import module_of_path, module_parts, tail
from tools.index.records import FileRecord, SkipRecord

_FILE_COLUMNS = (
    "path, sha256, size, mtime_ns, inode, encoding, newline, n_lines, read_at_ns, made_with, redactions,"
    " hidden_characters, language, area, note, module"
)
_INSERT_FILE = f"INSERT INTO files ({_FILE_COLUMNS}) VALUES ({', '.join('?' * 16)})"
_INSERT_CHUNK = (
    "INSERT INTO chunks (file_id, first_line, last_line, kind, text, symbol, qualified_name, signature, docstring,"
    " text_sha) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def put_file(connection: sqlite3.Connection, record: FileRecord, parsed: ParsedFile, area: str) -> None:
    """Put a file in place of what was at its path."""
    remove_file(connection, record.path)
    values = _file_values(record, parsed.language, area, parsed.note)
    file_id = _row_id(connection.execute(_INSERT_FILE, values))
    chunk_ids = [
        _row_id(connection.execute(_INSERT_CHUNK, _chunk_values(file_id, chunk))) for chunk in parsed.chunks
    ]
    catalog_keywords.index_chunks(connection, record.path, zip(chunk_ids, parsed.chunks, strict=True))
    _put_symbols(connection, file_id, parsed, chunk_ids)


def remove_file(connection: sqlite3.Connection, path: str) -> bool:
    """Remove a path with all its rows, also when it was only remembered as skipped; False when it was not there."""
    skipped = connection.execute("DELETE FROM content_skips WHERE path = ?", (path,)).rowcount > 0
    row = connection.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
    if row is None:
        return skipped
    catalog_keywords.forget_file(connection, row[0])
    connection.execute("DELETE FROM files WHERE id = ?", row)
    return True


def rename_file(connection: sqlite3.Connection, old: str, record: FileRecord, area: str) -> None:
    """Let a file be at another path: chunks and their ids, symbols and vectors stay."""
    (file_id,) = connection.execute("SELECT id FROM files WHERE path = ?", (old,)).fetchone()
    remove_file(connection, record.path)
    connection.execute(
        "UPDATE files SET path = ?, size = ?, mtime_ns = ?, inode = ?, read_at_ns = ?, area = ?, module = ? WHERE id = ?",
        (
            record.path,
            record.size,
            record.mtime_ns,
            record.inode,
            record.read_at_ns,
            area,
            tail(module_of_path(record.path)),
            file_id,
        ),
    )
    catalog_keywords.rename_path(connection, file_id, record.path)


def touch_files(connection: sqlite3.Connection, records: Iterable[FileRecord | SkipRecord]) -> None:
    """Note how files look on disk now whose bytes have not changed."""
    for record in records:
        table = "files" if isinstance(record, FileRecord) else "content_skips"
        connection.execute(
            f"UPDATE {table} SET size = ?, mtime_ns = ?, inode = ?, read_at_ns = ? WHERE path = ?",
            (record.size, record.mtime_ns, record.inode, record.read_at_ns, record.path),
        )


def put_skip(connection: sqlite3.Connection, skip: SkipRecord) -> None:
    """Remember that a file's content is not indexed, in place of what was at its path."""
    remove_file(connection, skip.path)
    connection.execute(
        "INSERT INTO content_skips VALUES (?, ?, ?, ?, ?, ?, ?)",
        (skip.path, skip.reason, skip.size, skip.mtime_ns, skip.inode, skip.read_at_ns, skip.made_with),
    )


def set_skips(connection: sqlite3.Connection, discovery: Discovery) -> None:
    """Replace what discovery left out."""
    connection.execute("DELETE FROM listed_skips")
    connection.executemany(
        "INSERT OR REPLACE INTO listed_skips VALUES (?, ?)",
        ((storable(skip.path), skip.reason) for skip in discovery.skips),
    )
    connection.execute("UPDATE state SET listed_by = ?", (discovery.listed_by,))


def storable(path: str) -> str:
    """A path as SQLite takes it: bytes that are no UTF-8 are spelled out, for people to read."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _put_symbols(
    connection: sqlite3.Connection, file_id: int, parsed: ParsedFile, chunk_ids: Sequence[int]
) -> None:
    starts = [chunk.first_line for chunk in parsed.chunks]
    connection.executemany(
        "INSERT INTO definitions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            _definition_values(file_id, one, _holder(one.first_line, starts, chunk_ids))
            for one in parsed.definitions
        ),
    )
    connection.executemany(
        "INSERT INTO refs VALUES (?, ?, ?, ?)",
        (
            (file_id, name, kind, json.dumps(places))
            for (name, kind), places in _uses(parsed.references).items()
        ),
    )
    connection.executemany(
        "INSERT INTO imports VALUES (?, ?, ?, ?, ?)",
        (
            (file_id, one.module, json.dumps(one.names), one.line, tail(module_parts(one.module)))
            for one in parsed.imports
        ),
    )


def _uses(references: Iterable[Reference]) -> dict[tuple[str, str], dict[str, list[int]]]:
    """(name, kind) → enclosing definition → lines."""
    uses: dict[tuple[str, str], dict[str, list[int]]] = {}
    for one in references:
        uses.setdefault((one.name, one.kind), {}).setdefault(one.enclosing, []).append(one.line)
    return uses


def _holder(line: int, starts: Sequence[int], chunk_ids: Sequence[int]) -> int:
    """The id of the chunk that a line is in."""
    return chunk_ids[max(bisect_right(starts, line) - 1, 0)] if chunk_ids else 0


def _file_values(record: FileRecord, language: str, area: str, note: str) -> tuple[object, ...]:
    return (
        record.path,
        record.sha256,
        record.size,
        record.mtime_ns,
        record.inode,
        record.encoding,
        record.newline,
        record.n_lines,
        record.read_at_ns,
        record.made_with,
        json.dumps(dict(record.redactions)),
        record.hidden_characters,
        language,
        area,
        note,
        tail(module_of_path(record.path)),
    )


def _chunk_values(file_id: int, chunk: Chunk) -> tuple[object, ...]:
    return (
        file_id,
        chunk.first_line,
        chunk.last_line,
        chunk.kind,
        chunk.text,
        chunk.symbol,
        chunk.qualified_name,
        chunk.signature,
        chunk.docstring,
        bytes.fromhex(text_sha256(chunk.embedded_text)),
    )


def _definition_values(file_id: int, one: Definition, chunk_id: int) -> tuple[object, ...]:
    return (
        file_id,
        one.name,
        one.qualified_name,
        one.kind,
        one.first_line,
        one.last_line,
        one.signature,
        chunk_id,
    )


def _row_id(cursor: sqlite3.Cursor) -> int:
    assert cursor.lastrowid is not None  # an INSERT has just succeeded
    return cursor.lastrowid
