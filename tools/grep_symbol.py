"""`grep_symbol`: where a name or a text occurs, told apart by syntax; and who depends on a definition.

ripgrep finds the lines in the files that the index lists; each line is then read again through the workspace (fresh
and masked) and must still hold what was looked for. Names are matched, types are not known: where several
definitions share a name, the result says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from tools.errors import ToolError
from tools.evidence_text import path_text
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.index.dependents import Dependent, dependents
from tools.index.meaning import Use, means
from tools.index.records import StoredDefinition
from tools.near_paths import did_you_mean
from tools.ripgrep import Ripgrep
from tools.search_pattern import MAX_CHARACTERS, Pattern, Symbol, exact, shared_words, whole, windows
from tools.sources import Source, Sources
from tools.symbol_hits import DependentShown, Gathered, Hit, SymbolHits
from tools.tool import Arguments
from tools.workspace import Unreadable, Workspace

MAX_ENTRIES = 60
MAX_FILES_READ = 300
FEW_DEFINITIONS = 3
DEFINITION_LINES = 20
DEFINITION_LINES_OF_MANY = 4


class GrepSymbolArguments(Arguments):
    """Find where a name is defined, called, imported or used, or who depends on it in turn; or find exact text."""

    name: str = Field(
        min_length=1,
        max_length=MAX_CHARACTERS,
        description="Symbol such as `get_user` or `Session.get`; with literal, text such as an error message.",
    )
    find: Literal["any", "definition", "calls", "imports", "dependents"] = Field(
        default="any", description="dependents: what breaks if it changes, followed through callers."
    )
    literal: bool = Field(default=False, description="The name is plain text.")
    path: str | None = Field(default=None, description="Folder or glob.")


@dataclass(frozen=True)
class GrepSymbol:
    name: ClassVar[str] = "grep_symbol"
    arguments: ClassVar[type[GrepSymbolArguments]] = GrepSymbolArguments
    workspace: Workspace
    catalog: Catalog
    workers: ChunkWorkers
    ripgrep: Ripgrep

    async def __call__(self, arguments: GrepSymbolArguments) -> SymbolHits:
        sources = Sources(self.workspace, self.catalog, self.workers)
        paths = _paths(arguments.path, sources)
        symbol = Symbol(arguments.name)
        look = _Look(self, sources, paths)
        if arguments.literal or not symbol.is_name:
            return await look.for_text(arguments.name.strip())
        definitions, notes = self._defined(symbol)
        look.notes += notes
        if arguments.find == "dependents" and definitions:
            return await look.for_dependents(symbol, definitions)
        return await look.for_symbol(symbol, definitions, arguments.find)

    def _defined(self, symbol: Symbol) -> tuple[list[StoredDefinition], list[str]]:
        """The definitions that the symbol names, in another spelling where the given one has none."""
        exact_case = self.catalog.definitions(symbol.qualified_name)
        if exact_case:
            return exact_case, []
        other_case = self.catalog.definitions(symbol.qualified_name, exact_case=False)
        names = sorted({one.qualified_name for one in other_case})
        return other_case, [
            f"`{symbol.written}` is not defined in this spelling; shown: {', '.join(names[:5])}"
        ] if names else []


def _paths(glob: str | None, sources: Sources) -> list[str]:
    """The indexed files to look at.

    Raises: ToolError when there are none.
    """
    if not glob:
        return list(sources.records)
    paths = sources.matching(glob)
    if not paths:
        near = did_you_mean(glob, sources.records)
        raise ToolError(f"no indexed file matches path `{path_text(glob)}`.{near}")
    return paths


class _Look:
    """One call at work: what it has gathered, and what there is to say about it."""

    def __init__(self, tool: GrepSymbol, sources: Sources, paths: Sequence[str]) -> None:
        self._catalog = tool.catalog
        self._ripgrep = tool.ripgrep
        self._sources = sources
        self._paths = paths
        self._gathered = Gathered(MAX_ENTRIES)
        self._cut = False
        self.notes: list[str] = []

    async def for_text(self, text: str) -> SymbolHits:
        """Lines that hold the text; where none does, lines that hold runs of its words, best first."""
        pattern = exact(text)
        hits = await self._hits(pattern) or await self._hits(pattern.any_case())
        for loose in () if hits else windows(text):
            hits = _closest(text, await self._hits(loose))
            if hits:
                self.notes.append("the exact text does not occur: these lines hold parts of it")
                break
        self._add(hits)
        return self._result(f"the text `{text}`", "grep_symbol with path, or with a longer text")

    async def for_symbol(
        self, symbol: Symbol, definitions: Sequence[StoredDefinition], find: str
    ) -> SymbolHits:
        """The definitions, and the lines that use the name, as far as `find` asks for them."""
        if find == "dependents":
            self.notes.append(f"`{symbol.written}` is not defined in this workspace: these are its uses")
        if find in ("any", "definition"):
            self._add(await self._definition_hits(definitions))
        pattern = symbol.pattern()
        if find != "definition" or not self._gathered.definitions:
            pattern, hits = await self._uses(symbol, definitions)
            self._add(self._wanted(hits, find))
        self._say_what_is_shared(symbol, definitions)
        return self._result(pattern.described, "grep_symbol with path or find to narrow it down")

    async def for_dependents(self, symbol: Symbol, definitions: Sequence[StoredDefinition]) -> SymbolHits:
        """The definitions, then who depends on them, nearest first, tests last at each depth."""
        self._add(await self._definition_hits(definitions))
        outcome = dependents(self._catalog, definitions)
        within = set(self._paths)
        found = [one for one in outcome.found if one.path in within]
        await self._sources.load(one.path for one in found)
        shown = [one for each in found for one in self._dependent(each)]
        for one in sorted(shown, key=lambda one: (one.dependent.depth, one.area == "tests")):
            self._gathered.add(one)
        self._cut = self._cut or not outcome.complete
        self._say_what_is_shared(symbol, definitions)
        if outcome.not_followed:
            names = ", ".join(outcome.not_followed[:8])
            self.notes.append(f"not followed further, since several definitions share the name: {names}")
        return self._result(
            f"dependents of `{symbol.written}`", "grep_symbol with path, or dependents of one of these"
        )

    async def _uses(
        self, symbol: Symbol, definitions: Sequence[StoredDefinition]
    ) -> tuple[Pattern, list[Hit]]:
        """Hits by the name; by the whole text first where a qualified name is not defined here (`fmt.Errorf`)."""
        patterns = [symbol.pattern(), symbol.pattern().any_case()]
        if len(symbol.parts) > 1 and not definitions:
            patterns.insert(0, whole(symbol.written.strip().strip("`").removesuffix("()")))
        for pattern in patterns:
            hits = await self._hits(pattern, symbol.name)
            if hits:
                return pattern, self._meant(hits, symbol, definitions)
        return patterns[0], []

    async def _hits(self, pattern: Pattern, name: str = "") -> list[Hit]:
        """Every line that holds the pattern now, sources first."""
        lines = await self._grep(pattern) if pattern.is_searchable else {}
        ranked = sorted(lines, key=lambda path: (_area_rank(self._sources.records[path].area), path))
        if len(ranked) > MAX_FILES_READ:
            self._cut = True
            self.notes.append(f"hits in {len(ranked)} files; the first {MAX_FILES_READ} were looked at")
        return [
            hit for path in ranked[:MAX_FILES_READ] for hit in self._read(path, lines[path], pattern, name)
        ]

    async def _grep(self, pattern: Pattern) -> dict[str, list[int]]:
        """Path → the lines that match in its raw bytes."""
        outcome = await self._ripgrep.search(pattern.regex, self._paths, ignore_case=pattern.ignore_case)
        self._cut = self._cut or outcome.truncated
        self.notes += [outcome.warning] if outcome.warning else []
        lines: dict[str, list[int]] = {}
        for match in outcome.matches:
            lines.setdefault(match.path, []).append(match.line)
        return lines

    def _read(self, path: str, lines: Iterable[int], pattern: Pattern, name: str) -> Iterator[Hit]:
        source = self._open(path)
        for line in lines if source else ():
            if source is None or line > source.n_lines:
                continue
            column = pattern.find(source.file.lines[line - 1])
            if column is not None:
                kind = source.kind_at(name, line) if name else "other"
                yield Hit(
                    source.show(line, line), line, column, kind, source.enclosing_name(line), source.area
                )

    async def _definition_hits(self, definitions: Sequence[StoredDefinition]) -> list[Hit]:
        within = set(self._paths)
        wanted = [one for one in definitions if one.path in within]
        size = DEFINITION_LINES if len(wanted) <= FEW_DEFINITIONS else DEFINITION_LINES_OF_MANY
        await self._sources.load(one.path for one in wanted)
        by_area = sorted(wanted, key=lambda one: (_area_rank(one.area), one.path, one.first_line))
        return [hit for one in by_area for hit in self._definition(one, size)]

    def _definition(self, known: StoredDefinition, size: int) -> Iterator[Hit]:
        """The definition where it is now."""
        source = self._open(known.path)
        if source is None:
            return
        alike = [one for one in source.definitions if one.qualified_name == known.qualified_name]
        for one in alike if not source.as_indexed else [known]:
            line = source.name_line(one)
            last = min(one.last_line, source.n_lines, max(line, one.first_line + size - 1))
            shown = source.show(one.first_line, last)
            yield Hit(shown, line, 0, "definition", source.enclosing_name(line), source.area, one.kind)

    def _dependent(self, dependent: Dependent) -> Iterator[DependentShown]:
        """The dependent with the line where it uses its target now; nothing when it no longer does."""
        source = self._open(dependent.path)
        if source is None:
            return
        line: int | None = dependent.line
        if not source.as_indexed:
            uses = (
                one.line
                for one in source.references
                if one.name == dependent.via and one.enclosing == dependent.symbol
            )
            line = next(uses, None)
        if line is not None:
            yield DependentShown(dependent, source.show(line, line), source.area)

    def _wanted(self, hits: Sequence[Hit], find: str) -> list[Hit]:
        """The hits of the kind asked for; definitions that are shown already are left out."""
        shown = {(hit.lines.path, hit.line) for hit in self._gathered.definitions}
        kinds = _KINDS[find]
        wanted = [hit for hit in hits if hit.kind in kinds and (hit.lines.path, hit.line) not in shown]
        if hits and not wanted and not shown:
            self.notes.append(f"{len(hits)} places hold the name, none of them as asked; find=any shows them")
        return wanted

    def _meant(
        self, hits: Sequence[Hit], symbol: Symbol, definitions: Sequence[StoredDefinition]
    ) -> list[Hit]:
        """Of a qualified name, the hits that do not clearly mean another definition of its last part."""
        if len(symbol.parts) == 1 or len(definitions) != 1:
            return list(hits)
        target = definitions[0]
        rivals = [one for one in self._catalog.definitions(symbol.name) if one != target]
        kept = [hit for hit in hits if hit.kind == "import" or not self._means_another(hit, target, rivals)]
        if len(kept) < len(hits):
            self.notes.append(
                f"{len(hits) - len(kept)} places mean another definition of `{symbol.name}`: left out"
            )
        return kept

    def _means_another(self, hit: Hit, target: StoredDefinition, rivals: Sequence[StoredDefinition]) -> bool:
        use = Use(hit.lines.path, hit.enclosing)
        return means(use, target, rivals, self._catalog.imports_of(hit.lines.path)) == "another"

    def _say_what_is_shared(self, symbol: Symbol, definitions: Sequence[StoredDefinition]) -> None:
        sharing = self._catalog.definitions(symbol.name) if definitions else []
        if len(sharing) > 1:
            names = ", ".join(dict.fromkeys(one.qualified_name for one in sharing[:8]))
            self.notes.append(
                f"name-based: {len(sharing)} definitions share the name `{symbol.name}` ({names})"
            )

    def _add(self, hits: Iterable[Hit]) -> None:
        for hit in sorted(hits, key=lambda hit: _KIND_ORDER.index(hit.kind)):
            self._gathered.add(hit)

    def _result(self, looked_for: str, narrower: str) -> SymbolHits:
        files = f"{looked_for} in {len(self._paths)} indexed files"
        return self._gathered.result(files, tuple(dict.fromkeys(self.notes)), narrower, cut=self._cut)

    def _open(self, path: str) -> Source | None:
        try:
            return self._sources.opened(path)
        except Unreadable as unreadable:
            self.notes.append(
                f"`{path_text(path)}` is in the index and cannot be read now: {unreadable.reason}"
            )
            return None


_KIND_ORDER = ("definition", "call", "import", "other")
_KINDS = {
    "any": frozenset(_KIND_ORDER),
    "definition": frozenset({"definition"}),
    "calls": frozenset({"call"}),
    "imports": frozenset({"import"}),
    "dependents": frozenset({"call", "import", "other"}),
}
_AREAS = ("source", "config", "examples", "docs", "tests", "generated", "legacy")


def _area_rank(area: str) -> int:
    return _AREAS.index(area) if area in _AREAS else 1


def _closest(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits that share most words with the text, best first; those that share less than half as many are dropped."""
    shared = [(shared_words(text, hit.lines.text), hit) for hit in hits]
    most = max((n for n, _ in shared), default=0)
    return [hit for n, hit in sorted(shared, key=lambda pair: -pair[0]) if 2 * n >= most]
