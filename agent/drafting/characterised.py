"""One characterised function, run as a test file and judged: the cases that are kept, and the report of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.answer import Claim
from agent.drafting.account import Account, coded
from agent.drafting.by_rules import Characteriser
from agent.drafting.contract import Contract
from agent.drafting.judged import Court, kept_cases, kept_names, survivors
from agent.drafting.outcomes import Outcome
from agent.drafting.progress import Tell
from agent.drafting.python_style import PythonStyle
from agent.drafting.python_tests import FunctionCases, WrittenTest, write_tests
from agent.drafting.report import Drafting, TargetReport, place_of
from agent.drafting.surroundings import Surroundings
from tools.drafting.draft import Draft
from tools.drafting.judgement import Judgement
from tools.drafting.target import Target
from tools.evidence import TestRun

_MOST_TOLD = 4
"""Calls that are told of one test."""


@dataclass(frozen=True)
class RuleDraft:
    """One target."""

    report: TargetReport
    cases: FunctionCases | None = None
    command: str = ""
    isolation: str = ""


@dataclass(frozen=True)
class RuleDrafts:
    """Drafts without a model."""

    characteriser: Characteriser
    court: Court
    account: Account

    async def draft(self, target: Target, contract: Contract, around: Surroundings, tell: Tell) -> RuleDraft:
        """Characterise, write, judge. Raises: ConsentRefused, TestsUnusable."""
        report = TargetReport(target, "nothing", contract.claims)
        tell(Drafting("observe", place_of(target)))
        seen = await self.characteriser.characterise(target, contract, around.place.path)
        report = replace(report, untested=seen.untested)
        if seen.cases is None:
            return RuleDraft(report)
        tell(Drafting("write", place_of(target)))
        cases, judgement = seen.cases, await self._judged(seen.cases, target, around, tell)
        fewer = _kept(cases, judgement, around.style)
        if fewer is not None and len(fewer.outcomes) < len(
            cases.outcomes
        ):  # a case that is not kept takes its whole table with it
            cases, judgement = fewer, await self._judged(fewer, target, around, tell)
        return await self._told(report, cases, judgement, contract, around)

    async def _judged(
        self, cases: FunctionCases, target: Target, around: Surroundings, tell: Tell
    ) -> Judgement:
        text, _ = write_tests([cases], around.style)
        return await self.court.judged(Draft(around.place.path, text), target, tell)

    async def _told(
        self,
        report: TargetReport,
        cases: FunctionCases,
        judgement: Judgement,
        contract: Contract,
        around: Surroundings,
    ) -> RuleDraft:
        names = {name.rpartition("::")[2] for name in kept_names(judgement)}
        text, tests = write_tests([cases], around.style)
        kept = [test for test in tests if test.name in names]
        command, isolation = judgement.command, judgement.sandbox.name
        report = replace(report, dropped=self.court.dropped(judgement))
        if not kept:
            dropped = self.account.phrases.write("draft_untested_dropped")
            return RuleDraft(replace(report, untested=(dropped, *report.untested)), None, command, isolation)
        run = self.court.run_of(judgement, [text])
        report = replace(
            report,
            outcome="kept",
            characterisation=True,
            pins=tuple(self._pins(kept, run, contract)),
            killed=judgement.killed,
            total=judgement.total,
            survivors=survivors(judgement),
        )
        outcomes = tuple(one for test in kept for one in test.outcomes)
        return RuleDraft(report, replace(cases, outcomes=outcomes), command, isolation)

    def _pins(self, kept: Sequence[WrittenTest], run: TestRun, contract: Contract) -> list[Claim]:
        found: list[Claim | None] = []
        for test in kept:
            told = [self._told_call(one, test.function) for one in test.outcomes[:_MOST_TOLD]]
            calls = self.account.phrases.joined(told)
            if len(test.outcomes) > _MOST_TOLD:
                calls = self.account.phrases.write("draft_pin_more", calls=", ".join(told))
            evidence = replace(run, summary=f"{run.summary}\n{calls}")
            found.append(
                self.account.claim(
                    "draft_pins",
                    [contract.definition, evidence],
                    test=coded(test.name),
                    name=coded(test.function.name.rpartition(".")[2]),
                    calls=calls,
                )
            )
        return [one for one in found if one is not None]

    def _told_call(self, one: Outcome, function: FunctionCases) -> str:
        phrase = "draft_pin_error" if one.raises else "draft_pin_value"
        return self.account.phrases.write(
            phrase, call=coded(one.call.written(function.name)), value=coded(one.told)
        )


def _kept(cases: FunctionCases, judgement: Judgement, style: PythonStyle) -> FunctionCases | None:
    """The cases that are kept, each for itself; None where none is."""
    _, tests = write_tests([cases], style)
    outcomes = [
        one
        for test in tests
        for one, kept in zip(test.outcomes, kept_cases(judgement, test.name, len(test.outcomes)), strict=True)
        if kept
    ]
    return replace(cases, outcomes=tuple(outcomes)) if outcomes else None
