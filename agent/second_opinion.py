"""The second opinion (design.md §3): a model is asked, once for all, whether the cited lines support each verified claim.

It sees the claims and their lines alone, not the conversation that led to them. It can only reject what the verifier
let pass, never rescue; where it cannot be had or read, nothing changes.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Literal, TypeAlias, cast

from agent.answer import Claim, CommitCitation, LinesCitation, TestRunCitation
from agent.backends.base import Backend
from agent.budget import Budget, TimeIsUp
from agent.errors import ModelUnavailable
from agent.events import ClaimVerified, Event, Waiting
from agent.fence import fence, new_boundary
from agent.messages import BackendInfo, JsonSchema, Message, Turn
from agent.prompts import prompt

SecondOpinion: TypeAlias = Literal["auto", "on", "off"]
OPPOSED = "a second opinion: the model, asked again, finds that the cited lines do not support it"

_NO = "does not support"
_OPINIONS = ("supports", _NO, "cannot tell")
_MAX_LINES = 60
"""Of one citation: a model that sees less of it can still say that it cannot tell."""
_BUDGET_LEFT = 0.25
"""Share of the budget below which `auto` does without."""
_CAPABLE_BILLIONS = 7.0
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?([bm])(?![a-z0-9])", re.IGNORECASE)


def is_wanted(mode: SecondOpinion, backend: BackendInfo, budget: Budget) -> bool:
    """Whether to ask. `auto`: a model that does not name itself a small one, and budget left."""
    if mode == "off" or backend.name == "extractive":
        return False
    return mode == "on" or (budget.share_left() >= _BUDGET_LEFT and not _is_small(backend.model))


def _is_small(model: str) -> bool:
    """By the size in its name: `qwen3:4b`, `SmolLM2-135M.gguf`."""
    sizes = [
        float(match[1]) * (1 if match[2].lower() == "b" else 0.001)
        for match in _SIZE.finditer(re.sub("[-_:]", " ", model))
    ]
    return bool(sizes) and max(sizes) < _CAPABLE_BILLIONS


async def heard_twice(
    judged: AsyncGenerator[Event, None], backend: Backend, budget: Budget, withdraw: Callable[[Claim], None]
) -> AsyncGenerator[Event, None]:
    """The events of `judged`, each `ClaimVerified` held back until the opinion is there; what it rejects is withdrawn."""
    held_back: list[ClaimVerified] = []
    async for event in judged:
        if isinstance(event, ClaimVerified):
            held_back.append(event)
        else:
            yield event
    if not held_back:
        return
    yield Waiting(backend.info.model or backend.info.name)
    opposed = await opposed_claims([event.claim for event in held_back], backend, budget)
    for event in held_back:
        if event.claim in opposed:
            withdraw(event.claim)
        else:
            yield event


async def opposed_claims(claims: Sequence[Claim], backend: Backend, budget: Budget) -> frozenset[Claim]:
    """Those claims whose lines do not support them, as the model sees it."""
    keys = [f"statement_{number}" for number in range(1, len(claims) + 1)]
    asked = [Message("system", prompt("second_opinion")), Message("user", _statements(keys, claims))]
    turn = Turn()
    try:
        async with aclosing(budget.in_time(backend.answer(asked, opinion_schema(keys)))) as pieces:
            async for piece in pieces:
                if isinstance(piece, Turn):
                    turn = piece
    except (ModelUnavailable, TimeIsUp):
        return frozenset()
    budget.charge(turn)
    opinions = _read(turn.content)
    return frozenset(claim for key, claim in zip(keys, claims, strict=True) if opinions.get(key) == _NO)


def opinion_schema(keys: Sequence[str]) -> JsonSchema:
    """One opinion for each statement, in their order."""
    opinion = {"type": "string", "enum": list(_OPINIONS)}
    return {"type": "object", "properties": dict.fromkeys(keys, opinion), "required": list(keys)}


def _read(content: str) -> dict[str, object]:
    first, last = content.find("{"), content.rfind("}")
    try:
        value = json.loads(content[first : last + 1])
    except (ValueError, RecursionError):
        return {}
    return cast(dict[str, object], value) if isinstance(value, dict) else {}


def _statements(keys: Sequence[str], claims: Sequence[Claim]) -> str:
    return fence("\n\n".join(map(_statement, keys, claims)), new_boundary())


def _statement(key: str, claim: Claim) -> str:
    return "\n".join([f"{key}: {claim.text}", *map(_shown, claim.citations)])


def _shown(citation: LinesCitation | TestRunCitation | CommitCitation) -> str:
    if not isinstance(citation, LinesCitation):
        return f"  {citation.label}" + (
            f": {citation.subject}" if isinstance(citation, CommitCitation) else ""
        )
    lines = citation.text.split("\n")
    cut = [] if len(lines) <= _MAX_LINES else [f"  (and {len(lines) - _MAX_LINES} more lines)"]
    return "\n".join([f"  {citation.label}", *(f"  | {line}" for line in lines[:_MAX_LINES]), *cut])
