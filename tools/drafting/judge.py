"""Judges a draft of tests: what runs of it prove, and nothing that a model says.

A test is kept when it is collected and passes; passes again, in other orders, alone, at another time, in another time
zone and with another home; reaches for no network, no home and no file of the tree; asserts something other than the
implementation itself; calls the target, and fails with at least one mutant of it. Everything runs in the sandbox, on
the person's consent to running tests; the workspace is never written to.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tools.drafting.case import Case
from tools.drafting.draft import Draft
from tools.drafting.judgement import Judgement, JudgeProgress, JudgeStep
from tools.drafting.target import Target
from tools.drafting.trials import CannotJudge, Listener, Trials, first_trial, mutant_trials
from tools.drafting.verdicts import FirstLook
from tools.runners.pytest_trial import Round
from tools.show import show_name
from tools.suite import Suite
from tools.workspace import MAX_READ_BYTES, Workspace

_WORTH_A_START_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How much may be spent on one draft."""

    seconds: float = 120.0
    round_seconds: float = 30.0
    """For one run of its tests."""
    mutants: int = 24
    """Of each target."""


def _refuse_packages(trials: Trials, targets: Sequence[Target]) -> None:
    """Installed packages are shared with the sandbox, and never changed."""
    for target in targets:
        if any(target.path.startswith(f"{folder}/") for folder in trials.prepared.seen.dependencies):
            raise CannotJudge(
                "the draft cannot be judged",
                cause=f"`{show_name(target.path)}` belongs to an installed package",
                hint="name a function of the project",
            )


def _unheard(_progress: JudgeProgress) -> None:
    """Nobody wants to know."""


class Judge:
    """Judges drafts for one workspace."""

    def __init__(self, workspace: Workspace, suite: Suite, options: JudgeOptions | None = None) -> None:
        self._workspace = workspace
        self._suite = suite
        self._options = options or JudgeOptions()

    async def judge(
        self,
        draft: Draft,
        targets: Sequence[Target],
        *,
        progress: Callable[[JudgeProgress], None] = _unheard,
    ) -> Judgement:
        """Judge a draft of tests for these targets.

        Raises: ConsentRefused; TestsUnusable; CannotJudge; Unreadable, where a target's file is gone.
        """
        started = time.monotonic()
        deadline = started + self._options.seconds
        sources = {path: self._read(path) for path in dict.fromkeys(one.path for one in targets)}
        trials = await Trials.opened(self._workspace, self._suite, draft.path)
        _refuse_packages(trials, targets)
        before = self._suite.tree_sha256()
        progress(JudgeProgress(JudgeStep.RUN, 0, 1))
        first, rounds = await trials.run(
            first_trial(draft, self._options.round_seconds), self._options.seconds
        )
        progress(JudgeProgress(JudgeStep.RUN, 1, 1))
        case = Case(draft, targets, sources, FirstLook(rounds), self._options.mutants)
        if candidates := case.candidates:
            case.tried = await self._try_mutants(trials, case, candidates, deadline, progress)
        return Judgement(
            tests=tuple(case.judged()),
            mutants=tuple(case.fates()),
            plain=case.plain(first.ended.reason),
            command=" ".join(first.plan.shown),
            sandbox=trials.prepared.sandbox,
            seconds=time.monotonic() - started,
            cpu_seconds=sum(one["trial"].cpu_seconds for one in (rounds, *case.tried) if "trial" in one),
            notes=(*first.ended.notes, *self._suite.changes_since(before)),
        )

    async def _try_mutants(
        self,
        trials: Trials,
        case: Case,
        candidates: Sequence[str],
        deadline: float,
        progress: Callable[[JudgeProgress], None],
    ) -> list[Mapping[str, Round]]:
        named = case.named_changes()
        total = len(named)
        progress(JudgeProgress(JudgeStep.MUTANTS, 0, total))
        listener = Listener(lambda done: progress(JudgeProgress(JudgeStep.MUTANTS, done, total)))
        # A second start takes longer than many a round: it is worth it where rounds are slow.
        starts = 2 if case.first.plain.cpu_seconds * total > _WORTH_A_START_SECONDS else 1
        planned = mutant_trials(
            case.draft,
            candidates,
            list(named.items()),
            list(case.probes),
            self._options.round_seconds,
            starts,
        )
        left = max(deadline - time.monotonic(), 1.0)
        running = [asyncio.ensure_future(trials.run(one, left, listener.ear())) for one in planned]
        try:
            return [rounds for _, rounds in await asyncio.gather(*running)]
        finally:
            for one in running:
                one.cancel()
            await asyncio.wait(running)

    def _read(self, path: str) -> bytes:
        return self._workspace.read_bytes(path, max_bytes=MAX_READ_BYTES)
