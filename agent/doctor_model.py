"""What a model does on this machine, as a check of `doctor`; measured only when asked for, as it takes a while.

Only Ollama loads a model as it is asked to, so that there is something to measure and to adapt to. Of other servers
it is looked whether they answer, and whether the model is there.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from agent.backends import llamacpp
from agent.backends.connect import connect_ollama, connect_openai
from agent.backends.contract import Contract, Contracts, measure
from agent.backends.hosts import is_local_url
from agent.backends.recommend import recommended
from agent.doctor import Check
from agent.errors import ModelUnavailable
from agent.machine import measured_machine
from agent.settings import ModelSettings, Settings

NAME = "model"


def model_contract(settings: Settings, *, measuring: bool) -> Check:
    """What is known of the model that would answer; `measuring` finds it out and keeps it."""
    match settings.model.backend:
        case "extractive":
            return Check(NAME, True, "none is asked: `model.backend` is `extractive`", required=False)
        case "openai":
            return _served(settings.model)
        case "llamacpp":
            return _file(settings.model)
        case "auto" | "ollama":
            return _measured(settings, measuring=measuring)


def _served(model: ModelSettings) -> Check:
    """A model behind an OpenAI-style server."""
    url = model.openai_base_url
    if not is_local_url(url, model.allowed_hosts, setting="model.openai_base_url"):
        return Check(NAME, True, f"{url} is another machine, asked only when a question is", required=False)
    try:
        name, host = asyncio.run(_found(model))
    except ModelUnavailable as missing:
        return Check(NAME, False, f"{missing.what}: {missing.cause}", missing.hint, required=False)
    return Check(NAME, True, f"{name} at {host}", required=False)


async def _found(model: ModelSettings) -> tuple[str, str]:
    backend = await connect_openai(model, os.environ)
    await backend.aclose()
    return backend.info.model, backend.info.host


def _file(model: ModelSettings) -> Check:
    """A model file that is loaded in this process; doctor does not load it."""
    try:
        library, path = llamacpp.requirements(model.name)
    except ModelUnavailable as missing:
        return Check(NAME, False, f"{missing.what}: {missing.cause}", missing.hint, required=False)
    return Check(NAME, True, f"{path} ({path.stat().st_size / 1e9:.1f} GB), for {library}", required=False)


def _measured(settings: Settings, *, measuring: bool) -> Check:
    if not is_local_url(settings.model.base_url, settings.model.allowed_hosts, setting="model.base_url"):
        return Check(NAME, True, "on another machine, which is asked only when a question is", required=False)
    machine = measured_machine()
    suited = recommended(machine)
    try:
        name, contract = asyncio.run(_contract(settings, machine.memory, measuring=measuring))
    except ModelUnavailable as missing:
        remedy = f"`codewitness setup` prepares one; suited here: {suited.model} ({suited.why})"
        return Check(NAME, False, f"{missing.what}: {missing.cause}", remedy, required=False)
    if contract is None:
        remedy = f"`codewitness doctor --measure` loads it and measures it; suited here: {suited.model} ({suited.why})"
        return Check(NAME, False, f"{name}: not measured on this machine", remedy, required=False)
    passed = contract.calls != "none" and contract.obeys_schema
    remedy = f"another model may do better; suited here: {suited.model} ({suited.why})"
    return Check(NAME, passed, _told(contract), "" if passed else remedy, required=False)


async def _contract(settings: Settings, memory: int, *, measuring: bool) -> tuple[str, Contract | None]:
    contracts = Contracts(Path(settings.data_folder))
    model = await connect_ollama(settings.model, memory)
    try:
        if measuring:
            contracts.keep(await measure(model))
        return model.info.model, contracts.of(model.digest)
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
