"""Reranking: a model scores the candidates of the run's first search, 0 to 10, all in one call by schema.

It can change which candidates are shown and in what order, and nothing else: it chooses among what the search found,
and where it is not asked, fails or cannot be read, the search's own order stands.

The call is a conversation of its own, with a prompt of its own. It is made before the model has read anything of the
main one, which therefore keeps the whole of its prefix in the server's cache; between two turns it would push that
out of a server that has room for one conversation. That is why later searches are never put in order.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

from agent.backends.base import Backend
from agent.budget import Budget
from agent.context import message_tokens
from agent.errors import ModelUnavailable
from agent.fence import fence, new_boundary
from agent.messages import JsonSchema, Message, Turn
from agent.prompts import prompt
from tools.tool import Rankable, ToolResult

BEST = 10
_FEWEST = 3
"""Of fewer candidates all are read at a glance."""
_TURNS_LEFT = 3
_SHARE_LEFT = 0.5
_SHARE_OF_TOKENS = 0.1
"""What the call may cost of the tokens that are left."""
_SHARE_OF_SECONDS = 0.25
"""Of the seconds that are left, loading the model included."""
_TOKENS_A_SCORE = 12


@dataclass(frozen=True, slots=True)
class Reranker:
    """Asks the model of one run about one question."""

    question: str
    backend: Backend
    budget: Budget

    @property
    def model(self) -> str:
        """Who is waited for."""
        return self.backend.info.model or self.backend.info.name

    async def reranked(self, result: Rankable) -> tuple[ToolResult, str]:
        """The result in the order that the model gives it, or as it was; and which of the two in words. No errors."""
        scores = await self._scores(result.candidates)
        if isinstance(scores, str):
            return result, f"not reranked: {scores}"
        told = f"reranked by the model, among {len(scores)} candidates"
        return result.in_order(_order(scores)), told

    async def _scores(self, candidates: Sequence[str]) -> list[int] | str:
        """The score of each candidate, or why there is none."""
        keys = [f"candidate_{number}" for number in range(1, len(candidates) + 1)]
        asked = _asked(keys, self.question, candidates)
        if reason := self._not_worth_it(asked, len(keys)):
            return reason
        seconds = _SHARE_OF_SECONDS * self.budget.seconds_left
        try:
            async with asyncio.timeout(seconds):
                turn = await _answered(self.backend, asked, scores_schema(keys))
        except TimeoutError:
            return f"no scores came within {seconds:.0f} seconds"
        except ModelUnavailable as failure:
            return failure.what
        self.budget.charge(turn)
        return read_scores(turn.content, keys) or "the model's scores could not be read"

    def _not_worth_it(self, asked: Sequence[Message], candidates: int) -> str:
        """Why the model is not even asked, or ""."""
        if candidates < _FEWEST:
            return f"fewer than {_FEWEST} candidates"
        if self.budget.turns_left < _TURNS_LEFT:
            return "too few turns are left"
        if self.budget.share_left() < _SHARE_LEFT:
            return "half of the budget is spent"
        cost = sum(map(message_tokens, asked)) + _TOKENS_A_SCORE * candidates
        return "too few tokens are left" if cost > _SHARE_OF_TOKENS * self.budget.tokens_left else ""


def scores_schema(keys: Sequence[str]) -> JsonSchema:
    """One score for each candidate, in their order."""
    score = {"type": "integer", "minimum": 0, "maximum": BEST}
    return {
        "type": "object",
        "properties": dict.fromkeys(keys, score),
        "required": list(keys),
        "additionalProperties": False,
    }


def read_scores(content: str, keys: Sequence[str]) -> list[int] | None:
    """The score of each key, in order; None unless every one of them, and nothing else, has a whole number in range."""
    first, last = content.find("{"), content.rfind("}")
    try:
        value: object = json.loads(content[first : last + 1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or cast(dict[str, object], value).keys() != set(keys):
        return None
    said = cast(Mapping[str, object], value)
    scores = [score for key in keys if type(score := said[key]) is int and 0 <= score <= BEST]
    return scores if len(scores) == len(keys) else None


def _order(scores: Sequence[int]) -> list[int]:
    """The places of the candidates, best score first; equal scores leave the order as it was."""
    return sorted(range(len(scores)), key=lambda at: -scores[at])


async def _answered(backend: Backend, asked: Sequence[Message], schema: JsonSchema) -> Turn:
    turn = Turn()
    async with aclosing(backend.answer(asked, schema)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Turn):
                turn = piece
    return turn


def _asked(keys: Sequence[str], question: str, candidates: Sequence[str]) -> list[Message]:
    listed = "\n\n".join(f"{key}: {text}" for key, text in zip(keys, candidates, strict=True))
    told = f"Question: {question}\n\n{fence(listed, new_boundary())}"
    return [Message("system", prompt("rerank")), Message("user", told)]
