"""One source in one programming language → units, definitions, references and imports, by its syntax tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tools.index.chunk import Definition, Import, Kind, Reference
from tools.index.definitions import Scope, nest
from tools.index.languages import Language
from tools.index.layout import Boundaries, Unit
from tools.index.references import find_uses
from tools.index.statements import boundaries_of
from tools.index.tags import find_tags, source_of

_CLASS_KINDS = frozenset({"class", "interface", "enum", "type"})
_OPENERS = frozenset({"impl", "module", "suite"})


@dataclass(slots=True)
class Syntax:
    """What a source, or a part of a file, is made of."""

    units: list[Unit] = field(default_factory=list[Unit])
    definitions: list[Definition] = field(default_factory=list[Definition])
    references: list[Reference] = field(default_factory=list[Reference])
    imports: list[Import] = field(default_factory=list[Import])
    openings: set[int] = field(default_factory=set[int])
    """Lines that open what has no chunk of its own: an `impl`, a namespace, a suite of tests."""
    boundaries: Boundaries | None = None


def read_syntax(language: Language, lines: Sequence[str], *, is_test: bool) -> Syntax:
    """Parse the lines as one source. Raises NotParsed."""
    source = source_of(lines)
    tags = find_tags(language, source)
    scopes = nest(tags, language, source, is_test=is_test)
    references, imports = find_uses(tags, scopes, language, source)
    return Syntax(
        units=_units(scopes, language),
        definitions=[scope.definition() for scope in scopes if scope.kind not in ("impl", "suite")],
        references=references,
        imports=imports,
        openings=_openings(scopes),
        boundaries=boundaries_of(tags.tree),
    )


def _openings(scopes: Sequence[Scope]) -> set[int]:
    return {
        row + 1
        for scope in scopes
        if scope.kind in _OPENERS and not scope.is_unit
        for row in range(scope.top_row, scope.name_row + 1)
    }


def _units(scopes: Sequence[Scope], language: Language) -> list[Unit]:
    """The scopes with a chunk of their own, those of a class inside of it."""
    top: list[Unit] = []
    made: dict[int, Unit] = {}
    for scope in scopes:
        if not scope.is_unit:
            continue
        unit = Unit(
            first=scope.top_row + 1,
            last=scope.last_row + 1,
            kind=_chunk_kind(scope, language),
            symbol=scope.name,
            qualified_name=scope.qualified_name,
            signature=scope.signature,
            docstring=scope.docstring,
        )
        made[id(scope)] = unit
        holder = scope.parent
        while holder is not None and id(holder) not in made:
            holder = holder.parent
        (top if holder is None else made[id(holder)].children).append(unit)
    return top


def _chunk_kind(scope: Scope, language: Language) -> Kind:
    if language.unit_kind is not None:
        return language.unit_kind
    if scope.is_test:
        return "test"
    if scope.kind in _CLASS_KINDS:
        return "class"
    return "method" if scope.kind == "method" else "function"
