"""The models of an Ollama server: which are installed, what they can do, and whether they really run on it.

The official package serves where it loses nothing we need (the running models). It drops `remote_host`,
`remote_model`, names and capabilities, has no call for the version or the cloud status, and would add a key
from the environment to every request: installed models and their cards are read over our own connection.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib import import_module
from typing import Any, cast

import httpx

from agent.backends.streams import ServerConnection, ServerSaid
from agent.errors import ModelUnavailable
from tools.ollama_names import is_cloud_name, remote_reason

OLDEST_OLLAMA = (0, 9, 0)
"""The first that streams tool calls and knows `think`."""
_PROBE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """One entry of the server's list."""

    name: str
    size: int = 0
    """Bytes on disk."""
    capabilities: tuple[str, ...] | None = None
    """None where the server is too old to say; its card then does."""
    parameters: float = 0.0
    """In billions; 0 when not told."""
    remote: str = ""
    """Why the model is not local ("it runs on `https://…`"), else ""."""
    digest: str = ""
    """Of its manifest: another one is another model, whatever its name."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What one model can do."""

    name: str
    capabilities: tuple[str, ...]
    trained_context: int
    """Tokens; 0 when not told."""
    remote: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class RunningModel:
    """A model that is loaded now."""

    name: str
    context: int
    """The real window; 0 when not told."""
    size: int
    size_on_gpu: int


class OllamaServer:
    """Questions to a server about its models. Nothing here sends it any of the person's text."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection

    async def version(self) -> str:
        """Raises: ModelUnavailable when no Ollama server answers."""
        reply = await self._get("/api/version")
        return str(reply.get("version", ""))

    async def new_enough(self) -> str:
        """The version of a server that can do what is asked of it; a build without a number is taken for new.

        Raises: ModelUnavailable.
        """
        version = await self.version()
        numbers = tuple(map(int, re.findall(r"\d+", version)[:3]))
        if (0, 0, 0) < numbers < OLDEST_OLLAMA:
            raise ModelUnavailable(
                f"the Ollama server at `{self._connection.name.url}` is too old",
                cause=f"it is version {version}; {'.'.join(map(str, OLDEST_OLLAMA))} is the first that works",
                hint="update Ollama and restart it; `--backend extractive` answers meanwhile",
            )
        return version

    async def cloud_disabled(self) -> bool | None:
        """Whether the server is kept from asking a cloud; None where it is too old to say."""
        try:
            reply = await self._connection.json("GET", "/api/status", seconds=_PROBE_SECONDS)
        except ServerSaid:
            return None
        cloud: object = reply.get("cloud")
        return cast(dict[str, Any], cloud).get("disabled") is True if isinstance(cloud, dict) else None

    async def installed(self) -> list[InstalledModel]:
        """Every model in the server's list, local or not."""
        reply = await self._get("/api/tags")
        return [_installed(entry) for entry in _entries(reply.get("models"))]

    async def card(self, name: str) -> ModelCard:
        """What a model can do. A name that says cloud is never asked about: the question itself would go out.

        Raises: ModelUnavailable.
        """
        if is_cloud_name(name):
            raise not_local(name, remote_reason(name, {}))
        try:
            reply = await self._connection.json("POST", "/api/show", {"model": name}, seconds=_PROBE_SECONDS)
        except ServerSaid as said:
            if said.status == HTTPStatus.NOT_FOUND:
                raise not_installed(name, said.text) from said
            raise self._failed(said) from said
        return _card(name, reply)

    async def running(self) -> list[RunningModel]:
        """The loaded models.

        The package is imported here: that builds a client of its own from the environment (a SOCKS proxy variable
        makes it fail) and takes a third of a second.
        Raises: ModelUnavailable.
        """
        try:
            package = await asyncio.to_thread(import_module, "ollama")
        except (ImportError, ValueError) as problem:
            raise self._failed(problem) from problem
        try:
            async with self._official(package) as client:
                reply = await client.ps()
        except (package.ResponseError, httpx.HTTPError, OSError, ValueError, AttributeError) as problem:
            raise self._failed(problem) from problem
        return [
            RunningModel(
                entry.model or entry.name or "",
                entry.context_length or 0,
                entry.size or 0,
                entry.size_vram or 0,
            )
            for entry in reply.models
        ]

    def _official(self, package: Any) -> Any:
        """The package's client under our rules."""
        return package.AsyncClient(
            host=self._connection.name.url,
            timeout=_PROBE_SECONDS,
            trust_env=False,
            follow_redirects=False,
            verify=self._connection.is_encrypted,
            auth=_without_key,
        )

    async def _get(self, path: str) -> dict[str, Any]:
        try:
            return await self._connection.json("GET", path, seconds=_PROBE_SECONDS)
        except ServerSaid as said:
            raise self._failed(said) from said

    def _failed(self, problem: Exception) -> ModelUnavailable:
        return ModelUnavailable(
            f"the model server at `{self._connection.name.url}` does not tell about its models",
            cause=str(problem),
            hint="check that `model.base_url` is an Ollama server, and update it if it is old",
        )


def not_local(name: str, reason: str) -> ModelUnavailable:
    """A model that would send the conversation away."""
    return ModelUnavailable(
        f"the model `{name}` does not run on this machine",
        cause=f"{reason}; questions and source code would be sent there",
        hint="choose a local model: `--model NAME`; `OLLAMA_NO_CLOUD=1` keeps the server itself from asking a cloud",
    )


def not_installed(name: str, cause: str) -> ModelUnavailable:
    """A model that the server does not have."""
    return ModelUnavailable(
        f"the model `{name}` is not installed",
        cause=cause,
        hint=f"`ollama pull {name}` installs it; `ollama list` shows what is there",
    )


def _without_key(request: httpx.Request) -> httpx.Request:
    request.headers.pop("Authorization", None)
    return request


def _installed(entry: Mapping[str, Any]) -> InstalledModel:
    name = str(entry.get("name") or entry.get("model") or "")
    capabilities = entry.get("capabilities")
    details = entry.get("details")
    size = cast(Mapping[str, Any], details).get("parameter_size") if isinstance(details, dict) else None
    return InstalledModel(
        name,
        int(entry.get("size") or 0),
        tuple(map(str, cast(list[object], capabilities))) if isinstance(capabilities, list) else None,
        _billions(str(size or "")),
        remote_reason(name, entry),
        str(entry.get("digest") or ""),
    )


def _card(name: str, reply: Mapping[str, Any]) -> ModelCard:
    facts = reply.get("model_info")
    trained = 0
    if isinstance(facts, dict):
        lengths = [
            value for key, value in cast(dict[str, Any], facts).items() if key.endswith(".context_length")
        ]
        trained = next((value for value in lengths if isinstance(value, int)), 0)
    capabilities = reply.get("capabilities")
    listed = cast(list[object], capabilities) if isinstance(capabilities, list) else []
    return ModelCard(name, tuple(map(str, listed)), trained, remote_reason(name, reply))


def _billions(parameter_size: str) -> float:
    """`4.7B` → 4.7, `137M` → 0.137; 0 for anything else."""
    try:
        number = float(parameter_size[:-1])
    except ValueError:
        return 0.0
    return {"B": number, "M": number / 1000, "K": number / 1_000_000}.get(parameter_size[-1].upper(), 0.0)


def _entries(value: object) -> list[dict[str, Any]]:
    listed = cast(list[object], value) if isinstance(value, list) else []
    return [cast(dict[str, Any], entry) for entry in listed if isinstance(entry, dict)]
