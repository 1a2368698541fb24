"""Starts trials of drafts in the sandbox, and says how far they are."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tools.drafting.draft import Draft
from tools.drafting.mutants import Mutant
from tools.errors import UserError
from tools.runners.pytest_runner import Pytest
from tools.runners.pytest_trial import Round, Trial, read_rounds, trial_plan
from tools.runners.runner import RunnerLacks, Selection, TestOutcome
from tools.sandbox.job import Layout
from tools.secrets import mask
from tools.show import show
from tools.suite import Prepared, Started, Suite, TestsUnusable
from tools.workspace import Workspace

CALLED = '__import__("codewitness_witness").called()'
"""The statement of a probe."""
_ENDED = re.compile(rb'\{"round": "((?:mutant|probe)\d+)(?: file)?", "ended"')


class CannotJudge(UserError):
    """Drafts of this kind, or on this machine, cannot be judged."""


class Trials:
    """The trials of one draft, agreed to."""

    def __init__(self, workspace: Workspace, suite: Suite, prepared: Prepared, runner: Pytest) -> None:
        self._workspace = workspace
        self._suite = suite
        self._runner = runner
        self.prepared = prepared

    @classmethod
    async def opened(cls, workspace: Workspace, suite: Suite, path: str) -> Trials:
        """What runs tests of this path, once the person agrees.

        Raises: ConsentRefused, TestsUnusable, CannotJudge; Unreadable, where the path leads out of the workspace.
        """
        path = workspace.normalise(path)
        if not hasattr(os, "fork"):
            raise CannotJudge(
                "the draft cannot be judged",
                cause="judging a draft takes an operating system that can fork a process",
                hint="judge it on Linux or macOS",
            )
        prepared = await suite.prepare(Selection(path=path))
        if not isinstance(prepared.runner, Pytest):
            raise CannotJudge(
                "the draft cannot be judged",
                cause=f"drafts are judged with pytest only, and `{show(path)}` is for {prepared.runner.name}",
                hint="run it yourself before you keep it",
            )
        return cls(workspace, suite, prepared, prepared.runner)

    async def run(
        self, trial: Trial, seconds: float, heard: Callable[[bytes], None] | None = None
    ) -> tuple[Started, dict[str, Round]]:
        """One start. Raises: TestsUnusable."""
        with tempfile.TemporaryDirectory(prefix="codewitness-orders-") as folder:

            def planned(layout: Layout) -> Any:
                return trial_plan(self._runner, trial, layout, Path(folder), self._workspace.root)

            try:
                started = await self._suite.start(self.prepared, planned, seconds=seconds, heard=heard)
            except RunnerLacks as lacks:
                raise TestsUnusable(
                    "the draft cannot be judged",
                    cause=str(lacks),
                    hint="name another Python in `tests.python`",
                ) from None
        rounds = read_rounds(started.ended, started.layout, self._workspace, [*trial.laid])
        for one in rounds.values():
            one.tests = {id_: _safe(test) for id_, test in one.tests.items()}
        return started, rounds


def first_trial(draft: Draft, seconds: float) -> Trial:
    """Everything but the mutants."""
    return Trial(draft.path, "first", {draft.path: draft.text.encode()}, seconds=seconds, hash_seed=1)


def mutant_trials(
    draft: Draft,
    only: Sequence[str],
    named: Sequence[tuple[str, Mutant]],
    probes: Sequence[str],
    seconds: float,
    starts: int = 1,
) -> list[Trial]:
    """The mutants in so many starts that can run at the same time; in each, sets come in another order than before."""
    laid = {draft.path: draft.text.encode()}
    return [
        Trial(
            draft.path,
            "mutants",
            laid,
            only=tuple(only),
            mutants=tuple(_as_order(name, one, name in probes) for name, one in named[number::starts]),
            hash_seed=2 + number,
            seconds=seconds,
        )
        for number in range(starts)
    ]


class Listener:
    """Counts the mutants that a report tells the end of, as it comes in, for the thread of the event loop."""

    def __init__(self, told: Callable[[int], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._told = told
        self._seen: set[bytes] = set()

    def ear(self) -> Callable[[bytes], None]:
        """One for each report."""
        rest = b""

        def heard(block: bytes) -> None:
            nonlocal rest
            *lines, rest = (rest + block).split(b"\n")
            names = {found[1] for line in lines if (found := _ENDED.match(line))}
            if names:
                self._loop.call_soon_threadsafe(self._add, names)

        return heard

    def _add(self, names: set[bytes]) -> None:
        if names - self._seen:
            self._seen |= names
            self._told(len(self._seen))


def _as_order(name: str, mutant: Mutant, probe: bool) -> dict[str, Any]:
    return {
        "name": name,
        "path": mutant.target.path,
        "start": mutant.start,
        "end": mutant.end,
        "replacement": base64.b64encode(mutant.replacement).decode(),
        "function": mutant.function,
        "function_line": mutant.function_line,
        "probe": probe,
    }


def _safe(test: TestOutcome) -> TestOutcome:
    return replace(
        test, message=show(mask(test.message)[0]), output=show(mask(test.output)[0]), id=show(test.id)
    )
