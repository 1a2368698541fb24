"""What the catalog hands out: files, and the chunks, definitions, references and imports with where they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tools.index.chunk import Chunk, Definition, Import, Reference


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One indexed file, as it was when it was read.

    `language`, `area` and `note` are filled in by the catalog when the file is put.
    """

    path: str
    sha256: str
    """Hex digest of the raw bytes."""
    size: int
    mtime_ns: int
    inode: int
    encoding: str = "utf-8"
    newline: str = "\n"
    n_lines: int = 0
    read_at_ns: int = 0
    """Wall clock just before the file was looked at: `freshness.py` distrusts a modification time close to it."""
    made_with: str = ""
    """Versions of chunker, masking rules and word splitting; a file of other versions is indexed again."""
    hidden_characters: int = 0
    language: str = ""
    area: str = ""
    note: str = ""
    """Why it was chunked by lines instead of by syntax, or ""."""
    redactions: Mapping[str, int] = field(default_factory=dict[str, int])
    """Masked values per rule."""


@dataclass(frozen=True, slots=True)
class SkipRecord:
    """A file that discovery offered and whose content is not indexed, remembered so that it is not read each time."""

    path: str
    reason: str
    size: int
    mtime_ns: int
    inode: int
    read_at_ns: int
    made_with: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChunk(Chunk):
    """A chunk with its file. Ids are never used twice, so an id held elsewhere is either right or gone."""

    id: int
    path: str
    language: str
    area: str
    sha256: str
    """Of the whole file's raw bytes when it was indexed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDefinition(Definition):
    """A definition with its file, and the chunk that its first line is in."""

    path: str
    language: str
    area: str
    chunk_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReference(Reference):
    """A reference with its file."""

    path: str
    language: str
    area: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredImport(Import):
    """An import with its file."""

    path: str


@dataclass(frozen=True, slots=True)
class Filters:
    """Which chunks may be found. An empty field lets everything pass; fields narrow each other."""

    language: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    """Globs as in a .gitignore: `*.py` anywhere, `src/` a folder and all below it, `/setup.py` at the root only."""
    area: tuple[str, ...] = ()
    changed: tuple[str, ...] | None = None
    """Exactly these paths; an empty tuple lets nothing pass."""

    @property
    def anything(self) -> bool:
        """True when every chunk passes."""
        return self == Filters()


class ColumnWeights(NamedTuple):
    """How much a term counts by where it stands, for the keyword index's `bm25()`."""

    symbol: float = 4.0
    path: float = 2.0
    docs: float = 2.0
    body: float = 1.0
