"""`codewitness eval`: question sets asked of repository snapshots, and how well they fared."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tui.exits import ExitCode, Interrupted, UsageInvalid
from tui.flags import OF_THE_MODEL, OF_THE_WORKSPACE, Flags, keep, with_flags_but

if TYPE_CHECKING:
    from evals.metrics import Estimate
    from tools.index.progress import IndexProgress
    from tui.progress import ProgressLine

app = typer.Typer(
    rich_markup_mode=None,
    help="How well questions with known answers are answered.",
)


class By(StrEnum):
    """What rows are grouped by."""

    KIND = "kind"
    LANGUAGE = "language"
    REPO = "repo"


Set = Annotated[Path, typer.Argument(metavar="SET.jsonl", help="Questions, one JSON row a line.")]
Corpus = Annotated[
    Path,
    typer.Option(
        metavar="DIR", help="Folder with the snapshots, each as `<owner+name>@<first 12 of commit>`."
    ),
]
Out = Annotated[
    Path,
    typer.Option(
        metavar="FILE", help="One JSON row for each question; a stopped run goes on from what is there."
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Where the indexes are kept; `indexes` beside OUT without it."),
]
Grouping = Annotated[By, typer.Option(help="One line of the table for each of these.")]


@app.callback(invoke_without_command=True)
@with_flags_but(*OF_THE_WORKSPACE)
def evaluate(flags: Flags, context: typer.Context) -> ExitCode:
    keep(context, flags)
    if context.invoked_subcommand is None:
        raise UsageInvalid(
            "no evaluation was named",
            cause="`codewitness eval` does nothing by itself",
            hint="`codewitness eval retrieval` asks the index, `codewitness eval answers` asks for answers",
        )
    return ExitCode.ANSWERED


@app.command("retrieval")
@with_flags_but(*OF_THE_MODEL, *OF_THE_WORKSPACE)
def retrieval(
    flags: Flags,
    questions: Set,
    corpus: Corpus,
    out: Out,
    by: Grouping = By.KIND,
    data: Data = None,
    no_vectors: Annotated[bool, typer.Option("--no-vectors", help="Keywords and symbols only.")] = False,
    vector_seconds: Annotated[
        float | None,
        typer.Option(
            min=0, help="At most so long for the missing vectors of a snapshot; all of them without it."
        ),
    ] = None,
) -> ExitCode:
    """Ask the index every question of a set, and measure what it finds against the gold.

    No model, no network. Prints the measures with their 95 % intervals, plain BM25 below them.

    Examples:

      codewitness eval retrieval dev.jsonl --corpus snapshots --out predictions.jsonl

      codewitness eval retrieval dev.jsonl --corpus snapshots --out words.jsonl --no-vectors --by repo
    """
    from evals.metrics import abstentions
    from evals.question_set import read_rows, require_snapshots
    from evals.retrieval import Bench, embedded, measured, predict
    from evals.tables import abstention_lines, retrieval_table, vectors_line
    from tui.opening import output_of
    from tui.progress import ProgressLine

    output = output_of(flags)
    rows = read_rows(questions)
    require_snapshots(rows, corpus)
    progress = ProgressLine(output)
    with embedded(wanted=not no_vectors) as embedder, _kept(out, progress):
        bench = Bench(corpus, data or out.parent / "indexes", embedder, _told(progress), vector_seconds)
        predictions = predict(bench, rows, out)
    groups = measured(rows, predictions, by.value)
    if output.json:
        said = [_group(one.name, one.ours, one.floor) for one in groups]
        output.document(_document(questions, said, abstentions(rows, predictions)))
        return ExitCode.ANSWERED
    for line in (*retrieval_table(groups), "", *abstention_lines(abstentions(rows, predictions))):
        output.answer(line)
    output.answer(f"- {vectors_line(predictions)}")
    return ExitCode.ANSWERED


@app.command("answers")
@with_flags_but(*OF_THE_WORKSPACE)
def answers(
    flags: Flags, questions: Set, corpus: Corpus, out: Out, by: Grouping = By.KIND, data: Data = None
) -> ExitCode:
    """Ask every question of a set for an answer, and check each printed citation against the files.

    Without `--backend`, the extractive one answers: no model. Exit code 1 when a citation is wrong.

    Examples:

      codewitness eval answers dev.jsonl --corpus snapshots --out answers.jsonl

      codewitness eval answers dev.jsonl --corpus snapshots --out qwen.jsonl --backend ollama --model qwen3.5:9b
    """
    from agent.settings import load_settings
    from evals.answers import Asking, answer, cited, counts
    from evals.metrics import abstentions
    from evals.question_set import read_rows, require_snapshots
    from evals.tables import abstention_lines, answers_table
    from tui.opening import given_settings, output_of
    from tui.progress import ProgressLine

    output = output_of(flags)
    rows = read_rows(questions)
    require_snapshots(rows, corpus)
    indexes = str((data or out.parent / "indexes").resolve())
    given = {"model.backend": "extractive", **given_settings(flags), "index.data_folder": indexes}
    progress = ProgressLine(output)

    def tell(snapshot: str, done: int, of: int) -> None:
        progress.status(f"answered {done} of {of}, now about {snapshot}")

    with _kept(out, progress):
        answered = answer(Asking(corpus, load_settings(given).settings, tell), rows, out)
    groups, counted = cited(rows, answered, by.value), counts(answered)
    if output.json:
        said = [_group(one.name, one.measures) for one in groups]
        output.document(_document(questions, said, abstentions(rows, answered), counted))
    for line in (*answers_table(groups), "", *abstention_lines(abstentions(rows, answered))):
        output.answer(line)
    for name, count in counted.items():
        output.answer(f"- {name}: {count}")
    return ExitCode.NO_EVIDENCE if counted["invalid citations"] else ExitCode.ANSWERED


@contextmanager
def _kept(out: Path, progress: ProgressLine) -> Generator[None]:
    """Ctrl-C ends the run; what is written stays."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(f"`{out}` keeps what is done, and the same command goes on from there") from None
    finally:
        progress.clear()


def _told(progress: ProgressLine) -> Callable[[str, IndexProgress], None]:
    def tell(snapshot: str, step: IndexProgress) -> None:
        progress.index(replace(step, current=snapshot))

    return tell


def _document(
    questions: Path,
    groups: list[dict[str, Any]],
    abstained: Mapping[str, tuple[int, int]],
    counted: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """`codewitness.eval/1`."""
    return {
        "schema": "codewitness.eval/1",
        "set": questions.name,
        "groups": groups,
        "abstained": {name: {"rows": of, "abstained": did} for name, (did, of) in abstained.items()},
        **({"counts": dict(counted)} if counted is not None else {}),
    }


def _group(
    name: str, measures: Mapping[str, Estimate], floor: Mapping[str, Estimate] | None = None
) -> dict[str, Any]:
    said = {"name": name, "measures": {key: asdict(one) for key, one in measures.items()}}
    return said | ({"floor": {key: asdict(one) for key, one in floor.items()}} if floor is not None else {})
