"""A session kept open for hours beside a user interface: nothing here blocks the caller.

Two threads of its own. One holds the session that answers, with an event loop; the other follows the workspace with a
session of its own, since vectors are filled in by an embedder process that would make a question wait for its turn.
The follower holds the writer lock, so Chroma may be open here (`tools/index/store.py`).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from agent.conversations import KeptConversation
from agent.doctor import Check, examine
from agent.drafting.report import DraftEvent, DraftReport, DraftRequest
from agent.drafting.writing import write_files
from agent.events import Event, Indexing
from agent.followed import FollowedSession, Thinking
from agent.messages import BackendInfo
from agent.news import Completion, Enclosing, IndexChanged, IndexFailed, News
from agent.session import Session, open_session
from agent.settings import Settings
from agent.transcript import Exchange
from agent.watching import Watching
from tools.consent import AskConsent, ConsentRequest, nobody_to_ask
from tools.errors import IndexUnusable, ToolError, UserError
from tools.git import NotARepository, open_repository
from tools.index.progress import IndexProgress, IndexStatus
from tools.index.records import Filters
from tools.index.search import Query, SearchOutcome
from tools.sandbox.tiers import find_sandbox
from tools.show import show_name
from tools.symbol_hits import SymbolHits
from tools.workspace import FileStat, SourceFile

Value = TypeVar("Value")
Told = TypeVar("Told")

EVERYTHING = Filters()

RETRY_SECONDS = 15.0
"""How long to wait before asking again for an index that another process writes."""
CLOSING_SECONDS = 1.5
MOST_COMPLETIONS = 12


class LiveSession:
    """One workspace, opened for a person who stays."""

    def __init__(
        self,
        settings: Settings,
        root: Path,
        tell: Callable[[News], None],
        ask_consent: AskConsent = nobody_to_ask,
    ) -> None:
        """Nothing is opened before `open`. `tell` is called from another thread, `ask_consent` in the loop of `open`."""
        self._ask_consent = ask_consent
        self._settings = settings
        self._root = root
        self._tell = tell
        self._loop = asyncio.new_event_loop()
        self._answering = threading.Thread(target=self._loop.run_forever, name="session", daemon=True)
        self._following = threading.Thread(target=self._follow, name="index", daemon=True)
        self._stop = threading.Event()
        self._fresh = threading.Event()
        """The index has been brought up to date once, or it turned out that it cannot be."""
        self._last: IndexProgress | None = None
        self._notes: tuple[str, ...] = ()
        self._session: FollowedSession | None = None

    @property
    def root(self) -> Path:
        """The workspace's folder."""
        return self._root

    @property
    def folder(self) -> Path:
        """Where what is kept about this workspace lies."""
        return self._open_session.folder

    @property
    def _open_session(self) -> FollowedSession:
        assert self._session is not None, "open() comes first"
        return self._session

    async def open(self) -> None:
        """Open the workspace and begin to follow it. Raises: WorkspaceInvalid, IndexUnusable."""
        self._answering.start()
        here = asyncio.get_running_loop()

        async def ask_here(request: ConsentRequest) -> bool:
            asking = self._ask_consent(request)
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_awaited(asking), here))

        try:
            self._session = await self._there(self._opened(ask_here))
        except UserError:
            await self._end_loop()
            raise
        self._following.start()

    async def aclose(self) -> None:
        """End everything that was started; returns soon even where something hangs."""
        self._stop.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._there(self._open_session.aclose()), CLOSING_SECONDS)
        await asyncio.to_thread(self._following.join, CLOSING_SECONDS)
        await self._end_loop()

    async def _end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._answering.join, CLOSING_SECONDS)
        if not self._answering.is_alive():
            self._loop.close()

    # -- questions and searches ---------------------------------------------------------------------------------

    async def ask(self, question: str, filters: Filters = EVERYTHING) -> AsyncGenerator[Event, None]:
        """Answer one question in the current conversation; closing the generator stops the run.

        Raises: UserError and its kinds.
        """

        def answer(session: FollowedSession) -> AsyncGenerator[Event, None]:
            if filters.anything:
                return session.answer(question, notes=self._notes)
            return session.answer_within(filters, question, self._notes)

        async with aclosing(self._streamed(answer)) as events:
            async for event in events:
                yield event

    async def explain(self, report: str) -> AsyncGenerator[Event, None]:
        """Explain a failure from its report. Raises: UserError and its kinds."""
        async with aclosing(self._streamed(lambda session: session.explain(report))) as events:
            async for event in events:
                yield event

    async def explain_test(self, target: str) -> AsyncGenerator[Event, None]:
        """Run a test, isolated and with the person's consent, and explain its failure. Raises: UserError and its kinds."""
        try:
            async with aclosing(self._streamed(lambda session: session.explain_test(target))) as events:
                async for event in events:
                    yield event
        except ToolError as problem:
            raise UserError(
                f"the test `{show_name(target)}` cannot be run",
                cause=str(problem).rstrip("."),
                hint="name it by its file, or as its runner does: `/explain tests/test_cart.py::test_total`",
            ) from None

    async def draft_tests(self, request: DraftRequest) -> AsyncGenerator[DraftEvent, None]:
        """Draft unit tests; nothing is written. Raises: UserError and its kinds."""
        async with aclosing(self._streamed(lambda session: session.draft_tests(request))) as events:
            async for event in events:
                yield event

    async def write_drafts(self, report: DraftReport) -> tuple[str, ...]:
        """Write drafted files that do not exist yet; their paths. Raises: DraftExists, DraftUnwritable."""
        return await asyncio.to_thread(write_files, self._open_session.workspace, report)

    async def _streamed(
        self, begin: Callable[[FollowedSession], AsyncGenerator[Told, None]]
    ) -> AsyncGenerator[Told | Event, None]:
        """What a run in the session's thread tells; closing the generator stops it."""
        async for event in self._until_fresh():
            yield event
        here = asyncio.get_running_loop()
        events: asyncio.Queue[Told | None] = asyncio.Queue()

        async def work() -> None:
            try:
                self._open_session.stands(self._notes)
                async with aclosing(begin(self._open_session)) as running:
                    async for event in running:
                        here.call_soon_threadsafe(events.put_nowait, event)
            finally:
                here.call_soon_threadsafe(events.put_nowait, None)

        working = asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), self._loop))
        try:
            while (event := await events.get()) is not None:
                yield event
        finally:
            if not working.done():
                working.cancel()
            await asyncio.wait([working])
        working.result()

    async def search(self, query: Query) -> SearchOutcome:
        """What `semantic_search` goes by. Raises: IndexUnusable."""

        async def work() -> SearchOutcome:
            return self._open_session.find(query)

        return await self._there(work())

    async def look_up(self, name: str, find: Literal["definition", "any"], path: str = "") -> SymbolHits:
        """Where a name is defined, or everywhere it is used. Raises: ToolError, UserError."""
        arguments = {"name": name, "find": find} | ({"path": path} if path else {})
        return cast(SymbolHits, await self._there(self._open_session.look_up("grep_symbol", arguments)))

    async def read(self, path: str) -> SourceFile:
        """One file as it is now. Raises: Unreadable."""
        return await asyncio.to_thread(self._open_session.workspace.read, path)

    async def stamp(self, path: str) -> FileStat | None:
        """What changes when the file changes; None when it is gone."""
        return await asyncio.to_thread(self._open_session.workspace.stat, path)

    async def enclosing(self, path: str, line: int) -> Enclosing | None:
        """The innermost definition around a line, as it was indexed."""

        async def work() -> Enclosing | None:
            found = self._open_session.catalog.enclosing(path, line)
            return found and Enclosing(found.qualified_name, found.kind, found.signature, found.first_line)

        return await self._there(work())

    async def completions(self, start: str) -> list[Completion]:
        """Files and symbols that what was typed may mean, the likeliest first."""

        async def work() -> list[Completion]:
            catalog = self._open_session.catalog
            files = _fitting_files(start, list(catalog.files()))
            names = catalog.names_starting(start, MOST_COMPLETIONS) if start else []
            symbols = [Completion("symbol", one.name, f"{one.kind} in {one.path}") for one in names]
            return [*files[: MOST_COMPLETIONS // 2], *symbols, *files[MOST_COMPLETIONS // 2 :]][
                :MOST_COMPLETIONS
            ]

        with suppress(IndexUnusable):  # nothing is indexed yet
            return await self._there(work())
        return []

    # -- the model, the index, what was said before ---------------------------------------------------------------

    async def backend(self) -> BackendInfo:
        """Who answers. Raises: ModelUnavailable, SettingsInvalid."""
        return await self._there(self._open_session.backend())

    async def use_model(self, **changes: str) -> BackendInfo:
        """Let another model answer from now on: `backend`, `name`. Raises: ModelUnavailable, SettingsInvalid."""
        return await self._there(self._open_session.use_model(**changes))

    async def use_thinking(self, think: Thinking) -> BackendInfo:
        """Let the model think before it acts, or not. Raises: ModelUnavailable, SettingsInvalid."""
        return await self._there(self._open_session.use_thinking(think))

    @property
    def thinking(self) -> Thinking:
        """Whether the model thinks before it acts, and how much."""
        return self._open_session.thinking

    async def models(self) -> tuple[str, ...]:
        """The local models of the Ollama server. Raises: ModelUnavailable, SettingsInvalid."""
        return await self._there(self._open_session.models())

    @property
    def tokens_used(self) -> int:
        """Of the model's window, in the newest turn; 0 when nothing was told."""
        return self._open_session.tokens_used

    async def sandbox(self) -> str:
        """What tests are isolated by, in a word."""
        found = await asyncio.to_thread(find_sandbox, self._root)
        return f"tier {found.tier.value}" if found.tier.isolated else "not isolated"

    async def index_status(self) -> IndexStatus:
        """The index as it stands. Raises: IndexUnusable."""
        return await asyncio.to_thread(self._open_session.index_status)

    async def branch(self) -> str:
        """The branch that is checked out, or ""."""

        def look() -> str:
            with suppress(NotARepository):
                head = open_repository(self._open_session.workspace.root).head()
                return head.branch or head.commit[:8]
            return ""

        return await asyncio.to_thread(look)

    async def examine(self) -> list[Check]:
        """Every check of `codewitness doctor`."""
        return await asyncio.to_thread(lambda: list(examine(self._root)))

    async def conversations(self) -> list[KeptConversation]:
        """Earlier conversations, the newest first."""
        return await asyncio.to_thread(self._open_session.conversations.kept)

    async def resume(self, conversation: Path) -> list[Exchange]:
        """Go on from an earlier conversation: what was said in it."""
        self._open_session.resume(conversation)
        return await asyncio.to_thread(self._open_session.conversations.exchanges, conversation)

    async def delete(self, conversation: Path) -> None:
        """Forget an earlier conversation for good."""
        await asyncio.to_thread(self._open_session.conversations.delete, conversation)

    def forget(self) -> None:
        """Start a new conversation."""
        self._open_session.forget()

    # -- threads --------------------------------------------------------------------------------------------------

    async def _opened(self, ask_consent: AskConsent) -> FollowedSession:
        return FollowedSession(self._settings, self._root, ask_consent)

    async def _there(self, work: Coroutine[Any, Any, Value]) -> Value:
        """Do it in the session's thread."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def _until_fresh(self) -> AsyncGenerator[Event, None]:
        """Progress of the first refresh, while there still is some."""
        said: IndexProgress | None = None
        while not self._fresh.is_set():
            if self._last is not None and self._last is not said:
                said = self._last
                yield Indexing(said)
            await asyncio.sleep(0.05)

    def _follow(self) -> None:
        """The follower's thread."""
        while not self._stop.is_set():
            try:
                self._follow_once()
                return
            except UserError as error:
                self._notes = (f"the index was used as it stood: {error.cause}",)
                self._fresh.set()
                self._tell(IndexFailed(error))
            self._stop.wait(RETRY_SECONDS)

    def _follow_once(self) -> None:
        session = open_session(self._settings, self._root)

        def said(what: str) -> None:
            self._said(session, what)

        try:
            Watching(session, progress=self._progressed, stop=self._stop.is_set, say=said).run()
        finally:
            asyncio.run(session.aclose())

    def _progressed(self, progress: IndexProgress) -> None:
        self._last = progress
        self._tell(progress)
        if progress.phase == "done" and not self._fresh.is_set():
            self._notes = ()
            self._fresh.set()
            self._tell(IndexChanged("up to date"))

    def _said(self, session: Session, what: str) -> None:
        if session.store is not None:
            store = session.store
            with suppress(RuntimeError):  # the loop is closed: so is the program
                self._loop.call_soon_threadsafe(lambda: self._open_session.search_in(store))
        self._tell(IndexChanged(what))


async def _awaited(asking: Awaitable[bool]) -> bool:
    return await asking


def _fitting_files(start: str, paths: list[str]) -> list[Completion]:
    """Paths that hold what was typed, in the file's name before elsewhere, short ones first."""
    wanted = start.lower()

    def rank(path: str) -> tuple[int, int, str]:
        name = path.rpartition("/")[2].lower()
        where = 0 if name.startswith(wanted) else 1 if wanted in name else 2
        return where, len(path), path

    fitting = sorted((path for path in paths if wanted in path.lower()), key=rank)
    return [Completion("file", path, "file") for path in fitting[:MOST_COMPLETIONS]]
