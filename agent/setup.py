"""Preparing the model: find the server, say what is missing, pull it, warm it up, try one question.

`prepare` yields what happens as values and prints nothing. It asks before it downloads, and with `check_only` it
changes nothing: no download, and no model is loaded.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from agent.answer import Answer
from agent.backends.connect import connect_ollama, ollama_connection
from agent.backends.model_choice import ranked
from agent.backends.ollama import Ollama
from agent.backends.ollama_models import OllamaServer
from agent.backends.ollama_pull import Pulling, pull
from agent.backends.recommend import Machine, Recommendation, recommended
from agent.backends.streams import ServerConnection
from agent.errors import ModelUnavailable
from agent.events import Answered
from agent.session import open_session
from agent.settings import IndexSettings, ModelSettings, Settings

OLDEST_OLLAMA = (0, 9, 0)
"""The first that streams tool calls and knows `think`."""
QUESTION = "What does the function `greeting` return?"
_TRIAL_FILE = "greetings.py"
_TRIAL_SOURCE = (
    'def greeting(name: str) -> str:\n    """A polite hello."""\n    return f"Good day, {name}."\n'
)


@dataclass(frozen=True, slots=True)
class ServerFound:
    url: str
    version: str
    cloud_disabled: bool | None
    """None: the server is too old to say."""


@dataclass(frozen=True, slots=True)
class ModelsFound:
    """The local models that can call tools, the best first."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelMissing:
    """There is none, or the one that is named is not there: this would be pulled."""

    recommendation: Recommendation


@dataclass(frozen=True, slots=True)
class Warming:
    model: str


@dataclass(frozen=True, slots=True)
class Warmed:
    model: str
    seconds: float
    num_ctx: int
    """The window that was really loaded; 0: the server does not say."""
    share_on_graphics: float
    """0 to 1."""


@dataclass(frozen=True, slots=True)
class Trying:
    question: str


@dataclass(frozen=True, slots=True)
class Tried:
    """How the model did on one question about a file of three lines."""

    answer: Answer

    @property
    def passed(self) -> bool:
        """Whether it said at least one thing that could be verified."""
        return bool(self.answer.observed)


Step: TypeAlias = ServerFound | ModelsFound | ModelMissing | Pulling | Warming | Warmed | Trying | Tried
Agree: TypeAlias = Callable[[Recommendation], Awaitable[bool]]


async def prepare(
    settings: Settings, machine: Machine, agree: Agree, *, check_only: bool = False
) -> AsyncGenerator[Step, None]:
    """Every step; when it ends without an error the model of the settings answers.

    Raises: ModelUnavailable with cause and hint for whatever is missing, SettingsInvalid, and what `agree` raises.
    """
    connection = ollama_connection(settings.model, downloads=True)
    try:
        yield await _server(connection)
        installed = await OllamaServer(connection).installed()
        able = [model.name for model in ranked(installed, machine.memory)]
        yield ModelsFound(tuple(able))
        missing = _missing(settings.model, able, [model.name for model in installed], machine)
        if missing is not None:
            yield ModelMissing(missing)
            if check_only or not await agree(missing):
                raise _still_missing(missing, check_only=check_only)
            async with aclosing(pull(connection, missing.model)) as steps:
                async for step in steps:
                    yield step
    finally:
        await connection.aclose()
    model = await connect_ollama(settings.model, machine.memory)
    try:
        if not check_only:
            yield Warming(model.info.model)
            yield await _warmed(model)
    finally:
        await model.aclose()
    if not check_only:
        yield Trying(QUESTION)
        yield Tried(await _tried(settings, model.info.model))


async def _server(connection: ServerConnection) -> ServerFound:
    server = OllamaServer(connection)
    try:
        version = await server.version()
    except ModelUnavailable as error:
        if error.cause == "connection refused" and shutil.which("ollama") is None:
            hint = "install Ollama and start it, or set `model.base_url`; `--backend extractive` answers without a model"
            raise ModelUnavailable(error.what, cause="nothing listens there", hint=hint) from error
        raise
    numbers = tuple(map(int, re.findall(r"\d+", version)[:3]))
    if (0, 0, 0) < numbers < OLDEST_OLLAMA:
        raise ModelUnavailable(
            f"the Ollama server at `{connection.name.url}` is too old",
            cause=f"it is version {version}; {'.'.join(map(str, OLDEST_OLLAMA))} is the first that works",
            hint="update Ollama, restart it, and run this again; `--backend extractive` answers meanwhile",
        )
    return ServerFound(connection.name.url, version, await server.cloud_disabled())


def _missing(
    model: ModelSettings, able: list[str], installed: list[str], machine: Machine
) -> Recommendation | None:
    """What has to be pulled; whether a named model that is there can do the work is found out later."""
    if not model.name:
        return None if able else recommended(machine)
    wanted = model.name.lower()
    if any(name.lower() in (wanted, f"{wanted}:latest") for name in installed):
        return None
    return Recommendation(model.name, model.num_ctx, 0.0, "the settings name it")


def _still_missing(missing: Recommendation, *, check_only: bool) -> ModelUnavailable:
    command = f"ollama pull {missing.model}"
    return ModelUnavailable(
        "no model can answer yet",
        cause=f"`{missing.model}` is not installed" + ("" if check_only else ", and it was not to be pulled"),
        hint=f"`codewitness setup` or `{command}` pulls it; `search` and `--backend extractive` work without a model",
    )


async def _warmed(model: Ollama) -> Warmed:
    started = time.monotonic()
    await model.preload()
    seconds = time.monotonic() - started
    loaded = await model.loaded()
    if loaded is None:
        return Warmed(model.info.model, seconds, 0, 0.0)
    share = loaded.size_on_gpu / loaded.size if loaded.size else 0.0
    return Warmed(model.info.model, seconds, loaded.context, share)


async def _tried(settings: Settings, model: str) -> Answer:
    """One question on a workspace of its own, through the same session as any other."""
    with tempfile.TemporaryDirectory() as folder:
        session = open_session(_trial_settings(settings, model, folder), _trial_workspace(folder))
        try:
            async with aclosing(session.ask(QUESTION)) as events:
                answers = [event.answer async for event in events if isinstance(event, Answered)]
        finally:
            await session.aclose()
    return answers[-1]


def _trial_settings(settings: Settings, model: str, folder: str) -> Settings:
    index = IndexSettings(embedder="none", data_folder=str(Path(folder, "data")))
    chosen = settings.model.model_copy(update={"backend": "ollama", "name": model})
    return settings.model_copy(update={"model": chosen, "index": index})


def _trial_workspace(folder: str) -> Path:
    root = Path(folder, "trial")
    root.mkdir()
    (root / _TRIAL_FILE).write_text(_TRIAL_SOURCE, encoding="utf-8")
    return root
