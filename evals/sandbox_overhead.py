"""What isolation costs: the same run of pytest plain and in each tier, in turns; `python -m evals.sandbox_overhead`.

The plain run has no reporter and no watch, so the difference is all that we add. Medians and minima in milliseconds.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools.runners.pytest_runner import find_pytest
from tools.runners.runner import INSIDE, Selection
from tools.runners.survey import survey
from tools.sandbox.job import Job
from tools.sandbox.tiers import TIERS, Sandbox, find_sandbox
from tools.workspace import Workspace

_SUITE = "".join(f"def test_{number}():\n    assert {number} + 1\n" for number in range(20))


def main(rounds: int = 15) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "test_sample.py").write_text(_SUITE, encoding="utf-8")
        sandboxes = [find_sandbox(root, strongest=tier) for tier in TIERS]
        taken: dict[str, list[float]] = {}
        for _ in range(rounds):
            taken.setdefault("plain", []).append(_plain(root))
            for sandbox, tier in zip(sandboxes, TIERS, strict=True):
                if sandbox.tier is tier:
                    taken.setdefault(f"tier {tier.value}", []).append(_isolated(sandbox, root))
    plain = taken["plain"]
    print("| run | median ms | over plain | minimum ms | over plain |\n|---|---|---|---|---|")
    for name, seconds in taken.items():
        median, least = statistics.median(seconds), min(seconds)
        more = (median - statistics.median(plain), least - min(plain))
        print(
            f"| {name} | {median * 1e3:.0f} | {more[0] * 1e3:+.0f} | {least * 1e3:.0f} | {more[1] * 1e3:+.0f} |"
        )


def _plain(root: Path) -> float:
    argv = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    started = time.perf_counter()
    subprocess.run(
        argv, cwd=root, env={"PYTHONDONTWRITEBYTECODE": "1"}, stdout=subprocess.DEVNULL, check=True
    )
    return time.perf_counter() - started


def _isolated(sandbox: Sandbox, root: Path) -> float:
    """All that one run takes: looking at the workspace, the box, the run, the report."""
    started = time.perf_counter()
    workspace = Workspace(root)
    seen = survey(workspace)
    runner = find_pytest(workspace, seen, python=sys.executable, environment={})
    assert runner is not None
    with sandbox.open(root, INSIDE) as box:
        plan = runner.plan(Selection(), box.layout)
        job = Job(plan.argv, environment=plan.environment, read_only=plan.read_only, limits=plan.limits)
        report = runner.read_report(box.run(job), box.layout, workspace)
    workspace.close()
    assert report.verdict == "passed", report.problem
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
