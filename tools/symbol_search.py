"""One search of `grep_symbol` at work: ripgrep finds lines, the files say what they are, the catalog who depends.

ripgrep searches the raw bytes of the files that the index lists; each line is then read again through the workspace
(fresh and masked) and must still hold what was looked for, so a masked secret cannot be probed. Names are matched,
types are not known: where several definitions share a name, the result says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from tools.evidence_text import path_text
from tools.index.catalog import Catalog
from tools.index.chunk import Import
from tools.index.dependents import Dependent, dependents
from tools.index.meaning import Use, means, names_of_code
from tools.index.records import StoredDefinition
from tools.ripgrep import Ripgrep
from tools.search_pattern import Pattern, Symbol, exact, shared_words, whole, windows
from tools.sources import Source, Sources
from tools.symbol_hits import DependentShown, Gathered, Hit, SymbolHits, dependent_counted_as
from tools.workspace import Unreadable

Find: TypeAlias = Literal["any", "definition", "calls", "imports", "dependents"]

MAX_ENTRIES = 60
MAX_TESTS = 20
"""Hits and dependents in tests that are shown beside others; the rest is counted."""
MAX_BESIDE_OTHERS = {"import": 15, "other": 15}
"""The same for kinds of hits, where all kinds were asked for."""
MAX_FILES_READ = 300
MAX_CLOSE = 10
"""Lines that hold parts of a text only."""
FEW_DEFINITIONS = 3
DEFINITION_LINES = 20
DEFINITION_LINES_OF_MANY = 4

_KIND_ORDER = ("definition", "call", "import", "other")
_KINDS = {
    "any": frozenset(_KIND_ORDER),
    "definition": frozenset({"definition"}),
    "calls": frozenset({"call"}),
    "imports": frozenset({"import"}),
    "dependents": frozenset({"call", "import", "other"}),
}
_AREAS = ("source", "config", "examples", "docs", "tests", "generated", "legacy")


class SymbolSearch:
    """One call at work: what it has gathered, and what there is to say about it."""

    def __init__(self, catalog: Catalog, ripgrep: Ripgrep, sources: Sources, paths: Sequence[str]) -> None:
        """`paths` are the indexed files to look at; sources come first, since a cap may end the search."""
        self._catalog = catalog
        self._ripgrep = ripgrep
        self._sources = sources
        self._paths = sorted(paths, key=lambda path: (_area_rank(sources.records[path].area), path))
        self._gathered = Gathered(MAX_ENTRIES)
        self._cut = False
        self._imports: dict[str, Sequence[Import]] = {}
        self._notes: list[str] = []

    async def for_text(self, text: str) -> SymbolHits:
        """Lines that hold the text; where none does, lines that hold runs of its words, best first."""
        pattern = exact(text)
        hits = await self._hits(pattern) or await self._hits(pattern.any_case())
        for loose in () if hits else windows(text):
            hits = _closest(text, await self._hits(loose))[:MAX_CLOSE]
            if hits:
                self._notes.append("the exact text does not occur: these lines hold parts of it")
                break
        self._add(hits)
        return self._result(f"the text `{text}`", "grep_symbol with path, or with a longer text")

    async def for_symbol(self, symbol: Symbol, find: Find) -> SymbolHits:
        """The definitions, and the lines that use the name, as far as `find` asks for them."""
        symbol, definitions = self._defined(symbol)
        if find in ("any", "definition"):
            self._add(await self._definition_hits(definitions))
        pattern = symbol.pattern()
        if find != "definition" or not self._gathered.definitions:
            pattern, hits = await self._uses(symbol, definitions)
            self._add(self._wanted(hits, find), beside_others=find == "any")
        self._say_what_is_shared(symbol, definitions)
        return self._result(pattern.described, "grep_symbol with path or find to narrow it down")

    async def for_dependents(self, symbol: Symbol) -> SymbolHits:
        """The definitions, then who depends on them, nearest first, and then the tests that do."""
        symbol, definitions = self._defined(symbol)
        if not definitions:
            self._notes.append(f"`{symbol.written}` is not defined in this workspace: these are its uses")
            return await self.for_symbol(symbol, "dependents")
        self._add(await self._definition_hits(definitions, DEFINITION_LINES_OF_MANY))
        outcome = dependents(self._catalog, definitions)
        within = set(self._paths)
        found = [one for one in outcome.found if one.path in within]
        await self._show_dependents(sorted(found, key=lambda one: (one.is_test, one.depth)))
        self._cut = self._cut or not outcome.complete
        self._say_what_is_shared(symbol, definitions)
        if outcome.not_followed:
            names = ", ".join(outcome.not_followed[:8])
            self._notes.append(f"not followed further, since several definitions share the name: {names}")
        return self._result(
            f"dependents of `{symbol.written}`", "grep_symbol with path, or dependents of one of these"
        )

    async def _show_dependents(self, found: Sequence[Dependent]) -> None:
        """Show the first ones, each on its line as the file is now; the files of the others are not even read."""
        others = [one for one in found if not one.is_test]
        tests = [one for one in found if one.is_test]
        shown = [*others[:MAX_ENTRIES], *tests[:MAX_TESTS]][:MAX_ENTRIES]
        await self._sources.load(one.path for one in shown)
        for dependent in found:
            if dependent in shown:
                for entry in self._dependent(dependent):
                    self._gathered.add(entry)
            else:
                self._gathered.count(dependent_counted_as(dependent), dependent.path)

    def _defined(self, symbol: Symbol) -> tuple[Symbol, list[StoredDefinition]]:
        """The definitions that the symbol names, and the symbol in the spelling that they have.

        What is not defined as written may be in another case, or in a class that the named one inherits from.
        """
        exact_case = self._catalog.definitions(symbol.qualified_name)
        if exact_case:
            return symbol, names_of_code(exact_case) or exact_case
        other_case = names_of_code(self._catalog.definitions(symbol.qualified_name, exact_case=False))
        if other_case:
            name = other_case[0].qualified_name if len(symbol.parts) > 1 else other_case[0].name
            self._notes.append(f"`{symbol.written}` is not defined in this spelling; shown: {name}")
            return Symbol(name), [one for one in other_case if one.name == other_case[0].name]
        if len(symbol.parts) > 1 and names_of_code(self._catalog.definitions(symbol.parts[-2])):
            inherited = names_of_code(self._catalog.definitions(symbol.name))
            if inherited:
                self._notes.append(
                    f"`{symbol.written}` itself is not defined; shown: all that is called `{symbol.name}`"
                )
            return Symbol(symbol.name), inherited
        return symbol, []

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
                self._notes += (
                    ["upper and lower case differ from what was asked"] if pattern.ignore_case else []
                )
                return pattern, self._meant(hits, symbol, definitions)
        return patterns[0], []

    async def _hits(self, pattern: Pattern, name: str = "") -> list[Hit]:
        """Every line that holds the pattern now, sources first."""
        lines = await self._grep(pattern) if pattern.is_searchable else {}
        holding = [path for path in self._paths if path in lines]
        if len(holding) > MAX_FILES_READ:
            self._cut = True
            self._notes.append(f"hits in {len(holding)} files; the first {MAX_FILES_READ} were looked at")
        read = holding[:MAX_FILES_READ]
        await self._sources.load(read)
        return [hit for path in read for hit in self._read(path, lines[path], pattern, name)]

    async def _grep(self, pattern: Pattern) -> dict[str, list[int]]:
        """Path → the lines that match in its raw bytes."""
        outcome = await self._ripgrep.search(pattern.regex, self._paths, ignore_case=pattern.ignore_case)
        self._cut = self._cut or outcome.truncated
        self._notes += [outcome.warning] if outcome.warning else []
        lines = await self._in_other_encodings(pattern)
        for match in outcome.matches:
            lines.setdefault(match.path, []).append(match.line)
        return lines

    async def _in_other_encodings(self, pattern: Pattern) -> dict[str, list[int]]:
        """Path → lines, for letters that ripgrep does not know in bytes that are neither UTF-8 nor marked UTF-16."""
        if pattern.regex.isascii():
            return {}
        records = self._sources.records
        others = [path for path in self._paths if not records[path].encoding.startswith("utf")][
            :MAX_FILES_READ
        ]
        await self._sources.load(others)
        files = {path: source.file.lines for path in others if (source := self._open(path))}
        return {
            path: numbers
            for path, lines in files.items()
            if (numbers := [n for n, line in enumerate(lines, 1) if pattern.find(line) is not None])
        }

    def _read(self, path: str, lines: Iterable[int], pattern: Pattern, name: str) -> Iterator[Hit]:
        source = self._open(path)
        for line in lines if source else ():
            if source is None or line > source.n_lines:
                continue
            column = pattern.find(source.file.lines[line - 1])
            if column is not None:
                kind = self._sources.kind_at(source, name, line) if name else None
                yield Hit(
                    source.show(line, line),
                    line,
                    column,
                    kind or "other",
                    kind is not None,
                    source.enclosing_name(line),
                    source.area,
                )

    async def _definition_hits(
        self, definitions: Sequence[StoredDefinition], size: int = DEFINITION_LINES
    ) -> list[Hit]:
        within = set(self._paths)
        wanted = [one for one in definitions if one.path in within]
        size = size if len(wanted) <= FEW_DEFINITIONS else DEFINITION_LINES_OF_MANY
        await self._sources.load(one.path for one in wanted)
        by_area = sorted(wanted, key=lambda one: (_area_rank(one.area), one.path, one.first_line))
        hits = [hit for one in by_area for hit in self._definition(one, size)]
        return list({(hit.lines.path, hit.line): hit for hit in hits}.values())

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
            yield Hit(shown, line, 0, "definition", True, source.enclosing_name(line), source.area, one.kind)

    def _dependent(self, dependent: Dependent) -> Iterator[DependentShown]:
        """The dependent with the line where it uses its target now; nothing when it no longer does."""
        source = self._open(dependent.path)
        if source is None:
            return
        line: int | None = dependent.line
        if not source.as_indexed:
            uses = self._sources.references(source, dependent.via)
            line = next((one.line for one in uses if one.enclosing == dependent.symbol), None)
        if line is not None:
            yield DependentShown(dependent, source.show(line, line), source.area)

    def _wanted(self, hits: Sequence[Hit], find: Find) -> list[Hit]:
        """The hits of the kind asked for; definitions that are shown already are left out."""
        shown = {(hit.lines.path, hit.line) for hit in self._gathered.definitions}
        kinds = _KINDS[find]
        wanted = [hit for hit in hits if hit.kind in kinds and (hit.lines.path, hit.line) not in shown]
        if hits and not wanted and not shown:
            self._notes.append(
                f"{len(hits)} places hold the name, none of them as asked; find=any shows them"
            )
        return wanted

    def _meant(
        self, hits: Sequence[Hit], symbol: Symbol, definitions: Sequence[StoredDefinition]
    ) -> list[Hit]:
        """Of a qualified name, the hits that do not clearly mean another definition of its last part."""
        if len(symbol.parts) == 1 or len(definitions) != 1:
            return list(hits)
        target = definitions[0]
        rivals = [one for one in names_of_code(self._catalog.definitions(symbol.name)) if one != target]
        kept = [hit for hit in hits if hit.kind == "import" or not self._means_another(hit, target, rivals)]
        if len(kept) < len(hits):
            self._notes.append(
                f"{len(hits) - len(kept)} places mean another definition of `{symbol.name}`: left out"
            )
        return kept

    def _means_another(self, hit: Hit, target: StoredDefinition, rivals: Sequence[StoredDefinition]) -> bool:
        path = hit.lines.path
        if path not in self._imports:
            self._imports[path] = self._catalog.imports_of(path)
        return means(Use(path, hit.enclosing), target, rivals, self._imports[path]) == "another"

    def _say_what_is_shared(self, symbol: Symbol, definitions: Sequence[StoredDefinition]) -> None:
        sharing = names_of_code(self._catalog.definitions(symbol.name)) if definitions else []
        if len(sharing) > 1:
            names = ", ".join(dict.fromkeys(one.qualified_name for one in sharing[:8]))
            self._notes.append(
                f"name-based: {len(sharing)} definitions share the name `{symbol.name}` ({names})"
            )

    def _add(self, hits: Iterable[Hit], *, beside_others: bool = False) -> None:
        """Keep the hits by kind; of equals those first that syntax knows as names."""
        for hit in sorted(hits, key=lambda hit: (_KIND_ORDER.index(hit.kind), not hit.in_code)):
            if beside_others:
                most = MAX_BESIDE_OTHERS.get(hit.kind, MAX_ENTRIES)
                self._gathered.add(hit, max_tests=MAX_TESTS, max_alike=most)
            else:
                self._gathered.add(hit)

    def _result(self, looked_for: str, narrower: str) -> SymbolHits:
        files = f"{looked_for} in {len(self._paths)} indexed files"
        return self._gathered.result(files, tuple(dict.fromkeys(self._notes)), narrower, cut=self._cut)

    def _open(self, path: str) -> Source | None:
        try:
            return self._sources.opened(path)
        except Unreadable as unreadable:
            self._notes.append(
                f"`{path_text(path)}` is in the index and cannot be read now: {unreadable.reason}"
            )
            return None


def _area_rank(area: str) -> int:
    return _AREAS.index(area) if area in _AREAS else 1


def _closest(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits that share most words with the text, best first; those that share less than half as many are dropped."""
    shared = [(shared_words(text, hit.lines.text), hit) for hit in hits]
    most = max((n for n, _ in shared), default=0)
    return [hit for n, hit in sorted(shared, key=lambda pair: -pair[0]) if 2 * n >= most]
