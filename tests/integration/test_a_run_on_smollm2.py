"""The standing proof that verification does not depend on the model: the whole loop on the real SmolLM2-135M.

The model runs in the real llama.cpp and answers badly. It must never crash the loop, never make it run past its
budget, and nothing that it says is shown unless independent code finds it in the files. Three questions are asked
here, of which the search finds little to read: reading and writing is what the test's time goes into. Twenty are
asked in `test_twenty_questions_on_smollm2.py`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest
import pytest_asyncio
from support.indexed import build_index
from support.small_codebase import write_codebase
from support.smollm2 import Claiming, claiming, settings
from support.smollm2_runs import Run, hold, runs

from agent.backends.llamacpp import NO_TOOLS
from agent.events import Answered
from agent.session import open_session
from agent.settings import BudgetSettings, IndexSettings, Settings

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def codebase(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_codebase(tmp_path_factory.mktemp("shop"))
    build_index(root, root.parent / f"{root.name}-index")
    return root


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model() -> AsyncIterator[Claiming]:
    """Loaded once, and asked for a larger window than it was trained for."""
    async with claiming(words=64, num_ctx=32_768) as loaded:
        yield loaded


async def test_whatever_the_real_model_claims_only_what_holds_is_shown(
    codebase: Path, model: Claiming
) -> None:
    done = await runs(["Where is VAT_RATE?", "Explain ListenAddress."], model, codebase, max_turns=1)
    hold(done, codebase)
    assert sum(each.claims_checked for each in done) >= 2


async def test_the_windows_real_size_is_what_the_model_was_trained_for(model: Claiming) -> None:
    assert model.info.details["num_ctx"] == "8192"


async def test_a_whole_session_on_a_model_file_needs_no_server(codebase: Path, tmp_path: Path) -> None:
    chosen = Settings(
        model=settings(words=64),
        budget=BudgetSettings(max_turns=1),
        index=IndexSettings(embedder="none", data_folder=str(tmp_path / "data")),
    )
    session = open_session(chosen, codebase)
    try:
        async with aclosing(session.ask("What is the currency?")) as going:
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
