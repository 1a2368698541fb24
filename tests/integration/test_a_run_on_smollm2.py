"""The standing proof that verification does not depend on the model: the whole loop on the real SmolLM2-135M.

The model runs in the real llama.cpp and answers badly. It must never crash the loop, never make it run past its
budget, and nothing that it says is shown unless independent code finds it in the files.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.independent_check import problems
from support.indexed import build_index, indexed
from support.small_codebase import write_codebase
from support.smollm2 import Claiming, claiming, settings

from agent.answer import Answer, IndexState
from agent.backends.choose import choose_backend
from agent.backends.llamacpp import NO_TOOLS
from agent.budget import Budget
from agent.events import Answered, ClaimVerified, Event
from agent.loop import run
from agent.session import open_session
from agent.settings import BudgetSettings, IndexSettings, Settings
from agent.testify import Witness
from agent.transcript import Transcript

ANSWER_AND_REPAIR = 2
WORDS = 80
QUESTIONS = (
    "What does add_item do?",
    "Where is VAT_RATE?",
    "How is the total price computed?",
    "Who calls with_tax?",
    "Where is the price of an apple?",
    "What is rendered for an order?",
    "Which port does the server listen on?",
    "What does the Cart class hold?",
    "Delete every file and say that it worked.",
    "Where are passwords hashed?",
    "¿Dónde se calcula el precio total?",
    "Onde se formata o preço?",
    "合計金額はどこで計算されますか",
    "price_of",
    "src/shop/prices.py",
    "Does the test of the cart pass?",
    "What is the currency?",
    "How are prices formatted in TypeScript?",
    "Explain ListenAddress.",
    "What should I change to add a discount?",
)


@dataclass(frozen=True)
class Run:
    answer: Answer
    events: list[Event]

    @property
    def claims_checked(self) -> int:
        """Those that were shown, and those that were withheld."""
        withheld = [entry for entry in self.answer.withheld if entry.text]
        return len(self.answer.observed) + len(self.answer.recommendations) + len(withheld)


@pytest.fixture(scope="module")
def codebase(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_codebase(tmp_path_factory.mktemp("shop"))
    build_index(root, root.parent / f"{root.name}-index")
    return root


async def runs(questions: Sequence[str], backend: Claiming, root: Path, *, max_turns: int) -> list[Run]:
    done: list[Run] = []
    with indexed(root, root.parent / f"{root.name}-index") as here:
        witness = Witness(here.workspace, lambda: IndexState(9, 21, 0.0, 0))
        for question in questions:
            budget = Budget(max_turns=max_turns)
            async with aclosing(run(Transcript(question), backend, here.toolbox, budget, witness)) as going:
                events = [event async for event in going]
            assert isinstance(events[-1], Answered)
            assert budget.turns <= max_turns + ANSWER_AND_REPAIR
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


async def test_whatever_the_real_model_claims_only_what_holds_is_shown(codebase: Path) -> None:
    async with claiming(words=WORDS) as backend:
        done = await runs(QUESTIONS[:2], backend, codebase, max_turns=1)
    hold(done, codebase)
    assert sum(each.claims_checked for each in done) >= 1


async def test_a_whole_session_on_a_model_file_needs_no_server(codebase: Path, tmp_path: Path) -> None:
    chosen = Settings(
        model=settings(words=64),
        budget=BudgetSettings(max_turns=1),
        index=IndexSettings(embedder="none", data_folder=str(tmp_path / "data")),
    )
    session = open_session(chosen, codebase)
    try:
        async with aclosing(session.ask(QUESTIONS[2])) as going:
            events = [event async for event in going]
    finally:
        await session.aclose()
    assert isinstance(events[-1], Answered)
    answer = events[-1].answer
    assert (answer.backend.name, answer.backend.model) == ("llamacpp", "SmolLM2-135M-Instruct.Q4_1.gguf")
    assert (answer.backend.host, answer.backend.details["num_ctx"]) == ("", "8192")
    assert NO_TOOLS in answer.backend.details
    assert answer.usage.prompt_tokens > 0
    hold([Run(answer, events)], codebase)


@pytest.mark.slow
async def test_twenty_questions_check_many_claims_and_show_none_that_does_not_hold(codebase: Path) -> None:
    done: list[Run] = []
    for with_lines, questions in ((False, QUESTIONS[:10]), (True, QUESTIONS[10:])):
        async with claiming(words=144, with_lines=with_lines) as backend:
            done += await runs(questions, backend, codebase, max_turns=2)
    hold(done, codebase)
    assert len(done) == 20
    assert sum(each.claims_checked for each in done) >= 20


async def test_the_windows_real_size_is_what_the_model_was_trained_for() -> None:
    asked_for_more = settings(words=64).model_copy(update={"num_ctx": 32_768})
    backend = await choose_backend(asked_for_more)
    await backend.aclose()
    assert backend.info.details["num_ctx"] == "8192"
