"""Who is who: definitions, references and imports by name and by place."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from tools.index.module_names import module_parts, same_module, tail
from tools.index.records import StoredDefinition, StoredImport, StoredReference

_SEPARATOR = re.compile(r"::|->|[.#]")
_DEFINITION = (
    "SELECT name, qualified_name, kind, first_line, last_line, signature, path, language, area, chunk_id"
    " FROM definitions JOIN files ON files.id = definitions.file_id"
)
_REFERENCE = "SELECT name, kind, places, path, language, area FROM refs JOIN files ON files.id = refs.file_id"
_IMPORT = "SELECT imports.module, names, line, path FROM imports JOIN files ON files.id = imports.file_id"


def definitions(connection: sqlite3.Connection, name: str, *, exact_case: bool) -> list[StoredDefinition]:
    """Definitions of a name, or of the end of a qualified name (`Session.get`, `Session::get`)."""
    parts = [part for part in _SEPARATOR.split(name) if part]
    if not parts:
        return []
    found = _definitions(connection, "definitions.name = ? ORDER BY path, first_line", (parts[-1],))
    if exact_case:
        found = [one for one in found if one.name == parts[-1]]
    return (
        [one for one in found if _ends_with(one.qualified_name, parts, exact_case)]
        if len(parts) > 1
        else found
    )


def names_starting(connection: sqlite3.Connection, start: str, limit: int) -> list[StoredDefinition]:
    """One definition for each name that starts so, whatever the case, the shortest names first."""
    pattern = "".join(f"\\{letter}" if letter in "%_\\" else letter for letter in start) + "%"
    return _definitions(
        connection,
        "definitions.name LIKE ? ESCAPE '\\' GROUP BY definitions.name ORDER BY length(definitions.name), definitions.name"
        " LIMIT ?",
        (pattern, limit),
    )


def definitions_in(connection: sqlite3.Connection, path: str) -> list[StoredDefinition]:
    """Definitions of a file in the order of their lines, the outer before the inner."""
    return _definitions(connection, "path = ? ORDER BY first_line, last_line DESC", (path,))


def enclosing(connection: sqlite3.Connection, path: str, line: int) -> StoredDefinition | None:
    """The innermost definition that a line is in."""
    around = "path = ? AND first_line <= ? AND last_line >= ? ORDER BY last_line - first_line, first_line DESC LIMIT 1"
    found = _definitions(connection, around, (path, line, line))
    return found[0] if found else None


def references(
    connection: sqlite3.Connection, name: str, kinds: Sequence[str] | None
) -> list[StoredReference]:
    """Uses of a name, by path and line."""
    of_kinds = f" AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
    found = _references(connection, f"name = ?{of_kinds}", (name, *(kinds or ())))
    return sorted(found, key=lambda one: (one.path, one.line))


def references_in(
    connection: sqlite3.Connection, path: str, first_line: int, last_line: int
) -> list[StoredReference]:
    """What the lines of a file use, in order."""
    found = _references(connection, "path = ?", (path,))
    within = [one for one in found if first_line <= one.line <= last_line]
    return sorted(within, key=lambda one: (one.line, one.name))


def imports_of(connection: sqlite3.Connection, path: str) -> list[StoredImport]:
    """The imports of a file, in order."""
    return _imports(connection, "path = ? ORDER BY line", (path,))


def importers_of(connection: sqlite3.Connection, module: str) -> list[StoredImport]:
    """Imports of a module by its name or the end of it, as far as both sides spell it out, by path."""
    parts = module_parts(module)
    candidates = _imports(connection, "tail = ? ORDER BY path, line", (tail(parts),)) if parts else []
    return [one for one in candidates if same_module(parts, module_parts(one.module))]


def _definitions(
    connection: sqlite3.Connection, where: str, parameters: Iterable[Any]
) -> list[StoredDefinition]:
    rows = connection.execute(f"{_DEFINITION} WHERE {where}", tuple(parameters))
    return [
        StoredDefinition(
            name=name,
            qualified_name=qualified_name,
            kind=kind,
            first_line=first_line,
            last_line=last_line,
            signature=signature,
            path=path,
            language=language,
            area=area,
            chunk_id=chunk_id,
        )
        for name, qualified_name, kind, first_line, last_line, signature, path, language, area, chunk_id in rows
    ]


def _references(
    connection: sqlite3.Connection, where: str, parameters: Iterable[Any]
) -> list[StoredReference]:
    rows = connection.execute(f"{_REFERENCE} WHERE {where}", tuple(parameters))
    return [
        StoredReference(
            name=name, line=line, kind=kind, enclosing=around, path=path, language=language, area=area
        )
        for name, kind, places, path, language, area in rows
        for around, lines in json.loads(places).items()
        for line in lines
    ]


def _imports(connection: sqlite3.Connection, where: str, parameters: Iterable[Any]) -> list[StoredImport]:
    rows = connection.execute(f"{_IMPORT} WHERE {where}", tuple(parameters))
    return [
        StoredImport(module=module, names=tuple(json.loads(names)), line=line, path=path)
        for module, names, line, path in rows
    ]


def _ends_with(qualified_name: str, parts: Sequence[str], exact_case: bool) -> bool:
    own = qualified_name if exact_case else qualified_name.lower()
    wanted = ".".join(parts) if exact_case else ".".join(parts).lower()
    return own == wanted or own.endswith(f".{wanted}")
