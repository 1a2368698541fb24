"""From settings to a backend that is connected: the one place where the values of the settings are handed out."""

from __future__ import annotations

import math
from collections.abc import Mapping

import httpx
import psutil

from agent.backends import llamacpp
from agent.backends.contract import Contracts
from agent.backends.hosts import allowed_url, is_this_machine
from agent.backends.keys import key_of
from agent.backends.model_choice import choose_model
from agent.backends.ollama import LoadProfile, Ollama
from agent.backends.ollama_models import OllamaServer, not_local
from agent.backends.openai_http import OpenAIHttp, SamplingProfile, api_url, find_model
from agent.backends.streams import ServerConnection, ServerName, Timeouts
from agent.errors import ModelUnavailable
from agent.settings import ModelSettings
from tools.ollama_names import full_name, is_cloud_name, remote_reason

_DOWNLOAD_SILENCE_SECONDS = 120.0


async def connect_ollama(
    model: ModelSettings, memory_bytes: int, contracts: Contracts | None = None
) -> Ollama:
    """The model of an Ollama server that the settings name, else its best, adapted to what was measured of it.

    Raises: ModelUnavailable, SettingsInvalid.
    """
    connection = ollama_connection(model)
    try:
        card = await choose_model(
            OllamaServer(connection), model.name, memory_bytes or psutil.virtual_memory().total
        )
    except BaseException:
        await connection.aclose()
        raise
    contract = contracts.of(card.digest) if contracts else None
    window = contract.window if contract else 0
    profile = LoadProfile(
        num_ctx=min(model.num_ctx, window or model.num_ctx),
        num_batch=model.num_batch,
        num_predict=model.num_predict,
        keep_alive=model.keep_alive,
        think=model.think,
        temperature=model.temperature,
        seed=model.seed,
        one_call_at_a_time=contract is not None and contract.one_call_at_a_time,
    )
    return Ollama(connection, card, profile, contract.adaptations if contract else "")


def ollama_connection(model: ModelSettings, *, downloads: bool = False) -> ServerConnection:
    """To the Ollama server of the settings; nothing is sent yet. A download may take hours, but not stay silent.

    Raises: SettingsInvalid.
    """
    url = allowed_url(model.base_url, model.allowed_hosts, setting="model.base_url")
    name = ServerName(
        str(url), _shown(url), "an Ollama server", "start it with `ollama serve`, or set `model.base_url`"
    )
    silent = _DOWNLOAD_SILENCE_SECONDS
    patient = Timeouts(model.connect_seconds, silent, silent, whole_reply=math.inf)
    return ServerConnection(url, name, patient if downloads else _timeouts(model))


async def connect_openai(model: ModelSettings, environment: Mapping[str, str]) -> OpenAIHttp:
    """A model behind an OpenAI-style server. Raises: ModelUnavailable, SettingsInvalid."""
    url = api_url(allowed_url(model.openai_base_url, model.allowed_hosts, setting="model.openai_base_url"))
    name = ServerName(
        str(url), _shown(url), "an OpenAI-style server", "start it, or set `model.openai_base_url`"
    )
    key = await key_of(model, environment)
    connection = ServerConnection(url, name, _timeouts(model), key)
    try:
        chosen = await find_model(connection, model.name)
        if is_this_machine(url.host):
            await _refuse_cloud(url, name, chosen.name)
    except BaseException:
        await connection.aclose()
        raise
    return OpenAIHttp(connection, chosen.name, _sampling(model).within(chosen.window))


async def _refuse_cloud(url: httpx.URL, name: ServerName, model: str) -> None:
    """An Ollama server forwards to its cloud in OpenAI's way as well, where only its own list tells.

    Raises: ModelUnavailable.
    """
    if is_cloud_name(model):
        raise not_local(model, remote_reason(model, {}))
    server = ServerConnection(url.copy_with(path="/"), name, Timeouts())
    try:
        listed = await OllamaServer(server).installed()
    except ModelUnavailable:
        return  # it is no Ollama server
    finally:
        await server.aclose()
    for one in listed:
        if one.remote and full_name(one.name) == full_name(model):
            raise not_local(model, one.remote)


async def connect_llamacpp(model: ModelSettings) -> llamacpp.LlamaCpp:
    """A model file that the settings name, loaded in this process. Raises: ModelUnavailable."""
    engine = llamacpp.EngineProfile(model.num_ctx, model.num_batch, model.threads)
    return await llamacpp.load(model.name, engine, _sampling(model), _timeouts(model))


def _sampling(model: ModelSettings) -> SamplingProfile:
    return SamplingProfile(model.num_ctx, model.num_predict, model.temperature, model.seed)


def _timeouts(model: ModelSettings) -> Timeouts:
    return Timeouts(
        connect=model.connect_seconds,
        first_token=model.first_token_seconds,
        between_tokens=model.between_tokens_seconds,
        whole_reply=model.whole_reply_seconds,
    )


def _shown(url: httpx.URL) -> str:
    return f"{url.host}:{url.port}" if url.port else url.host
