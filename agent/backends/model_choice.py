"""Which installed model answers, when the person named none.

The order, the best first:
1. models that fit into this machine's memory, before those that do not;
2. models of 3 billion parameters and more, before smaller ones, which seldom manage several tools;
3. by family: Qwen 3.5 and later, Qwen3-Coder, other Qwen 3, then everything else;
4. the larger of two that fit, the smaller of two that do not; then by name, so that the choice is stable.
Only local models with tool capability count. Their cards decide on that: the server's list is a summary, which does
not know what a model's own template can do. A model that the person named is taken as it is, or refused with the reason.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace

from agent.backends.ollama_models import InstalledModel, ModelCard, OllamaServer, not_installed, not_local
from agent.errors import ModelUnavailable
from tools.ollama_names import full_name

_WORKING_MEMORY = 3 * 1024**3
"""Beside its file a model needs room for its window and for the system."""
_SMALL_PARAMETERS, _SMALL_BYTES = 3.0, 2 * 10**9
_FAMILIES = (
    re.compile(r"qwen(?:3\.[5-9]|3\.\d\d|[4-9])"),
    re.compile(r"qwen3-coder"),
    re.compile(r"qwen3"),
)


async def choose_model(server: OllamaServer, wanted: str, memory_bytes: int) -> ModelCard:
    """The card of the model that answers: the one that is `wanted`, else the best installed.

    Raises: ModelUnavailable, which names the models that can.
    """
    installed = await server.installed()
    if wanted:
        return await _named(server, wanted, installed, memory_bytes)
    async with aclosing(able(server, installed, memory_bytes)) as cards:
        async for card in cards:
            return card
    await server.new_enough()  # an old one has models, and does not know what they can do
    raise ModelUnavailable(
        "no installed model can answer",
        cause=_why_none(installed),
        hint="`ollama pull qwen3.5:4b` installs one that can; `--backend extractive` answers without a model",
    )


async def able(
    server: OllamaServer, installed: Sequence[InstalledModel], memory_bytes: int
) -> AsyncGenerator[ModelCard, None]:
    """The cards of the local models that can call tools, the best first. Raises: ModelUnavailable."""
    for model in ranked(installed, memory_bytes):
        card = replace(await server.card(model.name), digest=model.digest)
        if "tools" in card.capabilities and not card.remote:
            yield card


def ranked(installed: Sequence[InstalledModel], memory_bytes: int) -> list[InstalledModel]:
    """The local models that may be able to call tools, the best first."""
    usable = [model for model in installed if not model.remote and _may_chat(model.capabilities)]

    def order(model: InstalledModel) -> tuple[bool, bool, int, int, str]:
        too_large = model.size + _WORKING_MEMORY > memory_bytes
        return (
            too_large,
            _is_small(model),
            _family(model.name),
            model.size if too_large else -model.size,
            model.name,
        )

    return sorted(usable, key=order)


def _may_chat(listed: Sequence[str] | None) -> bool:
    return listed is None or "completion" in listed or "tools" in listed


def _is_small(model: InstalledModel) -> bool:
    return model.parameters < _SMALL_PARAMETERS if model.parameters else model.size < _SMALL_BYTES


def _family(name: str) -> int:
    base = name.rpartition("/")[2].lower()
    return next((rank for rank, family in enumerate(_FAMILIES) if family.match(base)), len(_FAMILIES))


async def _named(
    server: OllamaServer, wanted: str, installed: Sequence[InstalledModel], memory_bytes: int
) -> ModelCard:
    listed = next((model for model in installed if full_name(model.name) == full_name(wanted)), None)
    if listed is None:
        raise not_installed(wanted, f"the server has {_names(installed)}")
    if listed.remote:
        raise not_local(listed.name, listed.remote)
    card = replace(await server.card(listed.name), digest=listed.digest)
    if card.remote:
        raise not_local(listed.name, card.remote)
    if "tools" not in card.capabilities:
        await server.new_enough()
        async with aclosing(able(server, installed, memory_bytes)) as cards:
            names = [f"`{card.name}`" async for card in cards]
        raise ModelUnavailable(
            f"the model `{listed.name}` cannot call tools",
            cause=f"its capabilities are {', '.join(card.capabilities) or 'not told'}",
            hint=f"installed models that can: {', '.join(names)}"
            if names
            else "`ollama pull qwen3.5:4b` installs one that can",
        )
    return card


def _names(models: Sequence[InstalledModel]) -> str:
    return ", ".join(f"`{model.name}`" for model in models) or "no model"


def _why_none(installed: Sequence[InstalledModel]) -> str:
    if not installed:
        return "the server has no model"
    reasons = [f"`{model.name}`: {model.remote or 'it cannot call tools'}" for model in installed]
    return "; ".join(reasons)
