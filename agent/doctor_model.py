"""What a model does on this machine, as a check of `doctor`; measured only when asked for, as it takes a while."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from agent.backends.connect import connect_ollama
from agent.backends.contract import Contract, Contracts, measure
from agent.backends.hosts import is_this_machine
from agent.backends.recommend import recommended
from agent.doctor import Check
from agent.errors import ModelUnavailable
from agent.machine import measured_machine
from agent.settings import Settings

NAME = "model"


def model_contract(settings: Settings, *, measuring: bool) -> Check:
    """What is known of the model that would answer; `measuring` finds it out and keeps it."""
    if not is_this_machine(httpx.URL(settings.model.base_url).host):
        return Check(NAME, True, "on another machine, which is asked only when a question is", required=False)
    machine = measured_machine()
    suited = recommended(machine)
    try:
        contract = asyncio.run(_contract(settings, machine.memory, measuring=measuring))
    except ModelUnavailable as missing:
        remedy = f"`codewitness setup` prepares one; suited here: {suited.model} ({suited.why})"
        return Check(NAME, False, f"{missing.what}: {missing.cause}", remedy, required=False)
    if contract is None:
        remedy = f"`codewitness doctor --measure` loads it and measures it; suited here: {suited.model} ({suited.why})"
        return Check(NAME, False, "not measured on this machine", remedy, required=False)
    passed = contract.calls != "none" and contract.obeys_schema
    remedy = f"another model may do better; suited here: {suited.model} ({suited.why})"
    return Check(NAME, passed, _told(contract), "" if passed else remedy, required=False)


async def _contract(settings: Settings, memory: int, *, measuring: bool) -> Contract | None:
    contracts = Contracts(Path(settings.data_folder))
    model = await connect_ollama(settings.model, memory)
    try:
        if measuring:
            contracts.keep(await measure(model))
        return contracts.of(model.digest)
    finally:
        await model.aclose()


def _told(contract: Contract) -> str:
    facts = [
        f"{contract.model} loaded in {contract.load_seconds:.1f} s",
        f"window {contract.num_ctx or 'not told'} of {contract.num_ctx_asked}",
        f"tool calls come {contract.calls}" if contract.calls != "none" else "it calls no tool",
        f"several at once: {'yes' if contract.several_calls else 'no'}",
        f"schema {'obeyed' if contract.obeys_schema else 'not obeyed'}",
        f"{contract.read_per_second:g} tokens/s in, {contract.write_per_second:g} out",
    ]
    adapted = f". Adapted: {contract.adaptations}" if contract.adaptations else ""
    return ", ".join(facts) + adapted
