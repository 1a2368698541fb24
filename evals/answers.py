"""How good the answers are: every row of a question set asked, every printed citation checked against the files.

    python -P -m evals.answers SET.jsonl --corpus DIR --out ANSWERS.jsonl [--kind question,symbol,absent]

The check is not the verifier's: it reads the snapshot's bytes itself, and takes what was shown from the tools'
events. An answer row is `{id, ranked, abstained, status, citations, invalid, withheld, claims, seconds}`.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from itertools import groupby
from pathlib import Path
from typing import Any

from agent.answer import Answer, LinesCitation
from agent.events import Answered, ToolFinished
from agent.session import open_session
from agent.settings import load_settings
from evals.retrieval import Row, snapshot_of
from tools.evidence import LinesShown


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    kinds = set(options.kind.split(","))
    rows = [json.loads(line) for line in options.set.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows = [row for row in rows if row["kind"] in kinds]
    tally: Counter[str] = Counter()
    with options.out.open("w", encoding="utf-8") as out:
        for row, given in asyncio.run(_all(rows, options)):
            out.write(json.dumps(given) + "\n")
            tally.update(_counted(row, given))
    print(json.dumps(dict(sorted(tally.items())), indent=1))
    return 0 if not tally["invalid citations"] else 1


async def _all(rows: Sequence[Row], options: argparse.Namespace) -> list[tuple[Row, Row]]:
    return [pair async for pair in answers(rows, options.corpus, options.data)]


async def answers(rows: Sequence[Row], corpus: Path, data: Path) -> AsyncIterator[tuple[Row, Row]]:
    """Each row with its answer, snapshot by snapshot, by the extractive backend."""
    flags = {"model.backend": "extractive", "index.data_folder": str(data)}
    settings = load_settings(flags, {}).settings
    for (name, below), asked in groupby(sorted(rows, key=snapshot_of), key=snapshot_of):
        root = corpus / name / below
        session = open_session(settings, root)
        try:
            for row in asked:
                yield row, await _answer(session, row, root, f"{below}/" if below else "")
        finally:
            await session.aclose()


async def _answer(session: Any, row: Row, root: Path, prefix: str) -> Row:
    shown: set[tuple[str, int]] = set()
    answer: Answer | None = None
    async with aclosing(session.ask(row["query"])) as events:
        async for event in events:
            if isinstance(event, ToolFinished):
                shown.update(lines_of(event))
            elif isinstance(event, Answered):
                answer = event.answer
    assert answer is not None
    cited = [one for claim in (*answer.observed, *answer.recommendations) for one in claim.citations]
    lines = [one for one in cited if isinstance(one, LinesCitation)]
    spans = [{"path": prefix + one.path, "start": one.first_line, "end": one.last_line} for one in lines]
    return {
        "id": row["id"],
        "ranked": spans,
        "citations": spans,
        "abstained": answer.status == "no_evidence",
        "status": answer.status,
        "invalid": [problem for one in lines for problem in problems_of(one, root, shown)],
        "withheld": [[one.text, one.reason] for one in answer.withheld],
        "claims": [claim.text for claim in answer.observed],
        "seconds": answer.usage.seconds,
    }


def lines_of(event: ToolFinished) -> Iterator[tuple[str, int]]:
    for _, piece in event.evidence:
        if isinstance(piece, LinesShown):
            yield from ((piece.path, line) for line in range(piece.first_line, piece.last_line + 1))


def problems_of(citation: LinesCitation, root: Path, shown: set[tuple[str, int]]) -> Iterator[str]:
    """What is wrong with a printed citation; nothing, when all is well."""
    data = (root / citation.path).read_bytes()
    lines = data.decode("utf-8", "replace").split("\n")
    if not 1 <= citation.first_line <= citation.last_line <= len(lines):
        yield f"{citation.label} is out of range"
        return
    there = "\n".join(line.removesuffix("\r") for line in lines[citation.first_line - 1 : citation.last_line])
    if there != citation.text:
        yield f"{citation.label} does not hold its text"
    if hashlib.sha256(data).hexdigest() != citation.sha256:
        yield f"{citation.label} has another hash"
    if not all((citation.path, line) in shown for line in range(citation.first_line, citation.last_line + 1)):
        yield f"{citation.label} was not shown"


def _counted(row: Row, given: Row) -> Iterator[str]:
    kind = "absent" if row["kind"] == "absent" else "answerable"
    yield f"{kind} rows"
    if given["abstained"]:
        yield f"{kind} rows abstained"
    yield from ("citations" for _ in given["citations"])
    yield from ("invalid citations" for _ in given["invalid"])
    yield from ("withheld claims" for _ in given["withheld"])
    golden = {(gold["path"]) for gold in row.get("gold", ())}
    if any(cited["path"] in golden for cited in given["citations"]):
        yield "answers that cite a gold file"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="evals.answers", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("set", type=Path, help="questions, one JSON row a line")
    parser.add_argument("--corpus", type=Path, required=True, help="folder with the snapshots")
    parser.add_argument("--out", type=Path, required=True, help="answers, one JSON row a line")
    parser.add_argument("--data", type=Path, help="folder where the indexes are kept (beside OUT)")
    parser.add_argument(
        "--kind", default="question,symbol,issue,absent", help="kinds of rows, comma separated"
    )
    options = parser.parse_args(arguments)
    options.data = options.data or options.out.parent / "indexes"
    return options


if __name__ == "__main__":
    sys.exit(main())
