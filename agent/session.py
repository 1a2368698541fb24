"""Builds every part and closes it: `open_session(settings, root)`, then `Session.ask(question)` → events.

This module alone knows which concrete tools and embedders there are. A session belongs to the thread that uses it
(SQLite's rule). What it knows of the index itself stands in `agent/indexed_workspace.py`.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agent.answer import Answer
from agent.backends.base import Backend
from agent.backends.choose import choose_backend
from agent.budget import Budget
from agent.conversations import Conversations
from agent.errors import ConsentMissing
from agent.events import Answered, Event
from agent.explain import explainer, inquire
from agent.frames import FrameFinder
from agent.indexed_workspace import IndexedWorkspace
from agent.loop import run
from agent.messages import BackendInfo, ToolCall
from agent.recheck import Rechecked, recheck
from agent.settings import Settings
from agent.testify import Witness
from agent.transcript import Exchange, Transcript
from tools.consent import AskConsent, ConsentRefused, Consents, nobody_to_ask
from tools.errors import ToolError
from tools.grep_symbol import GrepSymbol
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.index.embedder import EmbedderUnavailable
from tools.index.search import Query, Searcher, SearchOutcome
from tools.index.store import ChromaVectors
from tools.list_files import ListFiles
from tools.read_file_lines import ReadFileLines
from tools.ripgrep import Ripgrep
from tools.run_tests import RunTests, RunTestsArguments, TestsRan
from tools.runners.runner import TargetInvalid
from tools.semantic_search import SemanticSearch
from tools.suite import Suite, SuiteOptions
from tools.tool import ToolResult
from tools.toolbox import Toolbox

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


class Session(IndexedWorkspace):
    """One workspace, opened, and the questions that are put to it."""

    def __init__(
        self,
        settings: Settings,
        root: Path,
        ask_consent: AskConsent = nobody_to_ask,
        *,
        looking_only: bool = False,
    ) -> None:
        """Nothing is indexed and no model is looked for yet. Raises: WorkspaceInvalid, IndexUnusable."""
        super().__init__(settings, root, looking_only=looking_only)
        self._ask_consent = ask_consent
        self.conversations = Conversations(self.folder)
        self._conversation = self.conversations.start()
        self._opened: _Parts | None = None
        self._backend: Backend | None = None

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
        witness = Witness(self.workspace, self.index_state, self._settings.model.second_opinion)
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
        self.close_index()

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


def open_session(
    settings: Settings, root: Path, ask_consent: AskConsent = nobody_to_ask, *, looking_only: bool = False
) -> Session:
    """Open the workspace at `root`; `ask_consent` asks the person before code of it is run.

    `looking_only` makes no folder for an index, where there is none: for what only tells how things stand.
    Raises: WorkspaceInvalid, IndexUnusable.
    """
    return Session(settings, root, ask_consent, looking_only=looking_only)
