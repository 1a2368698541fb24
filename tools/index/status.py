"""The index as it stands, read without a lock: for `index --status`, for answers and for the status line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tools.index.catalog import Catalog
from tools.index.catalog_schema import FILE_NAME
from tools.index.location import bytes_on_disk
from tools.index.lock import writer
from tools.index.progress import IndexStatus


def status(workspace_root: Path, folder: Path, embedder: str, fingerprint: str = "") -> IndexStatus:
    """What is indexed. `embedder` is what people read of the present embedder, "none: why" when there is none.

    An index that was never built is an empty one with a note. Raises: IndexUnusable when it cannot be read.
    """
    writing = writer(folder)
    if not (folder / FILE_NAME).is_file():
        return IndexStatus(
            workspace=str(workspace_root),
            folder=str(folder),
            files=0,
            chunks=0,
            definitions=0,
            vectors=0,
            embedder=embedder,
            writer=str(writing or ""),
            notes=("not indexed yet: run `codewitness index`",),
        )
    with Catalog.open(folder, read_only=True) as catalog:
        files = catalog.files()
        vectors = catalog.vector_counts()
        return IndexStatus(
            workspace=str(workspace_root),
            folder=str(folder),
            files=len(files),
            chunks=catalog.chunk_count(),
            definitions=catalog.definition_count(),
            vectors=vectors.get(fingerprint, 0),
            embedder=embedder,
            languages=dict(Counter(record.language for record in files.values()).most_common()),
            skipped=catalog.skip_counts(),
            redactions=dict(sum((Counter(record.redactions) for record in files.values()), Counter[str]())),
            by_lines={path: record.note for path, record in files.items() if record.note},
            listed_by=catalog.listed_by(),
            bytes_on_disk=bytes_on_disk(folder),
            updated_at=catalog.updated_at(),
            writer=str(writing or ""),
            notes=_vectors_of_others(vectors, fingerprint),
        )


def _vectors_of_others(vectors: dict[str, int], fingerprint: str) -> tuple[str, ...]:
    """Vectors that the present embedder cannot use."""
    return tuple(
        f"vectors of another embedder are kept for {count} of the chunks and not used now: {other}"
        for other, count in vectors.items()
        if other != fingerprint and count
    )
