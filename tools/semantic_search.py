"""`semantic_search`: the index's best places for a question, read again from the files before they are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field

from tools.errors import ToolError
from tools.evidence import Evidence, LinesShown
from tools.evidence_text import Room, clip_around, clipped_text, numbered, path_text, place
from tools.focus import focus, without_blank_edges
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.index.coverage import is_absent, weigh
from tools.index.query import Analyst, Question
from tools.index.records import Filters, StoredChunk
from tools.index.search import Found, Query, Searcher, SearchOutcome
from tools.near_paths import did_you_mean
from tools.sources import Source, Sources
from tools.tool import Arguments
from tools.workspace import Unreadable, Workspace

Kind: TypeAlias = Literal["function", "method", "class", "module", "documentation", "config", "test"]
_STAY_SHOWN = 3
"""So many of the best by the search's own order are shown in any other order too."""
_CANDIDATE_LINES, _CANDIDATE_COLUMNS = 5, 100
Phrasing: TypeAlias = Annotated[str, Field(min_length=1, max_length=1_000)]


class SemanticSearchArguments(Arguments):
    """Find code and docs by meaning, words and names. Start here."""

    queries: list[Phrasing] = Field(
        min_length=1, max_length=4, description="The question in different words."
    )
    language: str | None = Field(default=None, description="E.g. python.")
    kind: Kind | None = Field(default=None)
    path: str | None = Field(default=None, description="Folder or glob, e.g. src/**.")
    area: str | None = Field(default=None, description="source, tests, docs, examples or config.")
    limit: int = Field(default=8, ge=1, le=20)


@dataclass(frozen=True)
class SearchResult:
    """One place: the lines that are shown of it, and the chunk they are part of."""

    lines: LinesShown
    found: Found
    first_line: int
    """Of the whole chunk, where it is now."""
    last_line: int

    @property
    def clipped(self) -> bool:
        return (self.lines.first_line, self.lines.last_line) != (self.first_line, self.last_line)


@dataclass(frozen=True)
class SearchResults:
    """The places found, best first."""

    results: tuple[SearchResult, ...]
    outcome: SearchOutcome
    not_shown: tuple[SearchResult, ...]
    """Found too, left out for size."""
    gone: int
    """Results whose file is no longer there or readable."""
    ranked: tuple[SearchResult, ...] = ()
    """All candidates, best first, those beyond the limit too."""
    limit: int = 0

    @property
    def evidence(self) -> Sequence[Evidence]:
        return [result.lines for result in self.results]

    @property
    def count(self) -> int:
        return len(self.results)

    @property
    def truncated(self) -> bool:
        return bool(self.not_shown)

    @property
    def candidates(self) -> Sequence[str]:
        return [_candidate(result) for result in self.ranked]

    def in_order(self, order: Sequence[int]) -> SearchResults:
        best = [at for at in order if at < _STAY_SHOWN]
        others = [at for at in order if at >= _STAY_SHOWN][: max(0, self.limit - len(best))]
        shown = [at for at in order if at in best or at in others]
        rest = [at for at in order if at not in shown]
        ranked = [self.ranked[at] for at in (*shown, *rest)]
        return _arranged(ranked, self.limit, self.outcome, self.gone)

    def for_model(self, ids: Sequence[str]) -> str:
        results = [_block(id_, result) for id_, result in zip(ids, self.results, strict=True)]
        return "\n".join([self._head(), *results, *self._notes()])

    def as_json(self, ids: Sequence[str]) -> dict[str, Any]:
        return {
            "results": [_plain(id_, result) for id_, result in zip(ids, self.results, strict=True)],
            "coverage": self.outcome.coverage,
            "missing": list(self.outcome.missing),
            "missing_weight": self.outcome.missing_weight,
            "absent": is_absent(self.outcome.evidence_score, self.outcome.language),
            "vectors_share": self.outcome.vectors_share,
            "truncated": self.truncated,
            "notes": list(self.outcome.notes),
            "gone": self.gone,
        }

    def _head(self) -> str:
        if not self.results:
            return f"Nothing found.{self._missing()}"
        return (
            f"{len(self.results)} results; the best one holds {self.outcome.coverage:.0%} of the question's words "
            f"by weight.{self._missing()}"
        )

    def _missing(self) -> str:
        return f" No source file holds: {', '.join(self.outcome.missing)}." if self.outcome.missing else ""

    def _notes(self) -> list[str]:
        notes = [f"(note: {note})" for note in self.outcome.notes]
        if self.gone:
            notes.append(f"({self.gone} more results are in files that are gone or can no longer be read)")
        if self.not_shown:
            places = ", ".join(place(result.lines) for result in self.not_shown)
            notes.append(f"(cut for size; next: read_file_lines on {places})")
        return notes


@dataclass(frozen=True)
class SemanticSearch:
    name: ClassVar[str] = "semantic_search"
    arguments: ClassVar[type[SemanticSearchArguments]] = SemanticSearchArguments
    workspace: Workspace
    catalog: Catalog
    searcher: Searcher
    workers: ChunkWorkers
    analyst: Analyst = field(default_factory=Analyst)
    spare: int = 0
    """So many more candidates are looked up than are shown, for who puts them in another order."""
    changed: tuple[str, ...] | None = None
    """Only these files are searched; None: all."""

    async def __call__(self, arguments: SemanticSearchArguments) -> SearchResults:
        sources = Sources(self.workspace, self.catalog, self.workers)
        outcome = self.searcher.search(_query(arguments, sources, self.spare, self.changed))
        weights = _weights([self.analyst.analyse(query) for query in arguments.queries], self.catalog)
        await sources.load(found.chunk.path for found in outcome.results)
        results = [_read_again(found, sources, weights) for found in outcome.results]
        readable = [result for result in results if result is not None]
        return _arranged(readable, arguments.limit, outcome, len(results) - len(readable))


def _arranged(ranked: Sequence[SearchResult], limit: int, outcome: SearchOutcome, gone: int) -> SearchResults:
    """The best of them, as many as the limit and the size of a result allow."""
    room, best = Room(), ranked[:limit]
    fitting = [result for result in best if room.take(_block("E000", result))]
    not_shown = tuple(result for result in best if result not in fitting)
    return SearchResults(tuple(fitting), outcome, not_shown, gone, tuple(ranked), limit)


def _query(
    arguments: SemanticSearchArguments, sources: Sources, spare: int, changed: tuple[str, ...] | None
) -> Query:
    first, *more = arguments.queries
    limit = arguments.limit + spare
    return Query(
        text=first,
        more=tuple(more),
        filters=replace(_filters(arguments, sources), changed=changed),
        limit=limit,
    )


def _weights(questions: Sequence[Question], catalog: Catalog) -> dict[str, float]:
    """How much each term tells that stands for an idea of the questions, translations and other forms included."""
    weights: dict[str, float] = {}
    for concept, weighed in weigh(questions, catalog).items():
        for term in chain.from_iterable(concept.alternatives):
            weights[term] = max(weights.get(term, 0.0), weighed.weight)
    return weights


def _read_again(found: Found, sources: Sources, weights: Mapping[str, float]) -> SearchResult | None:
    """The result with the lines that its file has now; None when they cannot be read any more."""
    try:
        source = sources.opened(found.chunk.path)
    except Unreadable:
        return None
    where = _where_now(found.chunk, source)
    if where is None:
        return None
    lines = source.file.lines
    start, end = without_blank_edges(lines, where[0] - 1, where[1])
    shown_start, shown_end = focus(lines[start:end], weights)
    shown = source.show(start + shown_start + 1, start + shown_end, found.chunk.kind)
    return SearchResult(shown, found, start + 1, end)


def _where_now(chunk: StoredChunk, source: Source) -> tuple[int, int] | None:
    """First and last line of the chunk in the file as it is now, best guess first; None when nothing is left there."""
    lines = source.file.lines
    if (
        source.file.sha256 == chunk.sha256
        or "\n".join(lines[chunk.first_line - 1 : chunk.last_line]) == chunk.text
    ):
        return chunk.first_line, chunk.last_line
    if moved := _found_once(chunk.text.split("\n"), lines):
        return moved
    named = [one for one in source.definitions if chunk.symbol and one.qualified_name == chunk.qualified_name]
    if len(named) == 1:
        return named[0].first_line, named[0].last_line
    last = min(chunk.last_line, len(lines))
    return (chunk.first_line, last) if chunk.first_line <= last else None


def _found_once(wanted: Sequence[str], lines: Sequence[str]) -> tuple[int, int] | None:
    starts = [
        at
        for at, line in enumerate(lines)
        if line == wanted[0] and list(lines[at : at + len(wanted)]) == wanted
    ]
    return (starts[0] + 1, starts[0] + len(wanted)) if len(starts) == 1 else None


def _filters(arguments: SemanticSearchArguments, sources: Sources) -> Filters:
    """The filters, each of which some indexed file passes.

    Raises: ToolError where a filter would hide everything, with what is there.
    """
    _check("language", arguments.language, {record.language for record in sources.records.values()})
    _check("area", arguments.area, {record.area for record in sources.records.values()})
    if arguments.path and not sources.matching(arguments.path):
        near = did_you_mean(arguments.path, sources.records)
        raise ToolError(f"no indexed file matches path `{path_text(arguments.path)}`.{near}")
    return Filters(
        language=(arguments.language,) if arguments.language else (),
        kind=(arguments.kind,) if arguments.kind else (),
        path=(arguments.path,) if arguments.path else (),
        area=(arguments.area,) if arguments.area else (),
    )


def _check(name: str, value: str | None, known: set[str]) -> None:
    if value and value not in known:
        raise ToolError(
            f"no indexed file has {name} `{value}`; there are: {', '.join(sorted(known - {''}))}."
        )


def _block(id_: str, result: SearchResult) -> str:
    """One result: where it is and what it is part of, then its lines."""
    chunk = result.found.chunk
    what = " ".join(part for part in (chunk.kind, chunk.qualified_name or result.lines.symbol) if part)
    head = f"[{id_}] {place(result.lines)} {what}"
    if result.clipped:
        head += f" (of lines {result.first_line}-{result.last_line})"
    if chunk.signature and chunk.signature.strip() not in result.lines.text and result.clipped:
        head += f"\nin: {clip_around(chunk.signature, 0)}"
    return f"{head}\n{numbered(result.lines)}"


def _candidate(result: SearchResult) -> str:
    """One result for who only judges what it is about."""
    chunk = result.found.chunk
    lines = [line for line in result.lines.text.split("\n") if line.strip()][:_CANDIDATE_LINES]
    head = f"{place(result.lines)} {chunk.kind} {chunk.qualified_name}".rstrip()
    return "\n".join([head, *(clip_around(line, 0, _CANDIDATE_COLUMNS) for line in lines)])


def _plain(id_: str, result: SearchResult) -> dict[str, Any]:
    chunk = result.found.chunk
    return {
        "id": id_,
        "path": result.lines.path,
        "first_line": result.lines.first_line,
        "last_line": result.lines.last_line,
        "chunk_first_line": result.first_line,
        "chunk_last_line": result.last_line,
        "symbol": chunk.symbol,
        "qualified_name": chunk.qualified_name,
        "kind": chunk.kind,
        "language": chunk.language,
        "signature": chunk.signature,
        "docstring": chunk.docstring,
        "area": chunk.area,
        "score": result.found.score,
        "found_by": list(result.found.found_by),
        "text": clipped_text(result.lines),
    }
