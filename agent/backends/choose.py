"""Which backend answers: the one that the settings name, or, with `auto`, the best that is there.

`auto` takes an Ollama server that answers and has a local model with tools, else the extractive backend, which
then says why it stands in. A model that the person named is never silently replaced.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from agent.backends.base import Backend
from agent.backends.extractive import Extractive
from agent.errors import ModelUnavailable
from agent.messages import BackendInfo, JsonSchema, Message, Piece
from agent.settings import ModelSettings

STANDS_IN = "stands_in"
"""The key in `BackendInfo.details` under which a backend says that no server is there, so that it answers instead."""
NOT_USED = "not_used"
"""The same where there is a server: why it could not be used."""


async def choose_backend(
    model: ModelSettings,
    *,
    environment: Mapping[str, str] = os.environ,
    memory_bytes: int = 0,
    data_folder: Path | None = None,
) -> Backend:
    """The backend in force, ready to be asked. `memory_bytes` (0: measured) is what a model must fit into.

    In `data_folder` lies what was measured of the models.

    Raises: ModelUnavailable, SettingsInvalid.
    """
    if model.backend == "extractive":
        return Extractive()
    # httpx takes a quarter of a second to import, which other backends and commands need not wait for.
    from agent.backends.connect import connect_llamacpp, connect_ollama, connect_openai
    from agent.backends.contract import Contracts
    from agent.backends.streams import CONNECTION_REFUSED

    contracts = Contracts(data_folder) if data_folder else None

    match model.backend:
        case "openai":
            return await connect_openai(model, environment)
        case "llamacpp":
            return await connect_llamacpp(model)
        case "ollama":
            return await connect_ollama(model, memory_bytes, contracts)
        case "auto":
            try:
                return await connect_ollama(model, memory_bytes, contracts)
            except ModelUnavailable as missing:
                if model.name:
                    raise
                nothing_there = missing.cause == CONNECTION_REFUSED
                why = {STANDS_IN if nothing_there else NOT_USED: f"{missing.what}: {missing.cause}"}
                return StandIn(Extractive(), why)


class StandIn:
    """A backend that answers because another could not, and says why in its `info`."""

    def __init__(self, backend: Backend, why: Mapping[str, str]) -> None:
        self._backend = backend
        self._why = why

    @property
    def info(self) -> BackendInfo:
        """The other's, with the reason among the details."""
        info = self._backend.info
        return replace(info, details={**info.details, **self._why})

    def reply(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> AsyncGenerator[Piece, None]:
        """The other's reply."""
        return self._backend.reply(messages, tools)

    def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        """The other's answer."""
        return self._backend.answer(messages, schema)

    def notice(self, question: str) -> str:
        """The other's notice."""
        return self._backend.notice(question)

    async def aclose(self) -> None:
        """Close the other."""
        await self._backend.aclose()
