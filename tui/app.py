"""The full-screen app: opens the workspace behind the first paint, passes news on, shows screens, ends cleanly.

Nothing that takes long is imported here: the session, and what belongs to it, come in a thread once the screen stands.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.worker import WorkerCancelled

from tools.errors import UserError
from tools.show import show_name
from tui.desk import Desk
from tui.screens.main import MainScreen
from tui.slash import COMMANDS
from tui.taste import keep_theme
from tui.themes import DARK, OFFERED, OURS
from tui.widgets.status_line import StatusLine

if TYPE_CHECKING:
    from agent.news import News
    from tools.consent import AskConsent, ConsentRequest

DRAFT_SECONDS = 0.5
STATUS_SECONDS = 0.3
"""Changes that come together are looked at once."""
EDITORS_WITH_PLUS = (
    "vi",
    "vim",
    "nvim",
    "nano",
    "emacs",
    "emacsclient",
    "micro",
    "kak",
    "joe",
    "ne",
    "pico",
    "mg",
)

MakeDesk = Callable[[Callable[["News"], None], "AskConsent"], Desk]
"""Builds the desk, given where its news goes and who is asked for consent. Called in a thread; may import what it likes."""


class NewsCame(Message):
    """The desk has something to tell."""

    def __init__(self, news: News) -> None:
        super().__init__()
        self.news = news


class CodewitnessApp(App[UserError]):
    """Ends with the error that kept the workspace from being opened, if there was one."""

    TITLE = "codewitness"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = True
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012  (the base has no ClassVar either)
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", show=False)]

    def __init__(
        self,
        make_desk: MakeDesk,
        *,
        theme: str = DARK.name,
        keep_theme_in: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`keep_theme_in`: the file that another theme is remembered in, or None."""
        super().__init__()
        for one in OURS:
            self.register_theme(one)
        self.theme = theme
        self.desk: Desk | None = None
        self._make_desk = make_desk
        self._keep_theme_in = keep_theme_in
        self._is_open = asyncio.Event()
        self._main = MainScreen(clock)

    def get_default_screen(self) -> Screen[None]:
        """The conversation."""
        return self._main

    def on_mount(self) -> None:
        """Paint first, then open the workspace."""
        self.call_after_refresh(self._open)
        self.theme_changed_signal.subscribe(self, lambda theme: self._keep_theme(theme.name))
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
                asyncio.get_running_loop().add_signal_handler(number, self.exit)

    def _keep_theme(self, name: str) -> None:
        if self._keep_theme_in is not None:
            keep_theme(self._keep_theme_in, name)

    async def opened(self) -> Desk:
        """The desk, once the workspace is open."""
        await self._is_open.wait()
        assert self.desk is not None
        return self.desk

    @work(group="opening", exit_on_error=False)
    async def _open(self) -> None:
        try:
            desk = await asyncio.to_thread(self._make_desk, self._tell, self.ask_consent)
            await desk.open()
        except UserError as error:
            self.exit(error)
            return
        self.desk = desk
        self._is_open.set()
        await self._recall(desk)
        self.refresh_status()

    async def _recall(self, desk: Desk) -> None:
        """The draft and the questions of earlier days."""
        from tui.drafts import saved_draft

        kept = await desk.conversations()
        prompt = self._main.prompt
        prompt.history_of_questions[:0] = [question for one in reversed(kept) for question in one.questions]
        if not prompt.text and (draft := await asyncio.to_thread(saved_draft, desk.folder)):
            prompt.write(draft)

    # -- news and status ------------------------------------------------------------------------------------------

    def _tell(self, news: News) -> None:
        """Called from the desk's threads."""
        self.post_message(NewsCame(news))

    @on(NewsCame)
    def news_came(self, message: NewsCame) -> None:
        """Progress at once; what it changed, a moment later."""
        from agent.news import IndexChanged, IndexFailed
        from tools.index.progress import IndexProgress

        status = self._status
        match message.news:
            case IndexProgress() as progress:
                status.progress = None if progress.phase == "done" else progress
                if progress.phase == "done":
                    self.refresh_status()
            case IndexChanged():
                status.index_trouble = None
                self.refresh_status()
            case IndexFailed(error):
                status.index_trouble = error
                self.refresh_status()

    @property
    def _status(self) -> StatusLine:
        return self._main.query_one(StatusLine)

    @work(group="status", exclusive=True, exit_on_error=False)
    async def refresh_status(self) -> None:
        """Look again at branch, index and model."""
        desk = await self.opened()
        await asyncio.sleep(STATUS_SECONDS)
        status = self._status
        status.workspace = desk.root.name or str(desk.root)
        status.branch = await desk.branch()
        with suppress(UserError):
            status.index = await desk.index_status()
        try:
            backend = await desk.backend()
            status.backend, status.trouble = backend, ""
            window = backend.details.get("num_ctx", "")
            status.context = (desk.tokens_used, int(window) if window.isdecimal() else 0)
        except UserError as error:
            status.backend, status.trouble = None, error.what
        if not status.sandbox:
            status.sandbox = await desk.sandbox()

    # -- drafts and the editor ------------------------------------------------------------------------------------

    @work(group="draft", exclusive=True, exit_on_error=False)
    async def keep_draft(self, text: str) -> None:
        """Keep what is being typed, once the typing pauses."""
        from tui.drafts import save_draft

        desk = await self.opened()
        await asyncio.sleep(DRAFT_SECONDS if text else 0)
        await asyncio.to_thread(save_draft, desk.folder, text)

    def edit(self, path: str, line: int) -> None:
        """Open the person's editor at a line, on their own key; the terminal is the editor's meanwhile."""
        if self.desk is None:
            return
        command = editor_command(os.environ, self.desk.root / path, line)
        with self.suspend():
            try:
                code = subprocess.run(command, check=False, cwd=self.desk.root).returncode
            except OSError as problem:
                code, reason = -1, problem.strerror or str(problem)
            else:
                reason = f"it ended with code {code}"
        if code:
            self.notify(f"{show_name(command[0])}: {reason}; set $EDITOR", severity="error", markup=False)
        self.refresh(layout=True)

    async def ask_consent(self, request: ConsentRequest) -> bool:
        """Ask the person, in the app's own loop, before code of the workspace is run."""
        try:
            return await self._consent(request).wait()
        except WorkerCancelled:  # the app is closing
            return False

    @work(group="consent", exit_on_error=False)
    async def _consent(self, request: ConsentRequest) -> bool:
        from tui.screens.consent import ConsentScreen

        return await self.push_screen_wait(ConsentScreen(request))

    # -- screens --------------------------------------------------------------------------------------------------

    def action_help(self) -> None:
        """Every key and command."""
        from tui.screens.help import HelpScreen

        self.push_screen(HelpScreen())

    @work(group="screen")
    async def action_search(self, words: str = "") -> None:
        """Search, and read what is picked."""
        await self.opened()  # the modules that a search needs come with the session
        from tui.screens.search import SearchScreen

        if found := await self.push_screen_wait(SearchScreen(words)):
            self._main.pane.read(found.place, found.among)

    @work(group="screen")
    async def action_sessions(self) -> None:
        """Go on with an earlier conversation."""
        from tui.screens.sessions import SessionsScreen, exchange_notes

        desk = await self.opened()
        kept = await desk.conversations()
        if self._main.running or not (chosen := await self.push_screen_wait(SessionsScreen(desk, kept))):
            return
        exchanges = await desk.resume(chosen)
        await self._main.conversation.clear()
        await self._main.say(*exchange_notes(exchanges))
        self._main.prompt.focus()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What the command palette offers beside Textual's own."""
        yield from super().get_system_commands(screen)
        for name, one in COMMANDS.items():
            yield SystemCommand(f"/{name} {one.argument}".strip(), one.help, partial(self._command, name))
        for name in OFFERED:
            yield SystemCommand(
                f"Colours: {name}", "Change the theme", lambda name=name: setattr(self, "theme", name)
            )

    async def _command(self, name: str) -> None:
        """Carry it out; what needs something behind it is begun in the prompt."""
        if COMMANDS[name].argument[:1] not in ("", "["):
            self._main.prompt.write(f"/{name} ")
            self._main.prompt.focus()
        else:
            await self._main.slash.run(f"/{name}")

    @property
    def failure(self) -> Exception | None:
        """The bug of ours that ended the app, for the command line to report, or None."""
        return self._exception

    def _fatal_error(self) -> None:
        """Textual would print a traceback with the values of all variables, the workspace's text among them."""
        self._close_messages_no_wait()

    async def on_unmount(self) -> None:
        """End what was started."""
        if self.desk is not None:
            await self.desk.aclose()


def editor_command(environment: Mapping[str, str], path: Path, line: int) -> list[str]:
    """The person's editor with the file, at the line where it is known how to say that. No shell is involved."""
    fallback = "notepad" if sys.platform == "win32" else "vi"
    words = shlex.split(environment.get("VISUAL") or environment.get("EDITOR") or fallback) or [fallback]
    name = Path(words[0]).stem
    if name in ("code", "codium", "cursor", "windsurf", "zed", "subl"):
        goto = ["--goto"] if name in ("code", "codium", "cursor", "windsurf") else []
        return [*words, *goto, f"{path}:{line}"]
    if name in ("hx", "helix"):
        return [*words, f"{path}:{line}"]
    return [*words, *([f"+{line}"] if name in EDITORS_WITH_PLUS else []), str(path)]
