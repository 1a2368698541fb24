"""Runs of the whole loop on the real SmolLM2-135M, and what must hold for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from support.independent_check import problems
from support.indexed import indexed
from support.smollm2 import Claiming

from agent.answer import Answer, IndexState
from agent.budget import Budget
from agent.events import Answered, ClaimVerified, Event
from agent.loop import run
from agent.testify import Witness
from agent.transcript import Transcript

ANSWER_AGAIN_AND_REPAIR = 3
"""What the loop may ask for beyond its turns."""


@dataclass(frozen=True)
class Run:
    """One question, and all that was said of it."""

    answer: Answer
    events: list[Event]

    @property
    def claims_checked(self) -> int:
        """Those that were shown, and those that were withheld."""
        withheld = [entry for entry in self.answer.withheld if entry.text]
        return self.claims_shown + len(withheld)

    @property
    def claims_shown(self) -> int:
        return len(self.answer.observed) + len(self.answer.recommendations)


async def runs(
    questions: Sequence[str], backend: Claiming, root: Path, *, max_turns: int, max_tokens: int = 200_000
) -> list[Run]:
    """Every question by itself, within its budget."""
    done: list[Run] = []
    with indexed(root, root.parent / f"{root.name}-index") as here:
        witness = Witness(here.workspace, lambda: IndexState(9, 21, 0.0, 0))
        for question in questions:
            budget = Budget(max_turns=max_turns, max_tokens=max_tokens)
            async with aclosing(run(Transcript(question), backend, here.toolbox, budget, witness)) as going:
                events = [event async for event in going]
            assert isinstance(events[-1], Answered)
            assert budget.turns <= max_turns + ANSWER_AGAIN_AND_REPAIR
            assert budget.tokens_left > 0
            done.append(Run(events[-1].answer, events))
    return done


def hold(done: Sequence[Run], root: Path) -> None:
    """Nothing that was shown, in the end or on the way, is wrong."""
    for each in done:
        assert problems(each.answer, each.events, root) == []
        shown = [event.claim for event in each.events if isinstance(event, ClaimVerified)]
        assert {claim.text for claim in shown} == {
            claim.text for claim in (*each.answer.observed, *each.answer.recommendations)
        }
