"""Vectors in the catalog: float32 rows by (embedder fingerprint, hash of the embedded text).

Several chunks may share one text and so one vector. A vector whose text is gone stays until `prune`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.index.chunk import Chunk

_WANTED_FIRST = """
SELECT text_sha, first_line, last_line, kind, text, symbol, qualified_name, signature, docstring FROM (
    SELECT min(chunks.id) AS id, chunks.text_sha AS text_sha,
        min(CASE files.area WHEN 'source' THEN 0 WHEN 'tests' THEN 1 WHEN 'examples' THEN 1 WHEN 'docs' THEN 2 ELSE 3 END)
            AS place,
        max(coalesce(imported.times, 0)) AS imported
    FROM chunks JOIN files ON files.id = chunks.file_id
    LEFT JOIN (SELECT tail, count(DISTINCT file_id) AS times FROM imports WHERE tail <> '' GROUP BY tail) AS imported
        ON imported.tail = files.module
    WHERE NOT EXISTS (
        SELECT 1 FROM vectors WHERE vectors.embedder_id = ? AND vectors.text_sha = chunks.text_sha
    )
    GROUP BY chunks.text_sha ORDER BY place, imported DESC, id LIMIT ?
) AS wanted JOIN chunks USING (id, text_sha) ORDER BY wanted.place, wanted.imported DESC, wanted.id
"""


def put(connection: sqlite3.Connection, fingerprint: str, items: Sequence[tuple[str, bytes]]) -> None:
    """Keep vectors by the hex hash of their text."""
    connection.execute("INSERT OR IGNORE INTO embedders (fingerprint) VALUES (?)", (fingerprint,))
    embedder_id = _embedder_id(connection, fingerprint)
    connection.executemany(
        "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
        ((embedder_id, bytes.fromhex(text_sha), vector) for text_sha, vector in items),
    )


def load(connection: sqlite3.Connection, fingerprint: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Ids and vectors of all chunks that have one, in order of ids; (0, 0)-shaped when none has."""
    rows = connection.execute(
        "SELECT chunks.id, vectors.vector FROM chunks JOIN vectors"
        " ON vectors.embedder_id = ? AND vectors.text_sha = chunks.text_sha",
        (_embedder_id(connection, fingerprint),),
    ).fetchall()
    if not rows:
        return np.empty(0, np.int64), np.empty((0, 0), np.float32)
    width = len(rows[0][1])
    whole = [row for row in rows if len(row[1]) == width]
    ids = np.fromiter((row[0] for row in whole), np.int64, len(whole))
    matrix = np.frombuffer(b"".join(row[1] for row in whole), np.float32).reshape(len(whole), -1)
    order = ids.argsort()  # much cheaper here than ORDER BY, which would carry every vector along
    return ids[order], matrix[order]


def texts_without(connection: sqlite3.Connection, fingerprint: str, limit: int) -> list[tuple[str, str]]:
    """(hash, embedded text) of texts without a vector, most wanted first, each text once."""
    rows = connection.execute(_WANTED_FIRST, (_embedder_id(connection, fingerprint), limit))
    return [(text_sha.hex(), Chunk(*chunk).embedded_text) for text_sha, *chunk in rows]


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """Embedder fingerprint → chunks that have its vector."""
    return dict(
        connection.execute(
            "SELECT fingerprint, count(*) FROM embedders JOIN vectors ON vectors.embedder_id = embedders.id"
            " JOIN chunks ON chunks.text_sha = vectors.text_sha GROUP BY fingerprint"
        ).fetchall()
    )


def prune(connection: sqlite3.Connection) -> int:
    """Remove vectors whose text no chunk has; how many there were."""
    return connection.execute(
        "DELETE FROM vectors WHERE text_sha NOT IN (SELECT text_sha FROM chunks)"
    ).rowcount


def _embedder_id(connection: sqlite3.Connection, fingerprint: str) -> int:
    row = connection.execute("SELECT id FROM embedders WHERE fingerprint = ?", (fingerprint,)).fetchone()
    return row[0] if row else 0
