"""What isolation costs: the same run of pytest plain and in each tier, in turns; `python -m evals.sandbox_overhead [ROUNDS]`.

The plain run has no reporter and no watch, so the difference is all that we add. Medians and minima in milliseconds;
wall time means something on an idle machine only, the ratio on a busy one too if there are many rounds. "CPU that is
ours" is what this process and the launchers took (of a plain run: pytest itself): it hardly depends on the load. What
the tests take in a sandbox is not in it. No plugins are loaded: they are the project's, and take what they take.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tools.runners.pytest_runner import find_pytest
from tools.runners.runner import INSIDE, Selection
from tools.runners.survey import survey
from tools.sandbox.job import Job
from tools.sandbox.tiers import TIERS, Sandbox, find_sandbox
from tools.workspace import Workspace

_NO_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
_SUITE = "".join(f"def test_{number}():\n    assert {number} + 1\n" for number in range(20))


@dataclass(frozen=True)
class Taken:
    """Seconds of one run."""

    wall: float
    cpu: float


def main(rounds: int = 15) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "test_sample.py").write_text(_SUITE, encoding="utf-8")
        sandboxes = [find_sandbox(root, strongest=tier) for tier in TIERS]
        taken: dict[str, list[Taken]] = {}
        for _ in range(rounds):
            taken.setdefault("plain", []).append(_taken(lambda: _plain(root)))
            for sandbox, tier in zip(sandboxes, TIERS, strict=True):
                if sandbox.tier is tier:
                    run = partial(_isolated, sandbox, root)
                    taken.setdefault(f"tier {tier.value}", []).append(_taken(run))
    print("| run | median ms | over plain | ratio | minimum ms | over plain | CPU that is ours, median ms |")
    print("|---|---|---|---|---|---|---|")
    for name, runs in taken.items():
        print(_row(name, runs, taken["plain"]))


def _row(name: str, runs: Sequence[Taken], plain: Sequence[Taken]) -> str:
    median, least = statistics.median(run.wall for run in runs), min(run.wall for run in runs)
    of_plain, least_of_plain = statistics.median(run.wall for run in plain), min(run.wall for run in plain)
    cells = [
        name,
        f"{median * 1e3:.0f}",
        f"{(median - of_plain) * 1e3:+.0f}",
        f"{median / of_plain:.2f}",
        f"{least * 1e3:.0f}",
        f"{(least - least_of_plain) * 1e3:+.0f}",
        f"{statistics.median(run.cpu for run in runs) * 1e3:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def _taken(run: Callable[[], None]) -> Taken:
    wall, cpu = time.perf_counter(), _cpu()
    run()
    return Taken(time.perf_counter() - wall, _cpu() - cpu)


def _cpu() -> float:
    """Of this process and of the programs that it has waited for."""
    return sum(os.times()[:4])


def _plain(root: Path) -> None:
    argv = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environment = {"PYTHONDONTWRITEBYTECODE": "1", **_NO_PLUGINS}
    subprocess.run(argv, cwd=root, env=environment, stdout=subprocess.DEVNULL, check=True)


def _isolated(sandbox: Sandbox, root: Path) -> None:
    """All that one run takes: looking at the workspace, the box, the run, the report."""
    workspace = Workspace(root)
    seen = survey(workspace)
    runner = find_pytest(workspace, seen, python=sys.executable, environment={})
    assert runner is not None
    with sandbox.open(root, INSIDE) as box:
        plan = runner.plan(Selection(), box.layout)
        environment = {**plan.environment, **_NO_PLUGINS}
        job = Job(plan.argv, environment=environment, read_only=plan.read_only, limits=plan.limits)
        report = runner.read_report(box.run(job), box.layout, workspace)
    workspace.close()
    assert report.verdict == "passed", report.problem


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
