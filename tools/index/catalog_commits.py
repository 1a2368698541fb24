"""The newest commits in the catalog: found by words, told by id, date and subject; what they changed is git's to say.

These tables stand beside the others and are made when the first commit is put, so that a catalog without them is as
good as one with none in them. Terms are those of `words.py`. Commits are no chunks: they have no lines in any file.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tools.index.words import terms

_TABLES = (
    "CREATE TABLE IF NOT EXISTS commits (id INTEGER PRIMARY KEY, sha TEXT NOT NULL UNIQUE, date TEXT NOT NULL,"
    " position INTEGER NOT NULL, subject TEXT NOT NULL, paths TEXT NOT NULL)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS commit_terms USING fts5 (subject, paths, body, tokenize = 'ascii')",
    "CREATE TABLE IF NOT EXISTS commit_state (head TEXT NOT NULL, made_with TEXT NOT NULL)",
)
_COLUMNS = ("subject", "paths", "body")


@dataclass(frozen=True, slots=True)
class IndexedCommit:
    """One commit, as it was indexed."""

    sha: str
    date: str
    """The author's, ISO 8601."""
    subject: str
    paths: tuple[str, ...]
    position: int = 0
    """0 is the newest; as `keep` numbers them."""
    body: str = ""
    """Text that it is found by: the rest of its message, and the lines it changed. Not kept as text."""


def put(connection: sqlite3.Connection, commits: Iterable[IndexedCommit]) -> None:
    """Add commits that are not there yet."""
    _create(connection)
    for commit in commits:
        row = (commit.sha, commit.date, commit.position, commit.subject, json.dumps(commit.paths))
        added = connection.execute(
            "INSERT OR IGNORE INTO commits (sha, date, position, subject, paths) VALUES (?, ?, ?, ?, ?)", row
        )
        if added.rowcount:
            held = (_joined(commit.subject), _joined("\n".join(commit.paths)), _joined(commit.body))
            connection.execute(
                "INSERT INTO commit_terms (rowid, subject, paths, body) VALUES (?, ?, ?, ?)",
                (added.lastrowid, *held),
            )


def keep(connection: sqlite3.Connection, shas: Sequence[str], head: str, made_with: str) -> None:
    """Forget all but these, the newest first, and note up to which commit they are whole ("": not yet)."""
    _create(connection)
    kept = frozenset(shas)
    connection.executemany("UPDATE commits SET position = ? WHERE sha = ?", enumerate(shas))
    gone = [row[0] for row in connection.execute("SELECT id, sha FROM commits") if row[1] not in kept]
    for table, key in (("commits", "id"), ("commit_terms", "rowid")):
        connection.executemany(f"DELETE FROM {table} WHERE {key} = ?", ((one,) for one in gone))
    connection.execute("DELETE FROM commit_state")
    connection.execute("INSERT INTO commit_state VALUES (?, ?)", (head, made_with))


def forget(connection: sqlite3.Connection) -> None:
    """Forget every commit: there is no history, or the word rules have changed."""
    for table in ("commits", "commit_terms", "commit_state"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")


def state(connection: sqlite3.Connection) -> tuple[str, str]:
    """Up to which commit the index is whole, and what it was made with; ("", "") where there is none."""
    row = (
        connection.execute("SELECT head, made_with FROM commit_state").fetchone()
        if _there(connection)
        else None
    )
    return (row[0], row[1]) if row else ("", "")


def shas(connection: sqlite3.Connection) -> frozenset[str]:
    """The ids of the indexed commits."""
    return (
        frozenset(row[0] for row in connection.execute("SELECT sha FROM commits"))
        if _there(connection)
        else frozenset()
    )


def newest(connection: sqlite3.Connection, limit: int) -> list[IndexedCommit]:
    """The newest ones."""
    return _read(connection, "ORDER BY position LIMIT ?", (limit,)) if _there(connection) else []


def by_id(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, IndexedCommit]:
    """Commits by the ids that `holding` gives."""
    wanted = json.dumps(list(ids))
    if not _there(connection):
        return {}
    rows = connection.execute(
        "SELECT id, sha, date, position, subject, paths FROM commits WHERE id IN (SELECT value FROM json_each(?))",
        (wanted,),
    )
    return {row[0]: _commit(row[1:]) for row in rows}


def holding(
    connection: sqlite3.Connection, alternatives: Sequence[Sequence[str]]
) -> dict[str, frozenset[int]]:
    """Ids of the commits that hold all terms of any of the alternatives, by column: subject, paths, body."""
    if not _there(connection):
        return {column: frozenset() for column in _COLUMNS}
    either = " OR ".join(f"({' AND '.join(map(_quoted, one))})" for one in alternatives if one)
    if not either:
        return {column: frozenset() for column in _COLUMNS}
    asked = "SELECT rowid FROM commit_terms WHERE commit_terms MATCH ?"
    return {
        column: frozenset(row[0] for row in connection.execute(asked, (f"{column} : ({either})",)))
        for column in _COLUMNS
    }


def _read(connection: sqlite3.Connection, rest: str, parameters: Sequence[object]) -> list[IndexedCommit]:
    rows = connection.execute(f"SELECT sha, date, position, subject, paths FROM commits {rest}", parameters)
    return [_commit(row) for row in rows]


def _commit(row: Sequence[str | int]) -> IndexedCommit:
    sha, date, position, subject, paths = row
    return IndexedCommit(str(sha), str(date), str(subject), tuple(json.loads(str(paths))), int(position))


def _create(connection: sqlite3.Connection) -> None:
    for table in _TABLES:
        connection.execute(table)


def _there(connection: sqlite3.Connection) -> bool:
    asked = "SELECT count(*) FROM sqlite_master WHERE name = 'commit_state'"
    return bool(connection.execute(asked).fetchone()[0])


def _joined(text: str) -> str:
    return " ".join(dict.fromkeys(terms(text)))


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
