"""Sources: files as they are now, with the symbols of exactly these bytes.

The index may lag behind an edit. Where a file's bytes still hash to the catalog's record, its definitions and
references come from there; else the text just read is parsed, so that no name is put on a line it is not on.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from tools.evidence import LinesShown
from tools.index.areas import area_of
from tools.index.catalog import Catalog
from tools.index.catalog_filters import path_matcher
from tools.index.chunk import Definition, Import, ParsedFile, Reference, ReferenceKind
from tools.index.chunk_workers import ChunkWorkers
from tools.index.records import FileRecord
from tools.workspace import SourceFile, Unreadable, Workspace

HitKind: TypeAlias = Literal["definition", "call", "import", "other"]
_MODULE_PARTS = re.compile(r"[./\\]|::")
_BY_WEIGHT: tuple[ReferenceKind, ...] = ("call", "import", "other")


@dataclass(frozen=True)
class Source:
    """One file as it was just read."""

    file: SourceFile
    language: str
    area: str
    as_indexed: bool
    """Its bytes are those that the index knows."""
    definitions: tuple[Definition, ...]
    imports: tuple[Import, ...] = ()
    parsed_references: tuple[Reference, ...] = ()
    """Where it is not as indexed; else ask `Sources.references`."""

    @property
    def n_lines(self) -> int:
        return len(self.file.lines)

    def around(self, line: int) -> list[Definition]:
        """The definitions that enclose the line, outermost first."""
        enclosing = [one for one in self.definitions if one.first_line <= line <= one.last_line]
        return sorted(enclosing, key=lambda one: (one.first_line, -one.last_line))

    def enclosing_name(self, line: int) -> str:
        """Qualified name of the innermost definition around the line, or ""."""
        around = self.around(line)
        return around[-1].qualified_name if around else ""

    def name_line(self, definition: Definition) -> int:
        """The line that names the definition: below its decorators, attributes and comments."""
        numbers = range(definition.first_line, min(definition.last_line, self.n_lines) + 1)
        signature = _squeezed(definition.signature)
        for number in numbers:
            line = _squeezed(self.file.lines[number - 1])
            if line and signature and (signature.startswith(line) or line.startswith(signature)):
                return number
        holding = (number for number in numbers if definition.name in self.file.lines[number - 1])
        return next(holding, definition.first_line)

    def show(self, first_line: int, last_line: int, kind: str = "") -> LinesShown:
        """These lines as evidence.

        Raises: ValueError outside the file.
        """
        around = self.around(first_line)
        return LinesShown(
            path=self.file.path,
            first_line=first_line,
            last_line=last_line,
            text=self.file.text(first_line, last_line),
            sha256=self.file.sha256,
            symbol=around[-1].qualified_name if around else "",
            header="\n".join(one.signature for one in around if one.signature),
            header_until=around[-1].last_line if around else 0,
            kind=kind,
        )


class Sources:
    """Files for one call of a tool: each is read once, so that all lines shown of it are of the same bytes."""

    def __init__(self, workspace: Workspace, catalog: Catalog, workers: ChunkWorkers) -> None:
        self._workspace = workspace
        self._catalog = catalog
        self._workers = workers
        self._loaded: dict[str, Source | Unreadable] = {}
        self._stored: dict[str, dict[str, list[Reference]]] = {}

    @cached_property
    def records(self) -> Mapping[str, FileRecord]:
        """Every indexed file."""
        return self._catalog.files()

    def matching(self, glob: str) -> list[str]:
        """The indexed paths that a glob, a folder or a file name stands for (as in `Filters.path`), sorted."""
        fits = path_matcher((glob,))
        return [path for path in self.records if fits(path)]

    async def load(self, paths: Iterable[str]) -> None:
        """Read the files, and parse those that are not as the index knows them, all at once and off this thread."""
        fresh = [path for path in dict.fromkeys(paths) if path not in self._loaded]
        changed: dict[str, SourceFile] = {}
        for path in fresh:
            try:
                file = self._workspace.read(path)
            except Unreadable as unreadable:
                self._loaded[path] = unreadable
                continue
            record = self._catalog.file(file.path)
            if record is not None and record.sha256 == file.sha256:
                self._loaded[path] = self._as_indexed(file, record)
            else:
                changed[path] = file
        if changed:
            parsed = await asyncio.to_thread(self._parsed, changed)
            self._loaded |= {path: _as_parsed(file, parsed[path]) for path, file in changed.items()}

    def opened(self, path: str) -> Source:
        """A file that was loaded.

        Raises: Unreadable, with the reason.
        """
        loaded = self._loaded[path]
        if isinstance(loaded, Unreadable):
            raise loaded
        return loaded

    def references(self, source: Source, name: str) -> list[Reference]:
        """Where the file, as it was loaded, uses the name."""
        if not source.as_indexed:
            return [one for one in source.parsed_references if one.name == name]
        if name not in self._stored:
            by_path = self._stored.setdefault(name, {})
            for one in self._catalog.references(name):
                by_path.setdefault(one.path, []).append(one)
        return self._stored[name].get(source.file.path, [])

    def kind_at(self, source: Source, name: str, line: int) -> HitKind | None:
        """What the name is on this line; None where syntax does not know it as a name: in comments, texts, prose."""
        if any(one.name == name and source.name_line(one) == line for one in source.definitions):
            return "definition"
        kinds = {one.kind for one in self.references(source, name) if one.line == line}
        if any(one.line == line and name in _MODULE_PARTS.split(one.module) for one in source.imports):
            kinds.add("import")
        return next((kind for kind in _BY_WEIGHT if kind in kinds), None)

    def _as_indexed(self, file: SourceFile, record: FileRecord) -> Source:
        return Source(
            file=file,
            language=record.language,
            area=record.area,
            as_indexed=True,
            definitions=tuple(self._catalog.definitions_in(file.path)),
            imports=tuple(self._catalog.imports_of(file.path)),
        )

    def _parsed(self, files: Mapping[str, SourceFile]) -> dict[str, ParsedFile]:
        return dict(self._workers.parse((path, "\n".join(file.lines)) for path, file in files.items()))


def _as_parsed(file: SourceFile, parsed: ParsedFile) -> Source:
    return Source(
        file=file,
        language=parsed.language,
        area=area_of(file.path),
        as_indexed=False,
        definitions=parsed.definitions,
        imports=parsed.imports,
        parsed_references=parsed.references,
    )


def _squeezed(line: str) -> str:
    return " ".join(line.split())
