"""`grep_symbol`: where a name or a text occurs, told apart by syntax; and who depends on a definition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from tools.errors import ToolError
from tools.evidence_text import path_text
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.near_paths import did_you_mean
from tools.ripgrep import Ripgrep
from tools.search_pattern import MAX_CHARACTERS, Symbol
from tools.sources import Sources
from tools.symbol_hits import SymbolHits
from tools.symbol_search import Find, SymbolSearch
from tools.tool import Arguments
from tools.workspace import Workspace


class GrepSymbolArguments(Arguments):
    """Find where a name is defined, called, imported or used, or who depends on it in turn; or find exact text."""

    name: str = Field(
        min_length=1,
        max_length=MAX_CHARACTERS,
        description="Symbol such as `get_user` or `Session.get`; with literal, text such as an error message.",
    )
    find: Find = Field(
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
        search = SymbolSearch(self.catalog, self.ripgrep, sources, _paths(arguments.path, sources))
        symbol = Symbol(arguments.name)
        if arguments.literal or not symbol.is_name:
            return await search.for_text(arguments.name.strip())
        if arguments.find == "dependents":
            return await search.for_dependents(symbol)
        return await search.for_symbol(symbol, arguments.find)


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
