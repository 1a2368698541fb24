"""From settings to a backend that is connected: the one place where the values of the settings are handed out."""

from __future__ import annotations

import math
from collections.abc import Mapping

import httpx
import psutil

from agent.backends import llamacpp
from agent.backends.contract import Contracts
from agent.backends.hosts import allowed_url
from agent.backends.model_choice import choose_model
from agent.backends.ollama import LoadProfile, Ollama
from agent.backends.ollama_models import OllamaServer
from agent.backends.openai_http import OpenAIHttp, SamplingProfile, api_url, find_model
from agent.backends.streams import ServerConnection, ServerName, Timeouts
from agent.errors import ModelUnavailable, SettingsInvalid
from agent.settings import ModelSettings

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
    connection = ServerConnection(url, name, _timeouts(model), _key(model, environment))
    try:
        chosen = await find_model(connection, model.name)
    except BaseException:
        await connection.aclose()
        raise
    return OpenAIHttp(connection, chosen, _sampling(model))


async def connect_llamacpp(model: ModelSettings) -> llamacpp.LlamaCpp:
    """A model file that the settings name, loaded in this process. Raises: ModelUnavailable."""
    if not model.name:
        raise ModelUnavailable(
            "no model file is named",
            cause="the backend `llamacpp` loads one itself",
            hint="name a GGUF file: `--model PATH.gguf`",
        )
    engine = llamacpp.EngineProfile(model.num_ctx, model.num_batch, model.threads)
    return await llamacpp.load(model.name, engine, _sampling(model), _timeouts(model))


def _sampling(model: ModelSettings) -> SamplingProfile:
    return SamplingProfile(model.num_ctx, model.num_predict, model.temperature, model.seed)


def _key(model: ModelSettings, environment: Mapping[str, str]) -> str:
    variable = model.openai_key_variable
    if not variable:
        return ""
    key = environment.get(variable, "").strip()
    if not key or not key.isascii() or not key.isprintable():
        raise SettingsInvalid(
            "there is no key for the model server",
            cause=f"the environment variable `{variable}` is {'not usable as a key' if key else 'not set'}",
            hint=f"set `{variable}`, or take `model.openai_key_variable` out of the settings",
        )
    return key


def _timeouts(model: ModelSettings) -> Timeouts:
    return Timeouts(
        connect=model.connect_seconds,
        first_token=model.first_token_seconds,
        between_tokens=model.between_tokens_seconds,
        whole_reply=model.whole_reply_seconds,
    )


def _shown(url: httpx.URL) -> str:
    return f"{url.host}:{url.port}" if url.port else url.host
