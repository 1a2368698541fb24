"""Preparing the models: find the server, say what is missing, pull it, warm it up, try one question.

`prepare` yields what happens as values and prints nothing. It asks before it downloads, and with `check_only` it
changes nothing: no download, and no model is loaded.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from agent.answer import Answer
from agent.backends.connect import connect_ollama, ollama_connection
from agent.backends.model_choice import able
from agent.backends.ollama import Ollama
from agent.backends.ollama_models import OllamaServer
from agent.backends.ollama_pull import Pulling, pull
from agent.backends.recommend import Machine, Recommendation, embedding_download, recommended
from agent.backends.streams import CONNECTION_REFUSED, ServerConnection
from agent.embedders import DEFAULT_MODEL, embedder_of, ollama_model
from agent.errors import ModelUnavailable
from agent.events import Answered
from agent.session import open_session
from agent.settings import IndexSettings, ModelSettings, Settings
from tools.index.embedder import EmbedderUnavailable
from tools.ollama_names import full_name

NAMED = "the settings name it"
INSTALLED = "it is installed"
SMALL = "small, for code and English"
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
class EmbeddersFound:
    """The local models that turn text into vectors."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelMissing:
    """There is none, or the one that is named is not there: this would be pulled."""

    recommendation: Recommendation


@dataclass(frozen=True, slots=True)
class EmbedderOptional:
    """What embeds now is not the server's; this could do it there."""

    recommendation: Recommendation
    used: str
    """The present value of `index.embedder`."""


@dataclass(frozen=True, slots=True)
class Embeds:
    """The embedding model that the settings name was loaded and has embedded a text."""

    name: str
    seconds: float
    dimension: int


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


Step: TypeAlias = (
    ServerFound
    | ModelsFound
    | EmbeddersFound
    | ModelMissing
    | EmbedderOptional
    | Pulling
    | Embeds
    | Warming
    | Warmed
    | Trying
    | Tried
)
Agree: TypeAlias = Callable[[Recommendation], Awaitable[bool]]


async def prepare(
    settings: Settings, machine: Machine, agree: Agree, *, check_only: bool = False
) -> AsyncGenerator[Step, None]:
    """Every step; when it ends without an error the models of the settings work.

    Raises: ModelUnavailable with cause and hint for whatever is missing, SettingsInvalid, and what `agree` raises.
    """
    refused: list[Recommendation] = []
    connection = ollama_connection(settings.model, downloads=True)
    try:
        async with aclosing(_pulled(settings, machine, connection, agree, refused, check_only)) as steps:
            async for step in steps:
                yield step
    finally:
        await connection.aclose()
    if not check_only and ollama_model(settings.index.embedder) and not refused:
        yield await asyncio.to_thread(_embeds, settings)
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
    if refused:
        raise _still_missing(refused, check_only=False)


async def _pulled(
    settings: Settings,
    machine: Machine,
    connection: ServerConnection,
    agree: Agree,
    refused: list[Recommendation],
    check_only: bool,
) -> AsyncGenerator[Step, None]:
    """Look at the server and pull what is missing. What the person refused and can be done without goes to `refused`."""
    yield await _server(connection)
    server = OllamaServer(connection)
    installed = await server.installed()
    async with aclosing(able(server, installed, machine.memory)) as cards:
        chatting = [card.name async for card in cards]
    yield ModelsFound(tuple(chatting))
    embedding = [one.name for one in installed if not one.remote and "embedding" in (one.capabilities or ())]
    yield EmbeddersFound(tuple(embedding))
    names = [one.name for one in installed]
    chat = _missing(settings.model, chatting, names, machine)
    missing = [one for one in (chat, _missing_embedder(settings, names)) if one is not None]
    for one in missing:
        yield ModelMissing(one)
    if not ollama_model(settings.index.embedder):
        there = Recommendation(embedding[0], 0, 0.0, INSTALLED) if embedding else None
        yield EmbedderOptional(there or _embedder(DEFAULT_MODEL, SMALL), settings.index.embedder)
    if missing and check_only:
        raise _still_missing(missing, check_only=True)
    for one in missing:
        if not await agree(one):
            refused.append(one)
            if one is chat:
                raise _still_missing(refused, check_only=False)
            continue
        async with aclosing(pull(connection, one.model)) as steps:
            async for step in steps:
                yield step


async def _server(connection: ServerConnection) -> ServerFound:
    server = OllamaServer(connection)
    try:
        version = await server.new_enough()
    except ModelUnavailable as error:
        if error.cause == CONNECTION_REFUSED and shutil.which("ollama") is None:
            hint = "install Ollama and start it, or set `model.base_url`; `--backend extractive` answers without a model"
            raise ModelUnavailable(error.what, cause="nothing listens there", hint=hint) from error
        raise
    return ServerFound(connection.name.url, version, await server.cloud_disabled())


def _missing(
    model: ModelSettings, chatting: list[str], installed: list[str], machine: Machine
) -> Recommendation | None:
    """What has to be pulled; whether a named model that is there can do the work is found out later."""
    if not model.name:
        return None if chatting else recommended(machine)
    if _is_among(model.name, installed):
        return None
    return Recommendation(model.name, model.num_ctx, 0.0, NAMED)


def _missing_embedder(settings: Settings, installed: list[str]) -> Recommendation | None:
    name = ollama_model(settings.index.embedder)
    return None if not name or _is_among(name, installed) else _embedder(name, NAMED)


def _embedder(name: str, why: str) -> Recommendation:
    return Recommendation(name, 0, embedding_download(name), why)


def _is_among(name: str, installed: list[str]) -> bool:
    return full_name(name) in map(full_name, installed)


def _still_missing(missing: list[Recommendation], *, check_only: bool) -> ModelUnavailable:
    embeds_only = all(one.num_ctx == 0 for one in missing)
    names = " and ".join(f"`{one.model}`" for one in missing)
    commands = ", ".join(f"`ollama pull {one.model}`" for one in missing)
    are = "is" if len(missing) == 1 else "are"
    return ModelUnavailable(
        "the embedding model is missing" if embeds_only else "no model can answer yet",
        cause=f"{names} {are} not installed" + ("" if check_only else ", and was not to be pulled"),
        hint=f"`codewitness setup` or {commands} pulls what is missing; "
        "`search` and `--backend extractive` work without a model",
    )


def _embeds(settings: Settings) -> Embeds:
    """Load the embedding model and embed one text."""
    started = time.monotonic()
    try:
        with closing(embedder_of(settings)) as embedder:
            embedder.embed_query(QUESTION)
            return Embeds(embedder.name, time.monotonic() - started, embedder.dimension)
    except EmbedderUnavailable as why:
        raise ModelUnavailable(why.what, cause=why.cause, hint=why.hint) from why


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
