"""The keyword index: BM25 over terms that `words.py` has already split and stemmed.

A score here is positive and higher is better. Terms may carry weights; BM25 is a sum over terms, so each group of
equal weight is one query and the sums are added.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from tools.index.chunk import Chunk
from tools.index.records import ColumnWeights
from tools.index.words import terms

_MOST_TERMS = 200
"""An issue report of 384 terms took 0.6 s where one of 40 took 0.05 s."""

_INSERT = "INSERT INTO keywords (rowid, symbol, path, docs, body) VALUES (?, ?, ?, ?, ?)"


def index_chunks(connection: sqlite3.Connection, path: str, chunks: Iterable[tuple[int, Chunk]]) -> None:
    """Add chunks, each under its id."""
    path_terms = " ".join(terms(path))
    connection.executemany(_INSERT, (_row(chunk_id, path_terms, chunk) for chunk_id, chunk in chunks))


def forget_file(connection: sqlite3.Connection, file_id: int) -> None:
    """Remove the chunks of a file."""
    connection.execute(
        "DELETE FROM keywords WHERE rowid IN (SELECT id FROM chunks WHERE file_id = ?)", (file_id,)
    )


def rename_path(connection: sqlite3.Connection, file_id: int, path: str) -> None:
    """Let the chunks of a file be found by another path."""
    connection.execute(
        "UPDATE keywords SET path = ? WHERE rowid IN (SELECT id FROM chunks WHERE file_id = ?)",
        (" ".join(terms(path)), file_id),
    )


def search(
    connection: sqlite3.Connection,
    weighted_terms: Mapping[str, float],
    columns: ColumnWeights,
    limit: int,
    among: str = "",
    among_parameters: Sequence[object] = (),
) -> list[tuple[int, float]]:
    """The best chunks that hold any of the terms: (chunk id, score), best first.

    Only the weightiest terms are looked for. `among` is a query for the chunk ids that may be found.
    """
    groups = _by_weight(weighted_terms)
    if not groups or limit < 1:
        return []
    # The plus keeps SQLite from asking the keyword index once for every id in `among` (sixty times slower).
    narrowed = f" AND +rowid IN ({among})" if among else ""
    if len(groups) == 1:
        ((weight, match),) = groups.items()
        sql = (
            "SELECT rowid, -bm25(keywords, ?, ?, ?, ?) AS score FROM keywords"
            f" WHERE keywords MATCH ?{narrowed} ORDER BY score DESC, rowid LIMIT ?"
        )
        rows = connection.execute(sql, (*columns, match, *among_parameters, limit)).fetchall()
        return [(chunk_id, score * weight) for chunk_id, score in rows]
    one = (
        "SELECT rowid AS id, -bm25(keywords, ?, ?, ?, ?) * ? AS part FROM keywords"
        f" WHERE keywords MATCH ?{narrowed}"
    )
    sql = (
        f"SELECT id, sum(part) AS score FROM ({' UNION ALL '.join([one] * len(groups))})"
        " GROUP BY id ORDER BY score DESC, id LIMIT ?"
    )
    parameters = [
        value for weight, match in groups.items() for value in (*columns, weight, match, *among_parameters)
    ]
    return connection.execute(sql, (*parameters, limit)).fetchall()


def document_frequency(connection: sqlite3.Connection, wanted: Iterable[str]) -> dict[str, int]:
    """In how many chunks each term occurs; 0 for those in none."""
    found: dict[str, int] = {}
    for term in dict.fromkeys(wanted):
        row = connection.execute("SELECT doc FROM keyword_terms WHERE term = ?", (_plain(term),)).fetchone()
        found[term] = row[0] if row else 0
    return found


def terms_held(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, frozenset[str]]:
    """All terms of each chunk, of its names, path, documentation and text alike."""
    rows = connection.execute(
        "SELECT rowid, symbol || ' ' || path || ' ' || docs || ' ' || body FROM keywords"
        " WHERE rowid IN (SELECT value FROM json_each(?))",
        (json.dumps([int(one) for one in ids]),),
    )
    return {chunk_id: frozenset(held.split()) for chunk_id, held in rows}


def terms_of_area(connection: sqlite3.Connection, wanted: Iterable[str], area: str) -> frozenset[str]:
    """Those of the terms that occur in some file of an area. Asked term by term, each up to its first place."""
    sql = (
        "SELECT 1 FROM keywords CROSS JOIN chunks ON chunks.id = keywords.rowid"
        " CROSS JOIN files ON files.id = chunks.file_id WHERE keywords MATCH ? AND files.area = ? LIMIT 1"
    )
    phrases = {term: _phrase(term) for term in wanted}
    return frozenset(
        term
        for term, phrase in phrases.items()
        if phrase and connection.execute(sql, (phrase, area)).fetchone()
    )


def count_matches(connection: sqlite3.Connection, term: str, among: str, parameters: Sequence[object]) -> int:
    """In how many of the chunks that `among` selects a term occurs."""
    match = _phrase(term)
    if not match:
        return 0
    sql = f"SELECT count(*) FROM keywords WHERE keywords MATCH ? AND +rowid IN ({among})"
    return connection.execute(sql, (match, *parameters)).fetchone()[0]


def check(connection: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError` when the keyword index does not fit the terms that it keeps."""
    connection.execute("INSERT INTO keywords (keywords) VALUES ('integrity-check')")


def _row(chunk_id: int, path_terms: str, chunk: Chunk) -> tuple[int, str, str, str, str]:
    symbol = " ".join(terms(chunk.qualified_name or chunk.symbol))
    return chunk_id, symbol, path_terms, " ".join(terms(chunk.docstring)), " ".join(terms(chunk.text))


def _by_weight(weighted_terms: Mapping[str, float]) -> dict[float, str]:
    """Weight → one MATCH expression for all terms of that weight."""
    phrases: dict[float, list[str]] = {}
    for term, weight in sorted(weighted_terms.items(), key=lambda item: -item[1])[:_MOST_TERMS]:
        if weight > 0 and (phrase := _phrase(term)):
            phrases.setdefault(weight, []).append(phrase)
    return {weight: " OR ".join(group) for weight, group in phrases.items()}


def _phrase(term: str) -> str:
    """A term quoted for MATCH, so that nothing in it is an operator; "" when there is nothing to look for."""
    plain = _plain(term).replace('"', '""')
    return f'"{plain}"' if plain.strip() else ""


def _plain(term: str) -> str:
    """A term as the database takes it."""
    return term.replace("\0", " ").encode("utf-8", "replace").decode()
