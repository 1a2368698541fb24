"""How one file stands with the index, for `index --explain`: left out and why, in it and how, or not in it yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.index.catalog import Catalog
from tools.index.catalog_schema import FILE_NAME
from tools.index.discovery import MAX_FILE_BYTES, why_not
from tools.index.languages import find_language
from tools.workspace import SourceFile, Unreadable, Workspace


@dataclass(frozen=True, slots=True)
class FileState:
    """One file."""

    path: str
    left_out: str = ""
    """Why it is not indexed, or ""."""
    in_index: bool = False
    by_lines: str = ""
    """Why it was cut by lines instead of by syntax, or ""."""
    fault_line: int = 0
    """The first line that its language's grammar cannot read, 0 when it reads them all."""

    @property
    def exists(self) -> bool:
        """Whether there is such a file at all."""
        return self.left_out != "not found"


def file_state(
    workspace: Workspace,
    folder: Path,
    path: str,
    *,
    max_file_bytes: int = MAX_FILE_BYTES,
    extra_ignores: Sequence[str] = (),
) -> FileState:
    """Look at one file; the index in `folder` need not be there. Raises: IndexUnusable when it cannot be read."""
    left_out = why_not(workspace, path, max_file_bytes=max_file_bytes, extra_ignores=extra_ignores)
    if left_out:
        return FileState(path, left_out)
    try:
        source = workspace.read(path, max_bytes=max_file_bytes)
    except Unreadable as problem:
        return FileState(path, problem.reason)
    fault_line = _fault_line(source)
    if not (folder / FILE_NAME).is_file():
        return FileState(source.path, fault_line=fault_line)
    with Catalog.open(folder, read_only=True) as catalog:
        record = catalog.file(source.path)
    note = record.note if record else ""
    return FileState(source.path, in_index=record is not None, by_lines=note, fault_line=fault_line)


def _fault_line(source: SourceFile) -> int:
    # Grammars are compiled code of some size, which `index --status` need not load.
    from tools.index.tags import NotParsed, parse, source_of

    language = find_language(source.path, source.lines[0] if source.lines else "")
    if language.style != "syntax":
        return 0
    try:
        node = parse(language, source_of(source.lines)).root_node
    except NotParsed:
        return 0
    if not node.has_error:
        return 0
    while (inner := next((child for child in node.children if child.has_error), None)) is not None:
        node = inner
    faults = (child for child in node.children if child.is_error or child.is_missing)
    return next(faults, node).start_point.row + 1
