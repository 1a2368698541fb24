"""A model file with no server at all: llama.cpp runs inside this process, and we talk to it over HTTP.

`xllamacpp` (the extra `llamacpp`) always opens a port on the loopback address, so that port gets a key of its own
that nobody else knows, and none of its pages. It is asked through `OpenAIHttp` like any other server. Traps of the
engine that this module knows: a model that cannot be loaded is one RuntimeError without a reason; a window larger
than the model was trained for is narrowed without a word; a chat template that knows no tools drops them.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import httpx
import psutil

from agent.backends.openai_http import OpenAIHttp, SamplingProfile
from agent.backends.streams import ServerConnection, ServerName, Timeouts
from agent.errors import ModelUnavailable
from agent.messages import BackendInfo

NO_TOOLS = "no_tools"
"""The key in `BackendInfo.details` that is there when the model's chat template drops tools."""
_GGUF_MAGIC = b"GGUF"
_PROBE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class EngineProfile:
    """How the file is loaded."""

    num_ctx: int = 16_384
    num_batch: int = 512
    threads: int = 0
    """0: the physical cores less one; ggml's threads wait for each other, so a busy core slows all of them."""


class LlamaCpp(OpenAIHttp):
    """One model file, loaded in this process."""

    def __init__(
        self,
        engine: object,
        connection: ServerConnection,
        name: str,
        sampling: SamplingProfile,
        *,
        knows_tools: bool,
    ) -> None:
        super().__init__(connection, name, sampling)
        self._engine: object | None = engine
        self._info = BackendInfo(
            "llamacpp",
            name,
            details={"num_ctx": str(sampling.context_tokens)}
            | ({} if knows_tools else {NO_TOOLS: "its chat template knows no tools"}),
        )

    @property
    def info(self) -> BackendInfo:
        """There is no host: nothing leaves this process."""
        return self._info

    async def aclose(self) -> None:
        """Close the connection and free the model."""
        await super().aclose()
        self._engine = None


async def load(file: str, engine: EngineProfile, sampling: SamplingProfile, timeouts: Timeouts) -> LlamaCpp:
    """Load a GGUF file; `sampling.context_tokens` is narrowed to what the model has.

    Raises: ModelUnavailable.
    """
    library, path = _library(), _model_file(file)
    key = secrets.token_urlsafe(32)
    server = await asyncio.to_thread(_started, library, path, engine, key)
    url = httpx.URL(server.listening_address)
    name = ServerName(str(url), "", "llama.cpp", "start the command again")
    connection = ServerConnection(url, name, timeouts, key)
    try:
        window, knows_tools = await _loaded(connection)
    except BaseException:
        await connection.aclose()
        raise
    narrowed = sampling.within(min(window, engine.num_ctx))
    return LlamaCpp(server, connection, path.name, narrowed, knows_tools=knows_tools)


def requirements(file: str) -> tuple[str, Path]:
    """The engine and the file, both there; nothing is loaded. Raises: ModelUnavailable."""
    return f"xllamacpp {getattr(_library(), '__version__', '')}".strip(), _model_file(file)


def _library() -> Any:
    try:
        return import_module("xllamacpp")
    except ImportError as missing:
        raise ModelUnavailable(
            "llama.cpp is not installed",
            cause=f"the backend `llamacpp` needs the extra of that name ({missing})",
            hint="`pip install 'codewitness[llamacpp]'` (or `pipx inject codewitness xllamacpp`) adds it",
        ) from None


def _model_file(file: str) -> Path:
    if not file:
        raise ModelUnavailable(
            "no model file is named",
            cause="the backend `llamacpp` loads one itself",
            hint="name a GGUF file: `--model PATH.gguf`",
        )
    path = Path(file).expanduser()
    try:
        with path.open("rb") as opened:
            magic = opened.read(len(_GGUF_MAGIC))
    except OSError as problem:
        cause = (problem.strerror or str(problem)).lower()
        raise _not_loaded(path, cause, "name a GGUF file: `--model PATH.gguf`") from None
    if magic != _GGUF_MAGIC:
        raise _not_loaded(path, "it is no GGUF file", "name a GGUF file: `--model PATH.gguf`")
    return path


def _started(library: Any, path: Path, profile: EngineProfile, key: str) -> Any:
    """The engine with the model in it; takes as long as reading the file does."""
    params = library.CommonParams()
    params.model.path = str(path)
    params.n_ctx = profile.num_ctx
    params.n_batch = profile.num_batch
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = profile.threads or _spare_cores()
    params.api_keys = [key]
    params.cors_origins = "http://127.0.0.1"
    params.ui = False
    params.offline = True
    params.warmup = False
    params.cache_ram_mib = 0  # copies of old conversations: by default up to 8 GiB of them
    params.verbosity = -1
    try:
        return library.Server(params)
    except (RuntimeError, MemoryError) as problem:
        needed, free = path.stat().st_size / 1e9, psutil.virtual_memory().available / 1e9
        cause = f"{str(problem).rstrip('.').lower()}; the file has {needed:.1f} GB, {free:.1f} GB of memory are free"
        hint = "use a smaller model or a smaller `model.num_ctx`; a newer `xllamacpp` may know more kinds of models"
        raise _not_loaded(path, cause, hint) from problem


async def _loaded(connection: ServerConnection) -> tuple[int, bool]:
    """The window that was really loaded, and whether the model's chat template knows tools."""
    props = await connection.json("GET", "props", seconds=_PROBE_SECONDS)
    window = _entry(props, "default_generation_settings").get("n_ctx")
    knows = _entry(props, "chat_template_caps").get("supports_tools")
    if not isinstance(window, int):
        raise ModelUnavailable(
            "llama.cpp does not say how large the model's window is",
            cause="`n_ctx` is missing in what it tells about itself",
            hint="install the version of `xllamacpp` that codewitness asks for",
        )
    return window, knows is not False


def _entry(reply: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = reply.get(key)
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _spare_cores() -> int:
    return max(1, (psutil.cpu_count(logical=False) or 2) - 1)


def _not_loaded(path: Path, cause: str, hint: str) -> ModelUnavailable:
    return ModelUnavailable(f"the model file `{path}` could not be loaded", cause=cause, hint=hint)
