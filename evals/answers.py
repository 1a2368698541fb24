"""How good the answers are: every row of a question set asked, every printed citation checked against the files.

    codewitness eval answers SET.jsonl --corpus DIR --out ANSWERS.jsonl [--by kind|language|repo] [--backend …]

The check is not the verifier's: it reads the snapshot's bytes itself, and takes what was shown from the tools'
events. An answer row is `{id, ranked, abstained, status, citations, invalid, withheld, claims, seconds, …}`.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from agent.answer import Answer, LinesCitation
from agent.events import Answered, ToolFinished
from agent.session import Session, open_session
from agent.settings import Settings
from evals.metrics import Estimate, Row, citation_measures, estimates, grouped, is_answerable
from evals.question_set import by_snapshot, code_digest, write_rows
from tools.evidence import LinesShown


@dataclass(frozen=True, slots=True)
class Asking:
    """What answers the questions, and about what."""

    corpus: Path
    settings: Settings
    tell: Callable[[str, int, int], None]
    """Told of each snapshot, how many rows are answered, and of how many."""

    @property
    def made_with(self) -> str:
        """Names all that the answers depend on, besides the snapshots and chance."""
        model = self.settings.model
        return f"{code_digest('tools', 'agent', 'evals')} {model.backend} {model.name or ''}".strip()


@dataclass(frozen=True, slots=True)
class Cited:
    """How well the answers to some rows cite: over those that cite anything."""

    name: str
    rows: int
    measures: dict[str, Estimate]


def answer(asking: Asking, rows: Sequence[Row], out: Path) -> dict[str, Row]:
    """An answer for each row by id, written to `out` as they come; an earlier run's are kept."""
    return write_rows(out, rows, asking.made_with, lambda left: _answers(asking, left))


def cited(rows: Sequence[Row], answers: Mapping[str, Row], by: str) -> list[Cited]:
    """All answerable rows, then each group of them."""
    answerable = [row for row in rows if is_answerable(row)]
    groups = {"all answerable": answerable, **grouped(answerable, lambda row: str(row[by]))}
    return [_cited(name, some, answers) for name, some in groups.items() if some]


def _cited(name: str, rows: Sequence[Row], answers: Mapping[str, Row]) -> Cited:
    citing = [(row, answers[row["id"]]["citations"]) for row in rows if answers[row["id"]]["citations"]]
    measured = estimates(citation_measures(row, citations) for row, citations in citing)
    return Cited(name, len(rows), {"answers": _share(len(citing), len(rows)), **measured})


def _share(part: int, whole: int) -> Estimate:
    return estimates([{"share": float(place < part)} for place in range(whole)])["share"]


def counts(answers: Mapping[str, Row]) -> dict[str, int]:
    """What must be counted rather than averaged: every single wrong citation matters."""
    return {
        "citations": sum(len(one["citations"]) for one in answers.values()),
        "invalid citations": sum(len(one["invalid"]) for one in answers.values()),
        "withheld claims": sum(len(one["withheld"]) for one in answers.values()),
    }


def _answers(asking: Asking, rows: Sequence[Row]) -> Iterator[Row]:
    done = 0
    with asyncio.Runner() as runner:
        for name, below, asked in by_snapshot(rows):
            root = asking.corpus / name / below
            session = open_session(asking.settings, root)
            try:
                for row in asked:
                    asking.tell(name, done, len(rows))
                    yield runner.run(_answer(session, row, root, f"{below}/" if below else ""))
                    done += 1
            finally:
                runner.run(session.aclose())


async def _answer(session: Session, row: Row, root: Path, prefix: str) -> Row:
    shown: set[tuple[str, int]] = set()
    given: Answer | None = None
    async with aclosing(session.ask(row["query"])) as events:
        async for event in events:
            if isinstance(event, ToolFinished):
                shown.update(lines_of(event))
            elif isinstance(event, Answered):
                given = event.answer
    assert given is not None
    cited = [one for claim in (*given.observed, *given.recommendations) for one in claim.citations]
    lines = [one for one in cited if isinstance(one, LinesCitation)]
    spans = [{"path": prefix + one.path, "start": one.first_line, "end": one.last_line} for one in lines]
    return {
        "id": row["id"],
        "ranked": spans,
        "citations": spans,
        "abstained": given.status == "no_evidence",
        "status": given.status,
        "invalid": [problem for one in lines for problem in problems_of(one, root, shown)],
        "withheld": [[one.text, one.reason] for one in given.withheld],
        "claims": [claim.text for claim in given.observed],
        "seconds": given.usage.seconds,
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
