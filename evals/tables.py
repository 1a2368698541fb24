"""Measurements as Markdown tables: what a terminal shows and what the pages in `evals/results/` hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evals.answers import Cited
from evals.metrics import Estimate, Row
from evals.retrieval import Group

RETRIEVAL_COLUMNS = ("file Acc@1", "file hit@5", "span hit@1", "span hit@5", "nDCG@10")
ANSWER_COLUMNS = ("answers", "citations on gold", "gold cited", "any gold cited")


def retrieval_table(groups: Sequence[Group]) -> Iterator[str]:
    """Every group with its 95 % intervals, the floor below it."""
    yield from _head("rows", RETRIEVAL_COLUMNS)
    for group in groups:
        count = max(one.rows for one in group.ours.values())
        yield _row(f"{group.name} ({count})", group.ours, RETRIEVAL_COLUMNS)
        yield _row("BM25 alone", group.floor, RETRIEVAL_COLUMNS)


def answers_table(groups: Sequence[Cited]) -> Iterator[str]:
    """Every group with its 95 % intervals; the measures of citations are over the answers that cite."""
    yield from _head("rows", ANSWER_COLUMNS)
    for group in groups:
        yield _row(f"{group.name} ({group.rows})", group.measures, ANSWER_COLUMNS)


def abstention_lines(counted: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """What was said not to be there, by kind of row."""
    for name, (did, of) in counted.items():
        yield f"- abstained on {did} of {of} {name}"


def vectors_line(predictions: Mapping[str, Row]) -> str:
    """With how many vectors the predictions were made."""
    shares = [one["vectors_share"] for one in predictions.values()]
    if not any(shares):
        return "Keywords and symbols only."
    return f"Chunks with a vector: {min(shares):.0%} in the poorest snapshot, {sum(shares) / len(shares):.0%} on average."


def _head(first: str, columns: Sequence[str]) -> Iterator[str]:
    yield f"| {first} | {' | '.join(columns)} |"
    yield f"| --- |{' --- |' * len(columns)}"


def _row(name: str, measures: Mapping[str, Estimate], columns: Sequence[str]) -> str:
    return f"| {name} | {' | '.join(_cell(measures.get(column)) for column in columns)} |"


def _cell(one: Estimate | None) -> str:
    return f"{one.mean:.3f} [{one.low:.2f}, {one.high:.2f}]" if one else ""
