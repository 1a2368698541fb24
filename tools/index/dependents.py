"""Who depends on a definition: callers, users, subclasses and importers, and theirs in turn.

Breadth first over the catalog's references: each use belongs to the definition around it, which is the next one
to ask about. Names are matched (`meaning.py` tells rivals apart where it can), so the walk is honest rather than
complete: past the first step it follows only what it can tell apart, and it says what it left.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tools.index.chunk import Import, ReferenceKind
from tools.index.meaning import Use, means, names_of_code, parent_of
from tools.index.records import StoredDefinition, StoredReference

MAX_DEPTH = 4
MAX_DEPENDENTS = 200
MAX_USES_OF_ONE_NAME = 2_000

_CONSTRUCTORS = frozenset(
    {"__init__", "__new__", "__post_init__", "constructor", "new", "initialize", "init"}
)


class SymbolReads(Protocol):
    """The catalog's reads that the walk is made of."""

    def definitions(self, name: str) -> Sequence[StoredDefinition]: ...
    def references(self, name: str) -> Sequence[StoredReference]: ...
    def imports_of(self, path: str) -> Sequence[Import]: ...


@dataclass(frozen=True, slots=True)
class Dependent:
    """One place that depends on the target."""

    path: str
    symbol: str
    """Qualified name of the definition that holds the use, or "" for the file's own level."""
    line: int
    """The first line there that uses `via`."""
    via: str
    """The name it uses: the target's, or that of a dependent one step nearer."""
    kind: ReferenceKind
    depth: int
    """1 for a direct use."""
    by_name_only: bool
    """Nothing but the name ties the use to its target."""
    is_test: bool


@dataclass(frozen=True, slots=True)
class Dependents:
    """The outcome of one walk, nearest first."""

    found: tuple[Dependent, ...]
    not_followed: tuple[str, ...]
    """Names of dependents whose own users were left out, since several definitions share them."""
    complete: bool
    """False when a cap ended the walk."""


def dependents(
    catalog: SymbolReads, targets: Sequence[StoredDefinition], *, max_depth: int = MAX_DEPTH
) -> Dependents:
    """Everything that uses one of `targets`, directly or through others. Cycles end where they close."""
    return _Walk(catalog, max_depth).run(targets)


@dataclass
class _Walk:
    catalog: SymbolReads
    max_depth: int
    found: list[Dependent] = field(default_factory=list[Dependent])
    not_followed: list[str] = field(default_factory=list[str])
    seen: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    imports: dict[str, Sequence[Import]] = field(default_factory=dict[str, Sequence[Import]])
    complete: bool = True

    def run(self, targets: Sequence[StoredDefinition]) -> Dependents:
        queue = deque((target, 1) for target in targets)
        self.seen.update((target.path, target.qualified_name) for target in targets)
        while queue and self.complete:
            target, depth = queue.popleft()
            for dependent in self._users(target, depth):
                if len(self.found) >= MAX_DEPENDENTS:
                    self.complete = False
                    break
                self.found.append(dependent)
                if depth < self.max_depth:
                    queue.extend((definition, depth + 1) for definition in self._definition_of(dependent))
        return Dependents(tuple(self.found), tuple(dict.fromkeys(self.not_followed)), self.complete)

    def _users(self, target: StoredDefinition, depth: int) -> Iterator[Dependent]:
        """The places that use `target` and were not met before."""
        name = _name_in_use(target)
        own = (target.qualified_name, parent_of(target.qualified_name))
        rivals = [
            one
            for one in names_of_code(self.catalog.definitions(name))
            if one.name == name and not (one.path == target.path and one.qualified_name in own)
        ]
        uses = self.catalog.references(name)
        if len(uses) > MAX_USES_OF_ONE_NAME:
            self.complete = False
        for use in _telling(uses[:MAX_USES_OF_ONE_NAME]):
            place = (use.path, use.enclosing)
            if place in self.seen or _within(use, target) or (depth > 1 and not _reaches(use, target)):
                continue
            verdict = means(Use(*place), target, rivals, self._imports_of(use.path))
            if verdict == "another":
                continue
            if verdict == "unknown" and rivals and depth > 1:
                self.not_followed.append(name)
                continue
            self.seen.add(place)
            yield Dependent(
                path=use.path,
                symbol=use.enclosing,
                line=use.line,
                via=name,
                kind=use.kind,
                depth=depth,
                by_name_only=verdict == "unknown",
                is_test=_is_test(use),
            )

    def _imports_of(self, path: str) -> Sequence[Import]:
        if path not in self.imports:
            self.imports[path] = self.catalog.imports_of(path)
        return self.imports[path]

    def _definition_of(self, dependent: Dependent) -> list[StoredDefinition]:
        if not dependent.symbol:
            return []
        named = self.catalog.definitions(dependent.symbol)
        exact = [
            one for one in named if one.path == dependent.path and one.qualified_name == dependent.symbol
        ]
        return exact[:1]


def _name_in_use(target: StoredDefinition) -> str:
    """The name that its users write: a constructor is used through its class."""
    parent = parent_of(target.qualified_name)
    return parent.rpartition(".")[2] if parent and target.name in _CONSTRUCTORS else target.name


def _telling(uses: Iterable[StoredReference]) -> list[StoredReference]:
    """One use per place; an import only where the file does nothing else with the name."""
    ordered = sorted(uses, key=lambda use: (use.kind == "import", use.path, use.line))
    using = {use.path for use in ordered if use.kind != "import"}
    first: dict[tuple[str, str], StoredReference] = {}
    for use in ordered:
        if use.kind != "import" or use.path not in using:
            first.setdefault((use.path, use.enclosing), use)
    return sorted(first.values(), key=lambda use: (use.path, use.line))


def _within(use: StoredReference, target: StoredDefinition) -> bool:
    """A use inside the target's own body is no dependent of it."""
    return use.path == target.path and target.first_line <= use.line <= target.last_line


def _is_test(use: StoredReference) -> bool:
    """It lies among the tests, or in the `tests` module that a Rust source ends with."""
    return use.area == "tests" or (
        use.language == "rust" and use.enclosing.split(".")[0] in ("test", "tests")
    )


def _reaches(use: StoredReference, target: StoredDefinition) -> bool:
    """Past the first step a method is followed by its calls, and in its own class by any use (a property).

    Elsewhere `x.request` without a call is mostly some other thing's attribute.
    """
    if target.kind != "method" or use.kind != "other":
        return True
    parent = parent_of(target.qualified_name)
    return use.path == target.path and f"{use.enclosing}.".startswith(f"{parent}.")
