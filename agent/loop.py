"""One question, from the first search to the verified answer: the file to read first.

A question goes down, evidence comes up, an answer is checked, events go out. The loop prints nothing and knows
no concrete tool: the first search is a call like any other.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Protocol

from agent.backends.base import Backend
from agent.budget import Budget, TimeIsUp
from agent.events import Event, ModelWrote, RunStarted, ToolStarted, Waiting
from agent.messages import TextDelta, ToolCall, Turn
from agent.prompts import prompt
from agent.reranking import Reranker
from agent.transcript import Transcript
from tools.errors import ToolError, UserError
from tools.tool import Rankable
from tools.toolbox import Toolbox

FIRST_TOOL = "semantic_search"
MOST_SEARCHED = 1_000
"""Characters of the question that the first search goes by: that tool takes no longer phrasing."""
_MOST_CALLS_A_TURN = 8
"""More are refused: a model that runs away inside one turn is not stopped by the budget for turns."""
_MAX_REPEATS = 2
"""The same call is answered once, reminded of once; the third time the search is over."""


class Ending(Protocol):
    """What is made of everything that was looked up: an answer (`testify.Witness`), or a draft of tests."""

    def give(self, transcript: Transcript, backend: Backend, budget: Budget) -> AsyncGenerator[Event, None]:
        """The last events of a run. Raises: ModelUnavailable."""
        ...


async def run(
    transcript: Transcript,
    backend: Backend,
    toolbox: Toolbox,
    budget: Budget,
    witness: Ending,
    first_look_ups: Sequence[ToolCall] = (),
    *,
    rerank: bool = False,
) -> AsyncGenerator[Event, None]:
    """Yield every event of one run; the last ones are those of its end: of a `Witness` the last is `Answered`.

    `first_look_ups` are made in place of the first search, by a caller that knows better where to look; `rerank`: the
    model puts what the first search found in order before it reads anything.
    Raises: ModelUnavailable when the model cannot be reached; what was shown until then stays true.
    """
    yield RunStarted(transcript.question, backend.info)
    search = ToolCall("call_0", FIRST_TOOL, {"queries": [transcript.question[:MOST_SEARCHED]]})
    first = tuple(first_look_ups) or (search,)
    transcript.add_turn(Turn(tool_calls=first))
    reranker = Reranker(transcript.question, backend, budget) if rerank and not first_look_ups else None
    for call in first:
        transcript.times_asked(call)
        async for event in _use(toolbox, transcript, budget, call, reranker):
            yield event
    nudged = False
    while not budget.spent():
        turn = Turn()
        yield Waiting(backend.info.model or backend.info.name)
        try:
            async with aclosing(
                budget.in_time(backend.reply(transcript.messages(), toolbox.schemas))
            ) as pieces:
                async for piece in pieces:
                    if isinstance(piece, TextDelta):
                        yield ModelWrote(piece.text, piece.thinking)
                    else:
                        turn = piece
        except TimeIsUp:
            break
        transcript.add_turn(turn)
        budget.charge(turn)
        if not turn.tool_calls:
            if turn.content.strip() or nudged:
                break
            nudged = True
            transcript.add_user(prompt("empty"))
        repeats = 0
        for call in turn.tool_calls[:_MOST_CALLS_A_TURN]:
            if not budget.seconds_left:
                yield transcript.add_refusal(call, prompt("no_time"), broken=False)
                continue
            times = transcript.times_asked(call, turn.left_out)
            repeats = max(repeats, times)
            if times > 1:
                yield transcript.add_refusal(call, prompt("repeated"), broken=False)
                continue
            async for event in _use(toolbox, transcript, budget, call):
                yield event
        for call in turn.tool_calls[_MOST_CALLS_A_TURN:]:
            yield transcript.add_refusal(call, prompt("too_many"), broken=False)
        if repeats > _MAX_REPEATS:
            break
    async with aclosing(witness.give(transcript, backend, budget)) as testimony:
        async for event in testimony:
            yield event


async def _use(
    toolbox: Toolbox, transcript: Transcript, budget: Budget, call: ToolCall, reranker: Reranker | None = None
) -> AsyncGenerator[Event, None]:
    """Make one call; the last event is `ToolFinished` or `ToolRefused`."""
    yield ToolStarted(call)
    budget.charge_call()
    started, told = time.monotonic(), ""
    try:
        result = await toolbox.call(call.name, call.arguments)
    except ToolError as refusal:
        yield transcript.add_refusal(call, str(refusal), broken=False)
        return
    except UserError as failure:
        yield transcript.add_refusal(call, f"{failure.what}: {failure.cause}", broken=True)
        return
    seconds = time.monotonic() - started
    if reranker is not None and isinstance(result, Rankable):
        yield Waiting(reranker.model)
        result, told = await reranker.reranked(result)
    yield transcript.add_result(call, result, seconds, told)
