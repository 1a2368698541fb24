"""What a turn costs beside the model, and how many tokens a model has to read until it acts and until it answers.

    python -P -m evals.bench_loop [--workspace DIR] [--results evals/results/model_loop.md]

A model server that answers at once (`evals/instant_model.py`) stands where Ollama would, on a real socket; the
session, the tools and the backend are the real ones. The time from the last byte of a reply to the last byte of the
next request is ours: running the tool, recording its result, fitting the window, writing and sending the request.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from agent.session import open_session
from agent.settings import BudgetSettings, IndexSettings, ModelSettings, Settings
from evals.instant_model import Call, Exchange, InstantModel

CHARACTERS_PER_TOKEN = 3.0
"""Cautious for code and JSON with the tokenizers of Qwen."""
SPEEDS = (50, 200, 1_000)
TRANSCRIPT_TOKENS = 30_000
MEASURED_TURNS = 60
LINES_A_TURN = 60
OVERHEAD_LIMIT_MS = 50.0

KINDS: dict[str, tuple[str, tuple[Call, ...]]] = {
    "a symbol": ("Where is `split_lines` defined?", (("grep_symbol", {"name": "split_lines"}),)),
    "how it works": (
        "How does the program decide that a citation is verified?",
        (
            ("semantic_search", {"queries": ["verify a citation", "lines were shown"]}),
            ("grep_symbol", {"name": "Verifier"}),
        ),
    ),
    "who depends on it": (
        "What breaks if `Workspace.read` changes?",
        (("grep_symbol", {"name": "Workspace", "find": "dependents"}),),
    ),
    "an overview": ("What are the parts of this program?", (("list_files", {}),)),
    "something absent": (
        "How does it talk to the lunar module?",
        (("semantic_search", {"queries": ["lunar module", "moon landing"]}),),
    ),
}


@dataclass(frozen=True)
class Overhead:
    """Milliseconds of ours per turn on a long transcript."""

    turns: int
    tokens: int
    cpu_median: float
    cpu_p95: float
    wall_p95: float
    """On an idle machine little more than the processor's; elsewhere it measures the others too."""
    prefix_reuse: float
    """Of everything sent, the share that the server could still have in its cache, where all of the request before
    is there again. 1.0: every request begins with the whole request before it."""


@dataclass(frozen=True)
class Reading:
    """Tokens that a model reads for one kind of question."""

    kind: str
    first_call: int
    answer: int
    """What a server with a prefix cache reads: all that is new in each request."""
    without_tools: int
    """What it would read more if the request for the answer carried no tools, which templates write before the
    conversation: that request whole. 0 where nothing was found, and no answer is asked for."""
    answer_uncached: int
    reranking: int
    """What `model.rerank` would add, before the first call."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    overhead, readings = asyncio.run(
        measured(options.workspace, transcript_tokens=options.tokens, turns=options.turns)
    )
    text = report(overhead, readings)
    if options.results:
        options.results.write_text(text, encoding="utf-8")
    print(text)
    return 0 if overhead.cpu_p95 <= OVERHEAD_LIMIT_MS and overhead.prefix_reuse == 1.0 else 1


async def measured(
    workspace: Path, *, transcript_tokens: int = TRANSCRIPT_TOKENS, turns: int = MEASURED_TURNS
) -> tuple[Overhead, list[Reading]]:
    """Everything, on one workspace; its index is built anew in a folder of its own."""
    with tempfile.TemporaryDirectory() as data:
        overhead = await _overhead(workspace, data, transcript_tokens, turns)
        readings = [await _reading(kind, workspace, data) for kind in KINDS]
    return overhead, readings


async def _overhead(workspace: Path, data: str, transcript_tokens: int, turns: int) -> Overhead:
    def plan(exchanges: Sequence[Exchange]) -> Call | None:
        long = [each for each in exchanges if tokens(each) >= transcript_tokens]
        return next(reads) if len(long) <= turns else None

    reads = iter(_reads(workspace))
    exchanges = await _run("How does it work?", workspace, data, plan)
    long = [each for each in exchanges if tokens(each) >= transcript_tokens]
    pauses = list(pairwise(long))
    cpu = [(after.arrived.cpu - before.answered.cpu) * 1_000 for before, after in pauses]
    wall = [(after.arrived.wall - before.answered.wall) * 1_000 for before, after in pauses]
    return Overhead(
        turns=len(pauses),
        tokens=tokens(long[0]),
        cpu_median=statistics.median(cpu),
        cpu_p95=statistics.quantiles(cpu, n=20)[-1],
        wall_p95=statistics.quantiles(wall, n=20)[-1],
        prefix_reuse=prefix_reuse(exchanges),
    )


async def _reading(kind: str, workspace: Path, data: str) -> Reading:
    question, calls = KINDS[kind]

    def plan(exchanges: Sequence[Exchange]) -> Call | None:
        return calls[len(exchanges) - 1] if len(exchanges) <= len(calls) else None

    exchanges = await _run(question, workspace, data, plan)
    asking = [tokens(each) for each in exchanges]
    answers = [each for each in exchanges if "format" in each.body]
    ranked, *_ = await _run(question, workspace, data, _ready, rerank=True)
    reranking = 0 if "tools" in ranked.body else tokens(ranked)
    # They extend each other, so the longest of them is what was read of them together.
    without_tools = tokens(answers[0]) - _tools_tokens(answers[0]) if answers else 0
    return Reading(kind, asking[0], max(asking), without_tools, sum(asking), reranking)


def _ready(exchanges: Sequence[Exchange]) -> None:
    """The plan to answer at once."""


async def _run(
    question: str, workspace: Path, data: str, plan: Any, *, rerank: bool = False
) -> list[Exchange]:
    async with InstantModel(plan) as server:
        settings = Settings(
            model=ModelSettings(backend="ollama", base_url=server.url, num_ctx=131_072, rerank=rerank),
            budget=BudgetSettings(max_turns=1_000, max_tokens=100_000_000),
            index=IndexSettings(embedder="none", data_folder=data),
        )
        session = open_session(settings, workspace)
        try:
            async with aclosing(session.ask(question)) as events:
                async for _ in events:
                    pass
        finally:
            await session.aclose()
        return server.exchanges


def _reads(workspace: Path) -> list[Call]:
    """Different lines again and again, so that no call is a repetition."""
    calls: list[Call] = []
    for path in sorted(workspace.rglob("*.py")):
        if any(part.startswith(".") for part in path.relative_to(workspace).parts):
            continue
        last = len(path.read_text(encoding="utf-8").split("\n"))
        calls += [
            ("read_file_lines", {"path": path.relative_to(workspace).as_posix(), "first_line": first,
                                 "last_line": min(first + LINES_A_TURN - 1, last)})
            for first in range(1, last, LINES_A_TURN)
        ]  # fmt: skip
    return calls


def prefix_reuse(exchanges: Sequence[Exchange]) -> float:
    """The share of requests that repeat the one before them whole, at their beginning, tools included."""
    kept = [_repeats(before.body, after.body) for before, after in pairwise(exchanges)]
    return sum(kept) / len(kept)


def _repeats(before: dict[str, Any], after: dict[str, Any]) -> bool:
    return (
        before.get("tools") == after.get("tools")
        and after["messages"][: len(before["messages"])] == before["messages"]
    )


def tokens(exchange: Exchange) -> int:
    """What the model reads of one request."""
    return round(exchange.characters / CHARACTERS_PER_TOKEN)


def _tools_tokens(exchange: Exchange) -> int:
    return round(len(json.dumps(exchange.body["tools"])) / CHARACTERS_PER_TOKEN)


def report(overhead: Overhead, readings: Sequence[Reading]) -> str:
    """The page that is committed."""
    rows = [
        f"| {each.kind} | {each.first_call:,} | {each.answer:,} | {each.without_tools:,} | {each.answer_uncached:,} |"
        f" {each.reranking:,} | "
        + " | ".join(f"{each.first_call / speed:,.0f} s / {each.answer / speed:,.0f} s" for speed in SPEEDS)
        + " |"
        for each in readings
    ]
    head = " | ".join(f"at {speed:,} tokens/s" for speed in SPEEDS)
    return "\n".join(
        [
            "# What the loop costs beside the model",
            "",
            "    python -P -m evals.bench_loop --results evals/results/model_loop.md",
            "",
            f"Ours per turn, with {overhead.tokens:,} tokens and more in the transcript, {overhead.turns} turns that"
            f" each read {LINES_A_TURN} lines: {overhead.cpu_median:.1f} ms of the processor at the median,"
            f" {overhead.cpu_p95:.1f} ms at p95 (limit {OVERHEAD_LIMIT_MS:.0f} ms); by the clock p95"
            f" {overhead.wall_p95:.1f} ms, which on a busy machine counts what else it does.",
            "Requests with the tools of the request before them, whose messages begin with all of its messages:"
            f" {overhead.prefix_reuse:.0%}, the request for the answer among them.",
            "",
            "Tokens that the model reads (characters / 3) until it can make its first tool call, and until it can begin"
            " its answer, on a server with a prefix cache and on one without. The templates of Qwen write the tools before"
            " the conversation, so the request for the answer carries them beside its schema: without them it would be"
            " read whole (`more without tools`). The seconds are reading alone, first call / answer; writing comes on"
            " top.",
            "",
            "`reranking` is what `model.rerank` adds before the first call, plus some 12 tokens to write for each of at"
            " most 16 candidates. It is asked before the conversation begins, so it costs that nothing of its prefix;"
            " what it may push out of the cache is the prompt and the tools, if an earlier question left them there.",
            "",
            f"| question | first call | answer | more without tools | answer, no cache | reranking | {head} |",
            f"|---|---|---|---|---|---|{'---|' * len(SPEEDS)}",
            *rows,
            "",
        ]
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="evals.bench_loop", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--workspace", type=Path, default=Path.cwd(), help="the codebase that is asked about")
    parser.add_argument(
        "--tokens", type=int, default=TRANSCRIPT_TOKENS, help="how long the transcript gets first"
    )
    parser.add_argument("--turns", type=int, default=MEASURED_TURNS, help="turns that are measured then")
    parser.add_argument("--results", type=Path, help="the page to write")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
