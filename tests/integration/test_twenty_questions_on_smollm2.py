"""The long form of `test_a_run_on_smollm2.py`: twenty questions, and at least twenty claims that were checked.

Half of the answers cite whole pieces of evidence, half cite lines of them, which the model mostly invents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.indexed import build_index
from support.small_codebase import write_codebase
from support.smollm2 import claiming
from support.smollm2_runs import Run, hold, runs

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
TURNS = 2
TOKENS_OF_ONE_RUN = 12_000
CLAIMS_AT_LEAST = 20


@pytest.mark.slow
@pytest.mark.parametrize("with_lines", [False, True], ids=["whole evidence", "invented lines"])
async def test_twenty_questions_check_many_claims_and_show_none_that_does_not_hold(
    with_lines: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    codebase = write_codebase(tmp_path / "shop")
    build_index(codebase, codebase.parent / f"{codebase.name}-index")
    questions = QUESTIONS[1::2] if with_lines else QUESTIONS[::2]
    async with claiming(words=96) as model:
        asked = model.citing(1, with_lines=with_lines)
        done = await runs(questions, asked, codebase, max_turns=TURNS, max_tokens=TOKENS_OF_ONE_RUN)
    hold(done, codebase)
    with capsys.disabled():
        print(f"\n{told(done)}")
    assert 2 * len(done) == 20
    checked, shown = sum(run.claims_checked for run in done), sum(run.claims_shown for run in done)
    assert 2 * checked >= CLAIMS_AT_LEAST
    assert shown < checked


def told(done: Sequence[Run]) -> str:
    """The figures, for whoever waited for them."""
    statuses = Counter(run.answer.status for run in done)
    checked, shown = sum(run.claims_checked for run in done), sum(run.claims_shown for run in done)
    usage = [run.answer.usage for run in done]
    return (
        f"{len(done)} questions: {checked} claims checked, {shown} shown; {dict(statuses)};"
        f" {sum(one.model_turns for one in usage)} replies, {sum(one.prompt_tokens for one in usage)} tokens read,"
        f" {sum(one.output_tokens for one in usage)} written"
    )
