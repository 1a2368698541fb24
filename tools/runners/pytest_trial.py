"""pytest's part in judging a draft: one start in which its tests run many times, each round in a fork of its own.

The plan is that of a run of these tests; only the program in it is ours (`inside/codewitness_trial.py`), which starts
pytest itself. Options that projects add for their own runs, and that would hide what is looked for, are taken back:
measuring coverage, running in several processes, another order.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from tools.runners.pytest_runner import Pytest, Reading
from tools.runners.runner import InsidePaths, Plan, RunnerLacks, Selection, TestOutcome
from tools.sandbox.job import Ended, Layout
from tools.workspace import Workspace

Stage: TypeAlias = Literal["first", "mutants", "script"]

_OLDEST = (3, 8)
_LEAST_COLLECT_SECONDS = 30.0
_ORDERS = "codewitness-orders.json"
_START_BEFORE_SAFE_PATH = "import sys; sys.path[:] = [p for p in sys.path if p]; import codewitness_trial as t; sys.exit(t.main(sys.argv[1]))"
_TAKEN_BACK = {
    "pytest_cov": ("--no-cov",),
    "xdist": ("-n0",),
    "pytest_randomly": ("-p", "no:randomly"),
    "pytest_random_order": ("-p", "no:random_order"),
}


@dataclass(frozen=True, slots=True)
class Trial:
    """What is to be tried in one start."""

    path: str
    """The file of tests that pytest collects."""
    stage: Stage
    laid: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """Files that are laid over the workspace, in the sandbox only."""
    only: tuple[str, ...] = ()
    """Ids of tests; nothing given: all."""
    mutants: tuple[Mapping[str, Any], ...] = ()
    """As `inside/codewitness_mutants.py` has them."""
    script: str = ""
    hash_seed: int = 0
    """Decides in what order sets come."""
    seconds: float = 30.0
    """For one round."""
    all_seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that a test, or "" while tests were collected, was seen to do."""

    test: str
    what: str
    detail: str


@dataclass(slots=True)
class Round:
    """The tests of a file, run once."""

    ended: str = ""
    """exit, timeout or died; "" where it was not heard of to the end."""
    tests: dict[str, TestOutcome] = field(default_factory=dict[str, TestOutcome])
    seen: list[Seen] = field(default_factory=list[Seen])
    records: list[Any] = field(default_factory=list[Any])
    """What a script reported."""
    cpu_seconds: float = 0.0
    error: str = ""
    """What a script ended with."""


def trial_plan(runner: Pytest, trial: Trial, layout: Layout, folder: Path, root: Path) -> Plan:
    """The command; its orders are written into `folder`, which is on this machine. Raises: RunnerLacks."""
    if runner.python.version < _OLDEST:
        raise RunnerLacks(f"Python 3.8 or newer is needed to judge drafts, not {runner.python.described}")
    plan = runner.plan(Selection(path=trial.path), layout)
    orders, inside = folder / _ORDERS, f"{layout.temporary}/{_ORDERS}"
    allowed = [target for _, target in plan.read_only]
    if not layout.home.startswith(f"{layout.temporary}/"):
        allowed.append(layout.temporary)  # it may lie in the person's own home
    orders.write_text(json.dumps(_orders(runner, trial, layout, root, allowed)), encoding="utf-8")
    program = plan.argv[0]
    start = (
        ("-P", "-m", "codewitness_trial")
        if runner.python.version >= (3, 11)
        else ("-c", _START_BEFORE_SAFE_PATH)
    )
    return replace(
        plan,
        argv=(program, *start, inside),
        environment={
            **plan.environment,
            "PYTHONHASHSEED": str(trial.hash_seed),
            "HYPOTHESIS_STORAGE_DIRECTORY": f"{layout.temporary}/hypothesis",
        },
        read_only=(*plan.read_only, (orders, inside)),
    )


def _orders(
    runner: Pytest, trial: Trial, layout: Layout, root: Path, allowed: Sequence[str]
) -> dict[str, Any]:
    taken_back = (
        option for name, options in _TAKEN_BACK.items() if runner.python.has(name) for option in options
    )
    return {
        "root": layout.workspace,
        "aliases": sorted({str(root)} - {layout.workspace}),
        "homes": sorted({layout.home, str(Path.home())}),
        "temporary": layout.temporary,
        "allowed": list(allowed),
        "dependencies": list(runner.dependencies),
        "draft": trial.path,
        "laid": {path: base64.b64encode(content).decode() for path, content in trial.laid.items()},
        "arguments": ["-q", "-p", "no:cacheprovider", *taken_back, f"./{trial.path}"],
        "stage": trial.stage,
        "only": list(trial.only),
        "mutants": [dict(mutant) for mutant in trial.mutants],
        "script": trial.script,
        "seconds": trial.seconds,
        "collect_seconds": max(trial.seconds, _LEAST_COLLECT_SECONDS),
        "all_seconds": trial.all_seconds,
    }


def read_rounds(ended: Ended, layout: Layout, workspace: Workspace, laid: Sequence[str]) -> dict[str, Round]:
    """The rounds by their names, as far as they were reported."""
    rounds: dict[str, Round] = {}
    readings: dict[str, Reading] = {}
    for record in _records(ended.report):
        name = record.pop("round")
        one = rounds.setdefault(name, Round())
        if "ended" in record:
            one.ended, one.cpu_seconds = str(record["ended"]), float(record.get("cpu") or 0)
            one.error = str(record.get("error") or "")
        elif "saw" in record:
            one.seen.append(Seen(str(record.get("test")), str(record["saw"]), str(record.get("detail"))))
        elif "record" in record:
            one.records.append(record["record"])
        else:
            reading = readings.setdefault(name, Reading(InsidePaths(layout, workspace, laid)))
            reading.take_record(record)
            one.tests = reading.tests
    return rounds


def _records(report: bytes) -> Iterator[dict[str, Any]]:
    for line in report.splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(cast(dict[str, Any], record).get("round"), str):
            yield cast(dict[str, Any], record)
