"""Where names are used: calls, imports, and every other use that is not of a local.

A name counts once a line, by its strongest use (call, import, other). Locals are names that a function binds
itself (parameters, assignments, loop variables), as far as the language's query knows them; single letters and
`self` say nothing and are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node

from tools.index.chunk import Import, Reference, ReferenceKind
from tools.index.definitions import Scope
from tools.index.imports import read_import
from tools.index.languages import Language
from tools.index.module_names import module_parts
from tools.index.tags import Place, Tags

_NOISE = frozenset({"self", "cls", "this", "Self", "_"})
_BINDS = frozenset({"function", "method", "test", "suite"})
_WORD = re.compile(rb"[\w$\x80-\xff]+")
_LOCAL_CALL, _CALL, _MEMBER, _NAME = range(4)
"""How an identifier is used; in `_LOCAL_CALL` and `_NAME` it may be a local."""
_CAPTURES = (("call.member", _CALL), ("call", _LOCAL_CALL), ("member", _MEMBER), ("name", _NAME))


def find_uses(
    tags: Tags, scopes: Sequence[Scope], language: Language, source: bytes
) -> tuple[list[Reference], list[Import]]:
    """The references and imports of one source, in its order."""
    around = _Around(scopes)
    imports: list[Import] = []
    found: list[tuple[int, str, ReferenceKind, str]] = []
    for place in _outermost(tags.imports):
        brought, uses = _imported(place, language, source)
        imports.extend(brought)
        found.extend((row, name, "import", around.name(place.start)) for row, name in uses)
    found.extend(_used(tags, around, source))
    return list(_once_a_line(found)), imports


class _Around:
    """Which definition lies around a byte of the source."""

    def __init__(self, scopes: Sequence[Scope]) -> None:
        self._starts: list[int] = [0]
        self._owners: list[Scope | None] = [None]
        open_scopes: list[Scope] = []
        for scope in scopes:
            while open_scopes and open_scopes[-1].end <= scope.start:
                self._close(open_scopes)
            self._starts.append(scope.start)
            self._owners.append(scope)
            open_scopes.append(scope)
        while open_scopes:
            self._close(open_scopes)

    def _close(self, open_scopes: list[Scope]) -> None:
        closed = open_scopes.pop()
        self._starts.append(max(closed.end, self._starts[-1]))
        self._owners.append(open_scopes[-1] if open_scopes else None)

    def scope(self, byte: int) -> Scope | None:
        """The innermost scope."""
        return self._owners[bisect_right(self._starts, byte) - 1]

    def name(self, byte: int) -> str:
        """Its qualified name, or ""."""
        scope = self.scope(byte)
        return scope.qualified_name if scope is not None else ""


def _used(tags: Tags, around: _Around, source: bytes) -> Iterator[tuple[int, str, ReferenceKind, str]]:
    """Every use of a name outside of imports that is not a local's and not the definition's own."""
    uses = _classified(tags)
    bound = _locals(tags.uses.get("local", ()), around, source)
    row_starts = [0, *(newline.end() for newline in re.finditer(b"\n", source))]
    row = 0
    for start in sorted(uses):
        end, how = uses[start]
        name = source[start:end].decode("utf-8", "replace")
        if end - start < 2 or name in _NOISE:
            continue
        scope = around.scope(start)
        if how in (_NAME, _LOCAL_CALL) and scope is not None and _is_local(name, scope, bound):
            continue
        while row + 1 < len(row_starts) and row_starts[row + 1] <= start:
            row += 1
        kind: ReferenceKind = "call" if how <= _CALL else "other"
        yield row, name, kind, scope.qualified_name if scope is not None else ""


def _classified(tags: Tags) -> dict[int, tuple[int, int]]:
    """Start byte → (end byte, how it is used): the most telling capture of each identifier."""
    uses: dict[int, tuple[int, int]] = {}
    ignored = {node.start_byte for node in tags.uses.get("ignore", ())}
    names = [Place(tag.name_start, tag.name_end, tag.name_row, tag.name_row) for tag in tags.definitions]
    silent = _Silent([*tags.imports, *tags.skips, *names])
    for capture, how in _CAPTURES:
        for node in tags.uses.get(capture, ()):
            start = node.start_byte
            if start not in uses and start not in ignored and not silent.holds(start):
                uses[start] = (node.end_byte, how)
    return uses


class _Silent:
    """Places whose identifiers are no references of their own: imports, package names."""

    def __init__(self, places: Sequence[Place]) -> None:
        outermost = _outermost(places)
        self._starts = [place.start for place in outermost]
        self._ends = [place.end for place in outermost]

    def holds(self, byte: int) -> bool:
        """Whether the byte lies in one of them."""
        at = bisect_right(self._starts, byte) - 1
        return at >= 0 and byte < self._ends[at]


def _outermost(places: Iterable[Place]) -> list[Place]:
    """In order, without those that lie in another."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda place: (place.start, -place.end)):
        if not kept or place.start >= kept[-1].end:
            kept.append(place)
    return kept


def _locals(nodes: Iterable[Node], around: _Around, source: bytes) -> dict[int, set[str]]:
    """Start byte of each function → the names it binds."""
    bound: dict[int, set[str]] = {}
    for node in nodes:
        function = _function_around(around.scope(node.start_byte))
        if function is not None:
            name = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
            bound.setdefault(function.start, set()).add(name)
    return bound


def _function_around(scope: Scope | None) -> Scope | None:
    while scope is not None and scope.kind not in _BINDS:
        scope = scope.parent
    return scope


def _is_local(name: str, scope: Scope, bound: dict[int, set[str]]) -> bool:
    function = _function_around(scope)
    while function is not None:
        if name in bound.get(function.start, ()):
            return True
        function = _function_around(function.parent)
    return False


def _imported(place: Place, language: Language, source: bytes) -> tuple[list[Import], list[tuple[int, str]]]:
    """The imports of one statement, and the row and name of each thing it names."""
    statement = source[place.start : place.end]
    brought = read_import(language.name, statement.decode("utf-8", "replace"))
    rows: dict[str, int] = {}
    row, seen = place.first_row, 0
    for word in _WORD.finditer(statement):
        row += statement.count(b"\n", seen, word.start())
        seen = word.start()
        rows.setdefault(word[0].decode("utf-8", "replace"), row)
    imports: list[Import] = []
    uses: list[tuple[int, str]] = []
    for module, names in brought:
        named = [name for name in names if name != "*"] or module_parts(module)[-1:]
        line = min((rows[name] for name in named if name in rows), default=place.first_row)
        imports.append(Import(module, names, (line if len(brought) > 1 else place.first_row) + 1))
        uses.extend((rows.get(name, place.first_row), name) for name in named if len(name) > 1)
    return imports, uses


def _once_a_line(found: list[tuple[int, str, ReferenceKind, str]]) -> Iterator[Reference]:
    strength = {"call": 0, "import": 1, "other": 2}
    best: dict[tuple[int, str], tuple[ReferenceKind, str]] = {}
    for row, name, kind, enclosing in found:
        known = best.get((row, name))
        if known is None or strength[kind] < strength[known[0]]:
            best[row, name] = (kind, enclosing)
    for row, name in sorted(best):
        kind, enclosing = best[row, name]
        yield Reference(name, row + 1, kind, enclosing)
