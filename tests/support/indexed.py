"""A real workspace on disk, indexed for real, with the look-up tools in a real toolbox."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tools.errors import ToolError
from tools.evidence import LinesShown
from tools.git_history import GitHistory
from tools.grep_symbol import GrepSymbol
from tools.index.build import refresh
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.index.search import Searcher
from tools.list_files import ListFiles
from tools.read_file_lines import ReadFileLines
from tools.ripgrep import Ripgrep
from tools.semantic_search import SemanticSearch
from tools.tool import ToolResult
from tools.toolbox import Toolbox
from tools.workspace import Workspace


@dataclass
class Looked:
    """The outcome of one call, in all its forms."""

    result: ToolResult

    @property
    def ids(self) -> list[str]:
        return [f"E{n}" for n in range(1, len(self.result.evidence) + 1)]

    @property
    def text(self) -> str:
        return self.result.for_model(self.ids)

    @property
    def json(self) -> dict[str, Any]:
        return self.result.as_json(self.ids)

    @property
    def shown(self) -> list[LinesShown]:
        return [one for one in self.result.evidence if isinstance(one, LinesShown)]

    @property
    def places(self) -> list[str]:
        return [f"{one.path}:{one.first_line}-{one.last_line}" for one in self.shown]


@dataclass
class IndexedWorkspace:
    """What the tools look at."""

    root: Path
    workspace: Workspace
    catalog: Catalog
    toolbox: Toolbox

    async def look(self, tool: str, **arguments: object) -> Looked:
        """Call a tool, and hold what it says against the files."""
        looked = Looked(await self.toolbox.call(tool, arguments))
        for shown in looked.shown:
            file = self.workspace.read(shown.path)
            assert shown.sha256 == file.sha256
            assert shown.text == file.text(shown.first_line, shown.last_line)
        return looked


def write_files(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Write each file as it is given, texts as UTF-8 with their line ends untouched."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)


def build_index(root: Path, data_folder: Path) -> None:
    """Bring the index in `data_folder` up to date."""
    workspace = Workspace(root)
    data_folder.mkdir(parents=True, exist_ok=True)
    refresh(workspace, data_folder, progress=lambda _: None, stop=lambda: False)
    workspace.close()


async def refused(workspace: IndexedWorkspace, tool: str, **arguments: object) -> str:
    """What the tool says when it refuses the call."""
    with pytest.raises(ToolError) as refusal:
        await workspace.look(tool, **arguments)
    return str(refusal.value)


@contextmanager
def indexed(root: Path, data_folder: Path, *, spare: int = 0) -> Generator[IndexedWorkspace]:
    """Open everything on a folder and its index; closed at the end. `spare`: candidates that a search keeps unshown."""
    workspace, workers = Workspace(root), ChunkWorkers(processes=1)
    try:
        with Catalog.open(data_folder, read_only=True) as catalog:
            parts = (workspace, catalog, workers)
            tools = (
                SemanticSearch(workspace, catalog, Searcher(catalog, None), workers, spare=spare),
                GrepSymbol(*parts, Ripgrep(workspace)),
                ReadFileLines(*parts),
                ListFiles(*parts),
                GitHistory(*parts),
            )
            yield IndexedWorkspace(root, workspace, catalog, Toolbox(tools))
    finally:
        workers.close()
        workspace.close()
