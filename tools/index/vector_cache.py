"""Vectors that were once computed, kept for all workspaces of one person: by embedder fingerprint and text hash.

A branch checked out again, a second clone, an index rebuilt from nothing: none of them embeds a text twice. One
sqlite file, `vectors.db`, in the data folder. Losing it costs time only: a damaged one is thrown away, and where it
cannot be used at all (no space, a read-only folder) the run goes on without it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path

from tools.index.catalog_schema import is_corruption

NAME = "vectors.db"
MOST_VECTORS = 400_000
"""The oldest beyond this are dropped: some 700 MB at 384 numbers each."""
WAIT_SECONDS = 10.0
_MOST_PARAMETERS = 500

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL, text_sha TEXT NOT NULL, vector BLOB NOT NULL,
    UNIQUE (fingerprint, text_sha)
)
"""


class VectorCache:
    """One open cache. Several processes may use the file at once."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / NAME
        self._connection: sqlite3.Connection | None = None
        """None where there is no using it."""
        with self._harmless():
            self._connection = _open(self._path)

    def get(self, fingerprint: str, text_shas: Sequence[str]) -> dict[str, bytes]:
        """The vectors that are there, by text hash."""
        found: dict[str, bytes] = {}
        with self._harmless():
            for start in range(0, len(text_shas), _MOST_PARAMETERS):
                some = text_shas[start : start + _MOST_PARAMETERS]
                among = ",".join("?" * len(some))
                sql = f"SELECT text_sha, vector FROM vectors WHERE fingerprint = ? AND text_sha IN ({among})"
                found.update(self._connection.execute(sql, (fingerprint, *some)) if self._connection else ())
        return found

    def put(self, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors; those that are there already stay as they are."""
        with self._harmless():
            if self._connection:
                with self._connection:
                    self._connection.executemany(
                        "INSERT OR IGNORE INTO vectors (fingerprint, text_sha, vector) VALUES (?, ?, ?)",
                        ((fingerprint, sha, vector) for sha, vector in vectors.items()),
                    )

    def trim(self, most: int = MOST_VECTORS) -> int:
        """Drop the oldest vectors beyond `most`; how many went."""
        dropped = 0
        with self._harmless():
            if self._connection:
                (count,) = self._connection.execute("SELECT count(*) FROM vectors").fetchone()
                if count > most:
                    oldest = "SELECT id FROM vectors ORDER BY id LIMIT ?"
                    with self._connection:
                        self._connection.execute(
                            f"DELETE FROM vectors WHERE id IN ({oldest})", (count - most,)
                        )
                    dropped = count - most
        return dropped

    @contextlib.contextmanager
    def _harmless(self) -> Generator[None]:
        """No error of the cache ends a run. Damage, met at opening or later, makes it new; the rest goes without it."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            self.close()
            self._connection = None
            if isinstance(error, sqlite3.Error) and is_corruption(error):
                with contextlib.suppress(OSError, sqlite3.Error):
                    _throw_away(self._path)
                    self._connection = _open(self._path)

    def close(self) -> None:
        if self._connection:
            self._connection.close()


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600, exist_ok=True)
    connection = sqlite3.connect(path, timeout=WAIT_SECONDS)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_SCHEMA)
        connection.commit()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _throw_away(path: Path) -> None:
    for each in _files(path):
        with contextlib.suppress(FileNotFoundError):
            each.unlink()


def _files(path: Path) -> Iterable[Path]:
    return (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm"))
