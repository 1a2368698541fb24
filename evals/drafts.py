"""How good tests are that are drafted without a model: pure functions of the committed projects, each drafted for alone.

    python -P -m evals.drafts [--results evals/results/drafts.md] [--only SYMBOL] [-v]

A function counts when at least one test of it is kept, so that it passes each time and in any order, and when the kept
tests notice at least 60 % of the small changes that are made to it on purpose. That the patch applies is asked of git.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from agent.drafting.report import DraftReport, DraftRequest, TestsDrafted
from agent.session import open_session
from agent.settings import load_settings
from tools.consent import granted_by_flags

COMMAND = "python -P -m evals.drafts --results evals/results/drafts.md"
ENOUGH = 0.6
PROJECTS = Path(__file__).parent / "codebases"
FIELDNOTES = (
    "text.py:slugify",
    "text.py:initials",
    "text.py:word_counts",
    "text.py:shorten",
    "text.py:plural",
    "text.py:mask",
    "text.py:indent",
    "numbers.py:clamp",
    "numbers.py:median",
    "numbers.py:percent",
    "numbers.py:running_totals",
    "numbers.py:to_roman",
    "numbers.py:bucket",
    "days.py:is_leap",
    "days.py:season",
    "days.py:next_weekday",
    "days.py:parse_day",
    "places.py:to_degrees",
    "sightings.py:parse_line",
    "sightings.py:most_seen",
)
"""Chosen once, before the first run of this; `initials` and `season` were tried while the drafting was built."""


@dataclass(frozen=True)
class Scored:
    """One function with what was drafted for it."""

    target: str
    report: DraftReport
    applies: bool

    @property
    def kept(self) -> int:
        return self.report.kept

    @property
    def share(self) -> float:
        """Of the changes that were made to the function, those that its tests notice."""
        return self.report.killed / self.report.total if self.report.total else 0.0

    @property
    def is_enough(self) -> bool:
        return bool(self.kept) and self.applies and self.share >= ENOUGH


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    targets = [f"fieldnotes/{one}" for one in FIELDNOTES if options.only in ("", one.partition(":")[2])]
    with tempfile.TemporaryDirectory() as temporary:
        scored = asyncio.run(drafted_each("fieldnotes", targets, Path(temporary)))
    for one in scored if options.v else ():
        print(f"== {one.target}\n{one.report.patch}")
        for target in one.report.targets:
            print("\n".join(f"   not noticed: {survivor}" for survivor in target.survivors))
            print("\n".join(f"   not kept: {dropped}" for dropped in target.dropped))
    report = "\n".join(_report(scored))
    print(report)
    if options.results and not options.only:
        options.results.write_text(report + "\n", encoding="utf-8")
    return 0


async def drafted_each(project: str, targets: Sequence[str], temporary: Path) -> list[Scored]:
    """Draft for each target on a copy of a committed project."""
    root = temporary / project
    shutil.copytree(PROJECTS / project, root)
    flags = {
        "model.backend": "extractive",
        "index.embedder": "none",
        "index.data_folder": str(temporary / "data"),
    }
    agreed = granted_by_flags(yes=True, allow_unsandboxed=False)
    session = open_session(load_settings(flags, {}).settings, root, agreed)
    scored: list[Scored] = []
    try:
        for target in targets:
            async with aclosing(session.draft_tests(DraftRequest(target))) as events:
                async for event in events:
                    if isinstance(event, TestsDrafted):
                        scored.append(Scored(target, event.report, _applies(event.report.patch, root)))
                        print(_row(scored[-1]), file=sys.stderr, flush=True)
    finally:
        await session.aclose()
    return scored


def _applies(patch: str, root: Path) -> bool:
    """Whether git takes the patch."""
    command = ["git", "apply", "--check", "-"]
    run = subprocess.run(command, cwd=root, input=patch.encode(), capture_output=True, check=False)
    return run.returncode == 0


def _report(scored: Sequence[Scored]) -> Iterator[str]:
    enough = sum(one.is_enough for one in scored)
    killed, total = sum(one.report.killed for one in scored), sum(one.report.total for one in scored)
    seconds = sorted(one.report.seconds for one in scored)
    yield "# Tests drafted without a model"
    yield ""
    yield f"`{COMMAND}`, the extractive backend on {len(scored)} pure functions of `evals/codebases/fieldnotes`."
    yield ""
    yield f"- functions with kept tests that notice at least {ENOUGH:.0%} of the changes made on purpose: {enough} of {len(scored)}"
    yield f"- functions with at least one kept test: {sum(bool(one.kept) for one in scored)} of {len(scored)}"
    yield f"- changes noticed in all: {killed} of {total} ({killed / max(1, total):.0%})"
    yield f"- patches that `git apply --check` takes: {sum(one.applies for one in scored)} of {len(scored)}"
    yield f"- seconds for one function: {seconds[len(seconds) // 2]:.0f} in the middle, {seconds[-1]:.0f} at most, on a busy machine of two cores"
    yield ""
    yield "| function | tests kept | changes noticed | enough |"
    yield "|---|---|---|---|"
    for one in scored:
        yield _row(one)


def _row(one: Scored) -> str:
    noticed = f"{one.report.killed} of {one.report.total} ({one.share:.0%})"
    return f"| {one.target} | {one.kept} | {noticed} | {'yes' if one.is_enough else 'no'} |"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="evals.drafts", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--results", type=Path, help="Markdown file to write")
    parser.add_argument("--only", default="", help="one function by its name")
    parser.add_argument("-v", action="store_true", help="print what is drafted for each")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
