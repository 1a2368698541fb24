"""`list_files`: the indexed files of a folder or glob, and the outline of a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from tools.errors import ToolError
from tools.evidence import Evidence, LinesShown
from tools.evidence_text import clip_line, path_text
from tools.index.catalog import Catalog
from tools.index.chunk import Definition
from tools.index.chunk_workers import ChunkWorkers
from tools.index.records import FileRecord
from tools.near_paths import did_you_mean
from tools.sources import Source, Sources
from tools.tool import Arguments
from tools.workspace import Unreadable, Workspace

MAX_FILES = 100
"""A folder with more shows its subfolders with counts; a glob with more is cut."""
MAX_OUTLINE = 120


class ListFilesArguments(Arguments):
    """List indexed files, or the definitions of a file."""

    path: str = Field(default="", description="Folder, file or glob; empty: the whole workspace.")
    outline: bool = Field(default=False, description="List the definitions of the file instead.")


@dataclass(frozen=True)
class OutlineEntry:
    """One definition, with the line that it begins on."""

    definition: Definition
    line: LinesShown


@dataclass(frozen=True)
class FileList:
    """Files, subfolders with their number of files, and outline entries; what was not asked for is empty."""

    asked: str
    files: tuple[FileRecord, ...]
    folders: tuple[tuple[str, int], ...]
    outline: tuple[OutlineEntry, ...]
    total: int
    """Of the files, or of the outline's definitions."""
    next_call: str
    """What to ask next where a cap cut the list, or ""."""

    @property
    def evidence(self) -> Sequence[Evidence]:
        return [entry.line for entry in self.outline]

    @property
    def count(self) -> int:
        return len(self.outline) or len(self.files) + len(self.folders)

    @property
    def truncated(self) -> bool:
        return bool(self.next_call)

    def for_model(self, ids: Sequence[str]) -> str:
        parts = [self._head(), *self._outline_text(ids)]
        parts += [f"{path_text(folder + '/')} ({n} files)" for folder, n in self.folders]
        parts += [f"{path_text(file.path)} ({file.language}, {file.n_lines} lines)" for file in self.files]
        if self.next_call:
            parts.append(f"(cut; next: {self.next_call})")
        return "\n".join(parts)

    def as_json(self, ids: Sequence[str]) -> dict[str, Any]:
        return {
            "files": [
                {"path": file.path, "language": file.language, "lines": file.n_lines, "area": file.area}
                for file in self.files
            ],
            "folders": [{"path": folder, "files": n} for folder, n in self.folders],
            "outline": [_plain(id_, entry) for id_, entry in zip(ids, self.outline, strict=True)],
            "total": self.total,
            "truncated": self.truncated,
        }

    def _head(self) -> str:
        where = f"`{path_text(self.asked)}`" if self.asked else "the workspace"
        if self.outline:
            return f"{self.total} definitions in {where}"
        return f"{self.total} indexed files in {where}"

    def _outline_text(self, ids: Sequence[str]) -> list[str]:
        """Each definition's first line behind its number, indented as in the file."""
        width = max((len(str(entry.line.first_line)) for entry in self.outline), default=0)
        return [
            f"[{id_}] {entry.line.first_line:>{width}}| {clip_line(entry.line.text)}"
            for id_, entry in zip(ids, self.outline, strict=True)
        ]


@dataclass(frozen=True)
class ListFiles:
    name: ClassVar[str] = "list_files"
    arguments: ClassVar[type[ListFilesArguments]] = ListFilesArguments
    workspace: Workspace
    catalog: Catalog
    workers: ChunkWorkers

    async def __call__(self, arguments: ListFilesArguments) -> FileList:
        sources = Sources(self.workspace, self.catalog, self.workers)
        asked = arguments.path.strip().removeprefix("./").rstrip("/")
        asked = "" if asked == "." else asked
        if arguments.outline:
            return _outlined(await self._read(asked, sources))
        if asked in sources.records:
            return FileList(asked, (sources.records[asked],), (), (), 1, "")
        below = f"{asked}/" if asked else ""
        inside = [record for path, record in sources.records.items() if path.startswith(below)]
        return _folder(asked, below, inside) if inside else _matching(asked, sources)

    async def _read(self, asked: str, sources: Sources) -> Source:
        try:
            inside = self.workspace.normalise(asked)
            await sources.load([inside])
            return sources.opened(inside)
        except Unreadable as unreadable:
            near = did_you_mean(asked, sources.records)
            raise ToolError(
                f"outline wants one file; `{path_text(asked)}`: {unreadable.reason}.{near}"
            ) from unreadable


def _folder(asked: str, below: str, inside: Sequence[FileRecord]) -> FileList:
    """All files of the folder; of a large one its own files, and its subfolders with their number of files."""
    if len(inside) <= MAX_FILES:
        return FileList(asked, tuple(inside), (), (), len(inside), "")
    rest = {record.path: record.path.removeprefix(below) for record in inside}
    own = [record for record in inside if "/" not in rest[record.path]]
    counts = Counter(below + name.split("/", 1)[0] for name in rest.values() if "/" in name)
    folders = sorted(counts.items())[:MAX_FILES]
    return FileList(
        asked, tuple(own[:MAX_FILES]), tuple(folders), (), len(inside), "list_files on one folder, or a glob"
    )


def _matching(asked: str, sources: Sources) -> FileList:
    matching = sources.matching(asked)
    if not matching:
        near = did_you_mean(asked, sources.records)
        raise ToolError(
            f"no indexed file is at `{path_text(asked)}`.{near} list_files without a path lists all."
        )
    files = tuple(sources.records[path] for path in matching[:MAX_FILES])
    return FileList(
        asked,
        files,
        (),
        (),
        len(matching),
        "list_files with a narrower glob" if len(matching) > MAX_FILES else "",
    )


def _outlined(source: Source) -> FileList:
    """The file's definitions, each on the line that names it."""
    path = source.file.path
    entries = [
        OutlineEntry(one, source.show(line, line))
        for one in source.definitions[:MAX_OUTLINE]
        for line in (source.name_line(one),)
    ]
    cut = len(source.definitions) > MAX_OUTLINE
    next_call = f"read_file_lines {path_text(path)} from {entries[-1].line.last_line + 1}" if cut else ""
    return FileList(path, (), (), tuple(entries), len(source.definitions), next_call)


def _plain(id_: str, entry: OutlineEntry) -> dict[str, Any]:
    definition = entry.definition
    return {
        "id": id_,
        "path": entry.line.path,
        "name": definition.qualified_name,
        "kind": definition.kind,
        "line": entry.line.first_line,
        "first_line": entry.line.first_line,
        "last_line": entry.line.last_line,
        "text": clip_line(entry.line.text),
        "signature": definition.signature,
        "definition_first_line": definition.first_line,
        "definition_last_line": definition.last_line,
    }
