"""From a judge's verdict on a draft to what a person is told of it: reasons, pins, survivors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.drafting.progress import Tell
from agent.drafting.report import Drafting, DroppedTest, Step, Survivor, place_of
from agent.phrases import Phrases
from tools.drafting.draft import Draft
from tools.drafting.judge import Judge
from tools.drafting.judgement import Judgement, JudgeProgress, JudgeStep
from tools.drafting.target import Target
from tools.evidence import TestRun
from tools.show import show_name
from tools.suite import Suite, TestsUnusable
from tools.workspace import Unreadable

_STEPS: dict[JudgeStep, Step] = {JudgeStep.RUN: "run", JudgeStep.MUTANTS: "mutants"}


@dataclass(frozen=True)
class Court:
    """Where drafts for one workspace are judged."""

    judge: Judge
    suite: Suite
    phrases: Phrases

    async def judged(self, draft: Draft, target: Target, tell: Tell) -> Judgement:
        """The verdict. Raises: ConsentRefused, TestsUnusable."""

        def progress(step: JudgeProgress) -> None:
            tell(Drafting(_STEPS[step.step], place_of(target), step.done, step.total))

        try:
            return await self.judge.judge(draft, [target], progress=progress)
        except Unreadable as gone:
            raise TestsUnusable(
                f"`{show_name(gone.path)}` cannot be read any more",
                cause=gone.reason,
                hint="run the command again when the file is back",
            ) from gone

    def dropped(self, judgement: Judgement) -> tuple[DroppedTest, ...]:
        """The tests that are not kept, each with why."""
        by_name: dict[str, dict[str, None]] = {}
        for test in judgement.tests:
            for reason in test.reasons:
                sentence = self.phrases.write(f"draft_why_{reason.why.value}", detail=reason.detail)
                by_name.setdefault(test.name, {})[sentence.removesuffix(": ")] = None
        return tuple(DroppedTest(name, tuple(why)) for name, why in by_name.items())

    def run_of(self, judgement: Judgement, texts: Iterable[str]) -> TestRun:
        """The run as evidence: of the kept tests their ids, and what stands in them."""
        kept = [f"passed: {test.id}" for test in judgement.kept]
        return TestRun(
            command=judgement.command,
            verdict=judgement.plain.verdict,
            duration_seconds=round(judgement.seconds, 3),
            tree_sha256=self.suite.tree_sha256(),
            summary="\n".join([*kept, *texts]),
        )


def kept_names(judgement: Judgement) -> tuple[str, ...]:
    """The test functions of which every case is kept."""
    gone = {test.name for test in judgement.tests if not test.kept}
    return tuple(dict.fromkeys(test.name for test in judgement.tests if test.name not in gone))


def survivors(judgement: Judgement) -> tuple[Survivor, ...]:
    """What the kept tests do not notice."""
    return tuple(
        Survivor(one.target.path, one.line, str(one.before), str(one.after)) for one in judgement.survivors
    )


def kept_cases(judgement: Judgement, name: str, count: int) -> Sequence[bool]:
    """Of a test's cases in their order, which are kept; all alike where they cannot be told apart."""
    cases = [test.kept for test in judgement.tests if test.name == name or test.name.endswith(f"::{name}")]
    return cases if len(cases) == count else [bool(cases) and all(cases)] * count
