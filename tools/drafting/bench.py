"""Runs a script on the project's own Python in the sandbox: what drafts are made from is observed there.

The script finds modules as pytest would for a test file at a path: it runs within pytest, which has read its settings
and every `conftest.py` above. What the script tells with `report(value)`, a global of its own, comes back; nothing
that it prints does. Its values are from code of the workspace: they are not to be trusted further than that.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import Any

from tools.drafting.trials import Trials
from tools.drafting.verdicts import COLLECTING, last_line
from tools.runners.pytest_trial import Round, Trial
from tools.suite import Suite
from tools.workspace import Workspace

_PROBE = "test_codewitness_probe.py"
_NOTHING = b"def test_nothing():\n    pass\n"
_START_SECONDS = 40.0
_TOLD = {
    "timeout": "it took too long",
    "died": "its process ended before it did",
    "": "it was not started",
}


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """What a script reported."""

    records: tuple[Any, ...]
    """JSON values, in order; also those that were reported before a problem."""
    problem: str = ""
    """Why it is not whole."""


class Bench:
    """Where scripts run for one workspace."""

    def __init__(self, workspace: Workspace, suite: Suite) -> None:
        self._workspace = workspace
        self._suite = suite

    async def run_script(self, code: str, *, near: str, seconds: float = 20.0) -> ScriptRun:
        """Run it where a test file `near` would run. Raises: ConsentRefused, TestsUnusable, CannotJudge."""
        path = posixpath.join(posixpath.dirname(near), _PROBE)
        trials = await Trials.opened(self._workspace, self._suite, path)
        trial = Trial(
            path,
            "script",
            {path: _NOTHING},
            script=code,
            seconds=seconds,
            all_seconds=_START_SECONDS + seconds,
        )
        _, rounds = await trials.run(trial, _START_SECONDS + seconds)
        script = rounds.get("script", Round())
        problem = _TOLD.get(script.ended, script.error)
        broken = next(iter(rounds.get(COLLECTING, Round()).tests.values()), None)
        if broken is not None:
            problem = f"a test file there cannot be collected: {last_line(broken)}"
        return ScriptRun(tuple(script.records), problem)
