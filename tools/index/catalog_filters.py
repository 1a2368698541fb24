"""Filters → a query for the chunks that pass them. Paths are judged once per file, not per chunk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable

from pathspec import GitIgnoreSpec

from tools.index.records import Filters


def selection(connection: sqlite3.Connection, filters: Filters) -> tuple[str, tuple[object, ...]]:
    """SQL that yields the ids of the chunks that may be found, and its parameters; ("", ()) when all may."""
    if filters.anything:
        return "", ()
    conditions: list[str] = []
    parameters: list[object] = []
    if filters.kind:
        conditions.append(f"kind IN ({_marks(filters.kind)})")
        parameters.extend(filters.kind)
    if filters.language or filters.area or filters.path or filters.changed is not None:
        conditions.append("file_id IN (SELECT value FROM json_each(?))")
        parameters.append(json.dumps(_file_ids(connection, filters)))
    return f"SELECT id FROM chunks WHERE {' AND '.join(conditions)}", tuple(parameters)


def path_matcher(globs: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a path fits any of the globs (see `Filters.path`); `./src` and `src` are the same."""
    return GitIgnoreSpec.from_lines([glob.removeprefix("./") for glob in globs]).match_file


def _file_ids(connection: sqlite3.Connection, filters: Filters) -> list[int]:
    conditions = ["1"]
    for column, values in (("language", filters.language), ("area", filters.area)):
        if values:
            conditions.append(f"{column} IN ({_marks(values)})")
    rows: list[tuple[int, str]] = connection.execute(
        f"SELECT id, path FROM files WHERE {' AND '.join(conditions)}", (*filters.language, *filters.area)
    ).fetchall()
    if filters.changed is not None:
        changed = set(filters.changed)
        rows = [row for row in rows if row[1] in changed]
    if filters.path:
        fits = path_matcher(filters.path)
        rows = [row for row in rows if fits(row[1])]
    return [row[0] for row in rows]


def _marks(values: tuple[str, ...]) -> str:
    return ", ".join("?" * len(values))
