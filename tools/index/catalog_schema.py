"""The catalog's tables, and opening its file: created private, refused when newer, set aside when damaged.

The schema version is SQLite's `user_version`. One row of `state` counts changes and names the process that has
written since the last clean close; a name left behind by a process that died means the pages are checked first.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import psutil

from tools.errors import IndexUnusable
from tools.index.turns import forget_built

SCHEMA_VERSION = 1
FILE_NAME = "catalog.db"
BUSY_TIMEOUT_SECONDS = 5.0
_SCARCE_BYTES = 1024 * 1024
_BUILD_ANEW = "run `codewitness index --rebuild`: it is built anew from the files"

_TABLES = """
CREATE TABLE state (
    changes INTEGER NOT NULL, writing TEXT NOT NULL, listed_by TEXT NOT NULL, updated_at TEXT NOT NULL
);
INSERT INTO state VALUES (0, '', '', '');
CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL, size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, encoding TEXT NOT NULL, newline TEXT NOT NULL,
    n_lines INTEGER NOT NULL, read_at_ns INTEGER NOT NULL, made_with TEXT NOT NULL, redactions TEXT NOT NULL,
    hidden_characters INTEGER NOT NULL, language TEXT NOT NULL, area TEXT NOT NULL, note TEXT NOT NULL,
    module TEXT NOT NULL
);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
    symbol TEXT NOT NULL, qualified_name TEXT NOT NULL, signature TEXT NOT NULL, docstring TEXT NOT NULL,
    text_sha BLOB NOT NULL
);
CREATE INDEX chunks_by_file ON chunks (file_id);
CREATE INDEX chunks_by_text ON chunks (text_sha);
CREATE TABLE definitions (
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE, name TEXT NOT NULL COLLATE NOCASE,
    qualified_name TEXT NOT NULL, kind TEXT NOT NULL, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL,
    signature TEXT NOT NULL, chunk_id INTEGER NOT NULL
);
CREATE INDEX definitions_by_file ON definitions (file_id);
CREATE INDEX definitions_by_name ON definitions (name);
CREATE TABLE refs (
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE, name TEXT NOT NULL, kind TEXT NOT NULL,
    places TEXT NOT NULL
);
CREATE INDEX refs_by_file ON refs (file_id);
CREATE INDEX refs_by_name ON refs (name);
CREATE TABLE imports (
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE, module TEXT NOT NULL, names TEXT NOT NULL,
    line INTEGER NOT NULL, tail TEXT NOT NULL
);
CREATE INDEX imports_by_file ON imports (file_id);
CREATE INDEX imports_by_tail ON imports (tail);
CREATE TABLE listed_skips (path TEXT NOT NULL PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE content_skips (
    path TEXT NOT NULL PRIMARY KEY, reason TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL, read_at_ns INTEGER NOT NULL, made_with TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE embedders (id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE);
CREATE TABLE vectors (
    embedder_id INTEGER NOT NULL REFERENCES embedders (id), text_sha BLOB NOT NULL, vector BLOB NOT NULL
);
CREATE UNIQUE INDEX vectors_by_text ON vectors (embedder_id, text_sha);
CREATE VIRTUAL TABLE keywords USING fts5 (symbol, path, docs, body, tokenize = 'ascii');
CREATE VIRTUAL TABLE keyword_terms USING fts5vocab (keywords, 'row');
"""
# A row of `refs` is all uses of one name in one file, its places {enclosing: [lines]}: a row per use would be five
# times as many, and their scattered index entries would be most of the work of a first run.
# `keywords` keeps its own copy of the terms: a contentless table can only be deleted from with the very terms that
# went in (SQLite before 3.43), so that one change to the word rules would quietly damage it. `ascii` splits at the
# spaces that we put and leaves every other alphabet alone.


class IndexDamaged(IndexUnusable):
    """The database file itself is bad: only building anew helps."""


def open_for_writing(folder: Path) -> tuple[sqlite3.Connection, str]:
    """The catalog of `folder`, created where there is none. The caller holds the writer lock.

    Returns: the connection, and one sentence about what was set aside because it was damaged, or "".
    Raises: IndexUnusable.
    """
    path = folder / FILE_NAME
    try:
        _create_private(path)
        try:
            return _checked(path), ""
        except sqlite3.DatabaseError as error:
            if not is_corruption(error):
                raise
        kept_as = set_aside(folder)
        _create_private(path)
        return _checked(
            path
        ), f"the index was damaged and is built anew; the damaged file is kept as `{kept_as.name}`"
    except (OSError, sqlite3.Error) as error:
        raise cannot("write", folder, error) from error


def open_for_reading(folder: Path) -> sqlite3.Connection:
    """The catalog of `folder` as it is.

    Raises: IndexUnusable, also when there is none yet.
    """
    path = folder / FILE_NAME
    if not path.is_file() or not path.stat().st_size:
        raise IndexUnusable(
            "this workspace has no index yet", cause=f"`{path}` is not there", hint="run `codewitness index`"
        )
    try:
        connection = _connect(f"{path.absolute().as_uri()}?mode=ro{_immutable(path)}")
        try:
            _refuse_newer(connection, folder)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise cannot("read", folder, error) from error
    return connection


def set_aside(folder: Path) -> Path:
    """Rename the database to `catalog.corrupt-DATE`, in place of the one before; its side files go with it."""
    for earlier in folder.glob("catalog.corrupt-*"):
        earlier.unlink()
    path = folder / FILE_NAME
    kept_as = folder / f"catalog.corrupt-{datetime.now():%Y%m%d-%H%M%S}"
    path.replace(kept_as)
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).unlink()
    return kept_as


def is_corruption(error: sqlite3.Error) -> bool:
    """Whether the file itself is bad, so that only building anew helps."""
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT"))


def unreadable_row(folder: Path, error: Exception) -> IndexDamaged:
    """The error for a row that cannot be what was written: the pages are well, their content is not."""
    return IndexDamaged(
        f"the index in `{folder}` holds a row that cannot be read", cause=str(error), hint=_BUILD_ANEW
    )


def cannot(do: str, folder: Path, error: Exception) -> IndexUnusable:
    """The error a person is told when the database refuses."""
    what = f"cannot {do} the index in `{folder}`"
    name = getattr(error, "sqlite_errorname", "")
    if isinstance(error, sqlite3.Error) and is_corruption(error):
        return IndexDamaged(what, cause=str(error), hint=_BUILD_ANEW)
    if name.startswith("SQLITE_FULL") or (name.startswith("SQLITE_IOERR") and _is_full(folder)):
        hint = "free some space and run `codewitness index` again: what was done is kept"
    elif name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        hint = "another `codewitness` is writing: try again when it has finished"
    elif isinstance(error, OSError) or name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        hint = "make the folder writable for you, or set another data folder (`codewitness config path` says where)"
    else:
        hint = "look whether the disk is well, and try again; `codewitness index --rebuild` builds it anew"
    return IndexUnusable(what, cause=str(error), hint=hint)


def _is_full(folder: Path) -> bool:
    """Whether the disk is: SQLite calls it an I/O error where its shared memory finds no room."""
    try:
        return shutil.disk_usage(folder).free < _SCARCE_BYTES
    except OSError:
        return False


def this_process() -> str:
    """A name for this process that no later process with the same number has."""
    return f"{os.getpid()}:{psutil.Process().create_time():.2f}"


def _checked(path: Path) -> sqlite3.Connection:
    connection = _connect(str(path.absolute()))
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA journal_size_limit = 16777216")
        _refuse_newer(connection, path.parent)
        if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
            forget_built(path.parent)  # whatever was whole before, this is a beginning
            _create_tables(connection)
        (writing,) = connection.execute("SELECT writing FROM state").fetchone()
        if writing not in ("", this_process()):
            check_pages(connection)  # a writer died
        return connection
    except BaseException:
        connection.close()
        raise


def _connect(database: str) -> sqlite3.Connection:
    """Statements commit by themselves unless BEGIN says otherwise; any one thread at a time may use it."""
    return sqlite3.connect(
        database,
        timeout=BUSY_TIMEOUT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=database.startswith("file:"),
    )


def _create_tables(connection: sqlite3.Connection) -> None:
    connection.executescript(f"BEGIN IMMEDIATE;{_TABLES}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")


def check_pages(connection: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError` for a damaged page: it opens without complaint, and would be met in a search."""
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        error = sqlite3.DatabaseError(verdict)
        error.sqlite_errorname = "SQLITE_CORRUPT"
        raise error


def _refuse_newer(connection: sqlite3.Connection, folder: Path) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise IndexUnusable(
            f"the index in `{folder}` was written by a newer codewitness",
            cause=f"its schema is {version}, this program knows up to {SCHEMA_VERSION}",
            hint="update codewitness, or run `codewitness index --delete` and index again",
        )


def _create_private(path: Path) -> None:
    """Made by us, since SQLite's file would be readable by all; its side files take the mode of this one."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _immutable(path: Path) -> str:
    """In a folder that cannot be written WAL works only like this, and only while no writer left a log behind."""
    log = path.with_name(path.name + "-wal")
    writable = os.access(path.parent, os.W_OK)
    return "" if writable or (log.is_file() and log.stat().st_size) else "&immutable=1"


def now() -> str:
    """The present moment as people read it, in local time with its offset."""
    return datetime.fromtimestamp(time.time()).astimezone().isoformat(timespec="seconds")
