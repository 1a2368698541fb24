"""A session whose index another session of this process keeps up to date: it never refreshes, and says how things stand.

It also tells what only a person who stays wants to know: how full the model's window is, which models there are.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Literal, TypeAlias

from agent.backends.base import Backend
from agent.events import Event, Indexing
from agent.messages import BackendInfo, JsonSchema, Message, Piece, ToolCall, Turn
from agent.session import Session
from agent.transcript import Transcript
from tools.errors import UserError
from tools.index.catalog_filters import path_matcher
from tools.index.records import Filters
from tools.show import show_name

Thinking: TypeAlias = bool | Literal["low", "medium", "high", "max"]


class FollowedSession(Session):
    """Answers from the index as the follower left it."""

    tokens_used = 0
    """Of the model's window, in the newest turn."""

    def stands(self, notes: tuple[str, ...]) -> None:
        """How the index stands, for the next answers."""
        self._notes = notes

    async def refreshed(self) -> AsyncGenerator[Indexing, None]:
        """Nothing to do: the follower does it."""
        for step in ():
            yield step

    def answer_within(
        self, filters: Filters, question: str, notes: tuple[str, ...]
    ) -> AsyncGenerator[Event, None]:
        """Answer from the files that the filters let pass, and say so. Raises: as `answer` and `paths_within`."""
        paths = self.paths_within(filters)
        note = f"only files with {filter_words(filters)} were searched: {len(paths)}"
        return self.answer(question, notes=(*notes, note), changed=paths)

    def paths_within(self, filters: Filters) -> tuple[str, ...]:
        """The indexed files that the filters let pass. Raises: UserError when there is none, IndexUnusable."""
        fits = path_matcher(filters.path) if filters.path else None
        paths = tuple(
            path
            for path, file in self.catalog.files().items()
            if (not filters.language or file.language in filters.language)
            and (not filters.area or file.area in filters.area)
            and (fits is None or fits(path))
        )
        if not paths:
            raise UserError(
                "no indexed file passes the filter",
                cause="no file has that area, language and path together",
                hint="`/filter` without anything behind it removes the filter; `/index` lists the languages",
            )
        return paths

    async def use_thinking(self, think: Thinking) -> BackendInfo:
        """Let the model think before it acts, or not. Raises: ModelUnavailable, SettingsInvalid."""
        before = self._settings
        model = before.model.model_copy(update={"think": think})
        self._settings = before.model_copy(update={"model": model})
        try:
            return await self.use_model()
        except UserError:
            self._settings = before
            raise

    @property
    def thinking(self) -> Thinking:
        """Whether the model thinks before it acts, and how much."""
        return self._settings.model.think

    async def models(self) -> tuple[str, ...]:
        """The local models of the Ollama server. Raises: ModelUnavailable, SettingsInvalid."""
        # httpx takes a quarter of a second to import.
        from agent.backends.connect import ollama_connection
        from agent.backends.ollama_models import OllamaServer

        connection = ollama_connection(self._settings.model)
        try:
            installed = await OllamaServer(connection).installed()
        finally:
            await connection.aclose()
        return tuple(sorted(one.name for one in installed if not one.remote))

    async def _run(
        self,
        transcript: Transcript,
        backend: Backend,
        first_look_ups: Sequence[ToolCall] = (),
        changed: tuple[str, ...] | None = None,
    ) -> AsyncGenerator[Event, None]:
        async with aclosing(
            super()._run(transcript, _Counted(backend, self), first_look_ups, changed)
        ) as events:
            async for event in events:
                yield event


def filter_words(filters: Filters) -> str:
    """The filters as they are typed: `area:tests path:src/**`."""
    named = (("area", filters.area), ("language", filters.language), ("path", filters.path))
    return " ".join(f"{name}:{show_name(value)}" for name, values in named for value in values)


class _Counted:
    """A backend whose newest turn's tokens are noted in the session."""

    def __init__(self, backend: Backend, session: FollowedSession) -> None:
        self._backend = backend
        self._session = session

    @property
    def info(self) -> BackendInfo:
        """The other's."""
        return self._backend.info

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[JsonSchema]
    ) -> AsyncGenerator[Piece, None]:
        """The other's reply."""
        async with aclosing(self._backend.reply(messages, tools)) as pieces:
            async for piece in pieces:
                self._count(piece)
                yield piece

    async def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        """The other's answer."""
        async with aclosing(self._backend.answer(messages, schema)) as pieces:
            async for piece in pieces:
                self._count(piece)
                yield piece

    def notice(self, question: str) -> str:
        """The other's notice."""
        return self._backend.notice(question)

    async def aclose(self) -> None:
        """Close the other."""
        await self._backend.aclose()

    def _count(self, piece: Piece) -> None:
        if isinstance(piece, Turn) and piece.prompt_tokens:
            self._session.tokens_used = piece.prompt_tokens + piece.output_tokens
