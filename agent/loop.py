"""One question, from the first search to the verified answer: the file to read first.

A question goes down, evidence comes up, an answer is checked, events go out. The loop prints nothing and knows
no concrete tool: the first search is a call like any other.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from agent.backends.base import Backend
from agent.budget import Budget
from agent.events import Event, ModelWrote, RunStarted, ToolFinished, ToolRefused, ToolStarted, Waiting
from agent.messages import TextDelta, ToolCall, Turn
from agent.prompts import prompt
from agent.testify import Witness
from agent.transcript import Transcript
from tools.errors import ToolError, UserError
from tools.toolbox import Toolbox

FIRST_TOOL = "semantic_search"
MOST_SEARCHED = 1_000
"""Characters of the question that the first search goes by: that tool takes no longer phrasing."""
_MAX_REPEATS = 2
"""The same call is answered once, reminded of once; the third time the search is over."""


async def run(
    transcript: Transcript,
    backend: Backend,
    toolbox: Toolbox,
    budget: Budget,
    witness: Witness,
    first_look_ups: Sequence[ToolCall] = (),
) -> AsyncGenerator[Event, None]:
    """Yield every event of one run; the last is `Answered`.

    `first_look_ups` are made in place of the first search, by a caller that knows better where to look.
    Raises: ModelUnavailable when the model cannot be reached; what was shown until then stays true.
    """
    yield RunStarted(transcript.question, backend.info)
    search = ToolCall("call_0", FIRST_TOOL, {"queries": [transcript.question[:MOST_SEARCHED]]})
    first = tuple(first_look_ups) or (search,)
    transcript.add_turn(Turn(tool_calls=first))
    for call in first:
        transcript.times_asked(call)
        async for event in _use(toolbox, transcript, budget, call):
            yield event
    nudged = False
    while not budget.spent():
        turn = Turn()
        yield Waiting(backend.info.model or backend.info.name)
        async with aclosing(backend.reply(transcript.messages(), toolbox.schemas)) as pieces:
            async for piece in pieces:
                if isinstance(piece, TextDelta):
                    yield ModelWrote(piece.text, piece.thinking)
                else:
                    turn = piece
        transcript.add_turn(turn)
        budget.charge(turn)
        if not turn.tool_calls:
            if turn.content.strip() or nudged:
                break
            nudged = True
            transcript.add_user(prompt("empty"))
        repeats = 0
        for call in turn.tool_calls:
            times = transcript.times_asked(call)
            repeats = max(repeats, times)
            if times > 1:
                yield transcript.add_refusal(call, prompt("repeated"), broken=False)
                continue
            async for event in _use(toolbox, transcript, budget, call):
                yield event
        if repeats > _MAX_REPEATS:
            break
    async with aclosing(witness.give(transcript, backend, budget)) as testimony:
        async for event in testimony:
            yield event


async def _use(
    toolbox: Toolbox, transcript: Transcript, budget: Budget, call: ToolCall
) -> AsyncGenerator[Event, None]:
    yield ToolStarted(call)
    budget.charge_call()
    yield await _outcome(toolbox, transcript, call)


async def _outcome(toolbox: Toolbox, transcript: Transcript, call: ToolCall) -> ToolFinished | ToolRefused:
    started = time.monotonic()
    try:
        result = await toolbox.call(call.name, call.arguments)
    except ToolError as refusal:
        return transcript.add_refusal(call, str(refusal), broken=False)
    except UserError as failure:
        return transcript.add_refusal(call, f"{failure.what}: {failure.cause}", broken=True)
    return transcript.add_result(call, result, time.monotonic() - started)
