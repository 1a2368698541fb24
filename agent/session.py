"""Builds every part and closes it: `open_session(settings, root)`, then `Session.ask(question)` → events.

This module alone knows which concrete tools and embedders there are. A session belongs to the thread that uses it
(SQLite's rule). What it knows of the index itself stands in `agent/indexed_workspace.py`.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agent.answer import Answer
from agent.backends.base import Backend
from agent.backends.choose import choose_backend
from agent.budget import Budget
from agent.conversations import Conversations
from agent.drafting.by_model import ModelDrafts
from agent.drafting.drafter import Drafter, DraftParts, drafting_targets
from agent.drafting.report import DraftEvent, DraftRequest
from agent.errors import ConsentMissing
from agent.events import Answered, Event, RunStarted, ToolFinished, ToolStarted
from agent.explain import Inquiry, explainer, inquire, inquire_about
from agent.failing_test import Passing, failure_report, tests_call
from agent.frames import FrameFinder
from agent.indexed_workspace import IndexedWorkspace
from agent.loop import run
from agent.messages import BackendInfo, ToolCall, Turn
from agent.recheck import Rechecked, recheck
from agent.settings import Settings
from agent.testify import Witness
from agent.transcript import Exchange, Transcript
from tools.consent import AskConsent, ConsentRefused, Consents, nobody_to_ask
from tools.errors import ToolError
from tools.git_history import GitHistory
from tools.git_last import last_commits_of
from tools.git_log import Commit
from tools.grep_symbol import GrepSymbol
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.index.commits import FoundCommit, search_commits
from tools.index.embedder import EmbedderUnavailable
from tools.index.search import Query, Searcher, SearchOutcome
from tools.index.store import ChromaVectors
from tools.list_files import ListFiles
from tools.read_file_lines import ReadFileLines
from tools.ripgrep import Ripgrep
from tools.run_tests import RunTests, RunTestsArguments, TestsRan
from tools.runners.runner import TargetInvalid
from tools.semantic_search import SemanticSearch
from tools.show import show_name
from tools.suite import Suite, SuiteOptions
from tools.tool import ToolResult
from tools.toolbox import Toolbox

_FOREGROUND_WORKERS = 1
"""Parsers kept for files that changed since they were indexed: few, and seldom."""
SPARE_CANDIDATES = 8
"""Of a search that a model puts in order: as many again as are shown."""


@dataclass(frozen=True)
class _Parts:
    """What a run works with, once the index is there."""

    catalog: Catalog
    searcher: Searcher
    semantic_search: SemanticSearch
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

    async def ask(
        self, question: str, follow_up: bool = False, changed_since: str = ""
    ) -> AsyncGenerator[Event, None]:
        """Answer one question; the last event is `Answered`. `follow_up` goes on from the newest conversation.

        `changed_since`: a revision; only files that differ from it are searched.
        Raises: IndexUnusable, ModelUnavailable, SettingsInvalid, RevisionUnknown.
        """
        changed = self.changed_since(changed_since) if changed_since else None
        await self._chosen_backend()  # one that cannot answer is told before minutes go into an index
        async with aclosing(self.refreshed()) as refreshing:
            async for event in refreshing:
                yield event
        if changed is not None:
            note = (
                f"only the files that differ from `{show_name(changed_since)}` were searched: {len(changed)}"
            )
            self._notes = (*self._notes, note)
        async with aclosing(self.answer(question, follow_up, changed=changed)) as answering:
            async for event in answering:
                yield event

    async def answer(
        self,
        question: str,
        follow_up: bool = False,
        notes: tuple[str, ...] | None = None,
        changed: tuple[str, ...] | None = None,
    ) -> AsyncGenerator[Event, None]:
        """The same on the index as it stands, for who keeps it up to date anyway; `notes` say how it stands.

        `changed`: only these files are searched.
        Raises: IndexUnusable, ModelUnavailable, SettingsInvalid.
        """
        if notes is not None:
            self._notes = notes
        transcript = Transcript(question, self._previous(follow_up))
        running = self._run(transcript, await self._chosen_backend(), changed=changed)
        async with aclosing(running) as events:
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
        async with aclosing(self._explained(inquiry)) as events:
            async for event in events:
                yield event

    async def explain_test(self, target: str) -> AsyncGenerator[Event, None]:
        """Run a test, isolated and with the person's consent, and explain its failure; the last event is `Answered`.

        Raises: ConsentMissing, ToolError for a test that cannot be named, TestsUnusable, and as `explain`.
        """
        backend = await self._chosen_backend()
        async with aclosing(self.refreshed()) as refreshing:
            async for event in refreshing:
                yield event
        call, started = tests_call(target), time.monotonic()
        yield ToolStarted(call)
        ran = await self._tests_ran(RunTestsArguments(target=target))
        report, seconds = failure_report(ran), time.monotonic() - started
        if report:
            inquiry = inquire_about(report, FrameFinder(self.workspace, self._parts().catalog))
            events = self._explained(inquiry, call, ran, seconds)
        else:
            transcript = Transcript(target)
            yield _recorded(transcript, call, ran, seconds)
            passing = Passing(backend.info, transcript.ledger.ids[0], ran.test_run.command)
            events = self._testified(transcript, passing)
        async with aclosing(events) as running:
            async for event in running:
                yield event

    async def _explained(
        self,
        inquiry: Inquiry,
        call: ToolCall | None = None,
        ran: TestsRan | None = None,
        seconds: float = 0.0,
    ) -> AsyncGenerator[Event, None]:
        """The explanation; `ran` is the run of tests that the report is from, which then is evidence too."""
        backend = explainer(inquiry, await self._chosen_backend())
        transcript = Transcript(inquiry.question, told=inquiry.told)
        if call and ran:
            yield _recorded(transcript, call, ran, seconds)
        async with aclosing(self._run(transcript, backend, inquiry.look_ups)) as events:
            async for event in events:
                yield event

    async def _testified(self, transcript: Transcript, backend: Backend) -> AsyncGenerator[Event, None]:
        """The answer from what the transcript holds already."""
        yield RunStarted(transcript.question, backend.info)
        witness = Witness(self.workspace, self.index_state)
        budget = Budget(**self._settings.budget.model_dump())
        async with aclosing(witness.give(transcript, backend, budget)) as events:
            async for event in events:
                yield event

    async def draft_tests(self, request: DraftRequest) -> AsyncGenerator[DraftEvent, None]:
        """Draft unit tests; the last event is `TestsDrafted`. Nothing is written into the workspace.

        Raises: TargetUnknown, DraftExists, ConsentMissing, TestsUnusable, ModelUnavailable, IndexUnusable.
        """
        backend = await self._chosen_backend()
        async with aclosing(self.refreshed()) as refreshing:
            async for event in refreshing:
                yield event
        parts = self._parts()
        drafter = Drafter(self._draft_parts(parts, backend), request)
        targets = drafting_targets(self.workspace, parts.catalog, request)
        try:
            async with aclosing(drafter.draft(targets)) as events:
                async for event in events:
                    yield event
        except ConsentRefused as refused:
            raise ConsentMissing("no test was drafted", cause=refused.reason, hint=refused.hint) from None

    def _draft_parts(self, parts: _Parts, backend: Backend) -> DraftParts:
        budget, model = self._settings.budget.model_dump(), None
        if backend.info.name != "extractive":
            repairs = self._settings.tests.draft_repairs
            model = ModelDrafts(backend, parts.toolbox, lambda: Budget(**budget), repairs)
        return DraftParts(self.workspace, parts.catalog, parts.workers, parts.run_tests.suite, backend, model)

    async def _run(
        self,
        transcript: Transcript,
        backend: Backend,
        first_look_ups: Sequence[ToolCall] = (),
        changed: tuple[str, ...] | None = None,
    ) -> AsyncGenerator[Event, None]:
        budget = Budget(**self._settings.budget.model_dump())
        witness = Witness(self.workspace, self.index_state, self._settings.model.second_opinion)
        parts = self._parts()
        toolbox = (
            parts.toolbox
            if changed is None
            else parts.toolbox.replacing(replace(parts.semantic_search, changed=changed))
        )
        rerank = self._settings.model.rerank and backend.info.name != "extractive"
        running = run(transcript, backend, toolbox, budget, witness, first_look_ups, rerank=rerank)
        async with aclosing(running) as events:
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

    def find_commits(self, text: str, limit: int) -> list[FoundCommit]:
        """The newest indexed commits that speak of it. Raises: IndexUnusable."""
        return search_commits(self._parts().catalog, text, limit=limit)

    def last_commits(self, places: Sequence[tuple[str, int, int]]) -> Iterator[Commit | None]:
        """The commit that changed each (path, first line, last line) last; nothing where there is no history."""
        return last_commits_of(self.workspace, places)

    async def look_up(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call one tool for a person, outside any run. Raises: ToolError, IndexUnusable."""
        return await self._parts().toolbox.call(tool, arguments)

    async def run_tests(self, target: str = "", keyword: str = "", last_failed: bool = False) -> TestsRan:
        """Run tests for a person, on an index brought up to date.

        Raises: ConsentMissing, ToolError for a target that cannot be named, TestsUnusable, IndexUnusable.
        """
        async for _ in self.refreshed():
            pass
        return await self._tests_ran(
            RunTestsArguments(target=target, keyword=keyword, last_failed=last_failed)
        )

    async def _tests_ran(self, arguments: RunTestsArguments) -> TestsRan:
        tool = self._parts().run_tests
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
            search = SemanticSearch(self.workspace, catalog, searcher, workers, spare=self._spare())
            toolbox = Toolbox(
                (
                    search,
                    GrepSymbol(self.workspace, catalog, workers, Ripgrep(self.workspace)),
                    ReadFileLines(self.workspace, catalog, workers),
                    ListFiles(self.workspace, catalog, workers),
                    *((run_tests,) if suite.has_tests() else ()),
                    GitHistory(self.workspace, catalog, workers),
                )
            )
            self._opened = _Parts(catalog, searcher, search, toolbox, workers, run_tests)
        return self._opened

    def _spare(self) -> int:
        """Candidates of a search beyond those shown, where a model may choose among them."""
        return SPARE_CANDIDATES if self._settings.model.rerank else 0

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


def _recorded(transcript: Transcript, call: ToolCall, ran: TestsRan, seconds: float) -> ToolFinished:
    """A run of tests as a look-up of this run, made before the others."""
    transcript.add_turn(Turn(tool_calls=(call,)))
    transcript.times_asked(call)
    return transcript.add_result(call, ran, seconds)


def open_session(
    settings: Settings, root: Path, ask_consent: AskConsent = nobody_to_ask, *, looking_only: bool = False
) -> Session:
    """Open the workspace at `root`; `ask_consent` asks the person before code of it is run.

    `looking_only` makes no folder for an index, where there is none: for what only tells how things stand.
    Raises: WorkspaceInvalid, IndexUnusable.
    """
    return Session(settings, root, ask_consent, looking_only=looking_only)
