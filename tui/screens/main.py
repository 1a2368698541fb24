"""Where people live: the conversation, the source beside it, and the prompt below."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer
from textual.worker import Worker

from tools.errors import UserError
from tools.show import show_name
from tui.completing import offers
from tui.slash import COMMAND_OF, ONE_AT_A_TIME, Slash, is_command
from tui.widgets.completions import Completions
from tui.widgets.conversation import Conversation
from tui.widgets.evidence_pane import EvidencePane
from tui.widgets.note import Note
from tui.widgets.place_link import PlaceLink
from tui.widgets.problem import Problem, told
from tui.widgets.prompt import Prompt
from tui.widgets.question_line import QuestionLine
from tui.widgets.status_line import StatusLine
from tui.widgets.welcome import Welcome

if TYPE_CHECKING:  # heavy to import, and the first paint comes before
    from agent.drafting.report import DraftEvent
    from tui.app import CodewitnessApp
    from tui.widgets.drafting import WriteLine
    from tui.widgets.exchange import Exchange, Kind

SECONDS_TO_QUIT = 2.0


class RunEvent(Message):
    """Something happened in the run of an exchange."""

    def __init__(self, exchange: Exchange, event: DraftEvent) -> None:
        super().__init__()
        self.exchange = exchange
        self.event = event


class MainScreen(Screen[None]):
    """One conversation about one workspace."""

    app: CodewitnessApp  # pyright: ignore[reportIncompatibleMethodOverride]
    AUTO_FOCUS: ClassVar[str | None] = "#prompt"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Stop / close"),
        Binding("ctrl+c", "interrupt", "Stop, clear, quit", show=False),
        Binding("ctrl+o", "source", "Source"),
        Binding("ctrl+n,f3", "turn(1)", "Next citation", show=False),
        Binding("shift+f3", "turn(-1)", "Previous citation", show=False),
        Binding("ctrl+f", "app.search", "Search"),
        Binding("ctrl+r", "app.sessions", "Sessions"),
        Binding("f4", "withheld", "Withheld"),
        Binding("f5", "copy_answer", "Copy answer", show=False),
        Binding("f8", "write_tests", "Write the tests"),
        Binding("f1", "app.help", "Help"),
        Binding("ctrl+pageup", "scroll_conversation(-1)", "Conversation up", show=False),
        Binding("ctrl+pagedown", "scroll_conversation(1)", "Conversation down", show=False),
    ]

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._run: Worker[None] | None = None
        self._stopping = False
        """The person stops the run."""
        self.filter = ""
        """What questions keep to, as it was typed."""
        self._interrupted_at = -SECONDS_TO_QUIT
        self._completions = Completions(id="completions")
        self.pane = EvidencePane(id="evidence")
        self.slash = Slash(self)

    def compose(self) -> ComposeResult:
        yield StatusLine(id="status")
        with Horizontal(id="body"):
            with Conversation(id="conversation"):
                yield Welcome()
            yield self.pane
        with Vertical(id="below"):
            yield self._completions
            yield Prompt(self._completions, id="prompt")
        yield Footer(compact=True)

    @property
    def conversation(self) -> Conversation:
        """What was said."""
        return self.query_one(Conversation)

    @property
    def prompt(self) -> Prompt:
        """Where the next question is typed."""
        return self.query_one(Prompt)

    @property
    def running(self) -> bool:
        """Whether a question is being answered."""
        return self._run is not None and not self._run.is_finished

    # -- asking ---------------------------------------------------------------------------------------------------

    @on(Prompt.Submitted)
    async def submitted(self, message: Prompt.Submitted) -> None:
        """A command or a question; one question at a time."""
        text = message.text
        if is_command(text):
            self.prompt.accept(text)
            await self.slash.run(text)
        elif self.running:
            self.notify(ONE_AT_A_TIME, severity="warning", markup=False)
        else:
            self.prompt.accept(text)
            await self.ask(text)

    async def ask(self, question: str, kind: Kind = "ask") -> None:
        """Begin to answer a question, to explain a report or a test, or to draft tests."""
        from tui.exchanges import new_exchange

        self.app.keep_draft("")
        await self.conversation.remove_children(Welcome)
        exchange = await asyncio.to_thread(new_exchange, question, kind, self._clock)
        await self.conversation.add(exchange)
        self._stopping = False
        self._run = self._answer(exchange)
        self.refresh_bindings()

    @work(group="run", exit_on_error=False)
    async def _answer(self, exchange: Exchange) -> None:
        """Hand the run's events on; whatever ends it is shown in its place."""
        from tui.exchanges import events_of

        try:
            desk = await self.app.opened()
            async with aclosing(events_of(desk, exchange, self.filter)) as events:
                async for event in events:
                    self.post_message(RunEvent(exchange, event))
        except asyncio.CancelledError:
            if self._stopping:  # else the app is closing, and there is nothing left to draw on
                self.call_later(exchange.stop)
            raise
        except Exception as error:
            self.call_later(exchange.fail, told(error))
        finally:
            self.call_later(self._run_is_over)

    @on(RunEvent)
    async def run_event(self, message: RunEvent) -> None:
        """Draw it; the first place that is cited is opened beside it where there is room."""
        from tui.exchanges import draw

        known = len(message.exchange.places)
        await draw(message.exchange, message.event)
        if len(places := message.exchange.places) > known:
            self.pane.offer(places, show=self.has_class("-wide"))

    @on(QuestionLine.EditWanted)
    def edit_wanted(self, message: QuestionLine.EditWanted) -> None:
        """Put the question back into the prompt."""
        self.edit(message.exchange)

    @on(QuestionLine.RepeatWanted)
    async def repeat_wanted(self, message: QuestionLine.RepeatWanted) -> None:
        """Ask the same again."""
        await self.repeat(message.exchange)

    def edit(self, exchange: Exchange) -> None:
        """Put what was asked back into the prompt, to be changed and asked again."""
        self.prompt.write(f"{COMMAND_OF[exchange.kind]}{exchange.question}")
        self.prompt.focus()

    async def repeat(self, exchange: Exchange) -> None:
        """Ask the same again, one question at a time."""
        if self.running:
            self.notify(ONE_AT_A_TIME, severity="warning", markup=False)
        else:
            await self.ask(exchange.question, exchange.kind)

    async def on_write_line_wanted(self, message: WriteLine.Wanted) -> None:
        """Write the drafted tests, now that the person said so."""
        try:
            written = await (await self.app.opened()).write_drafts(message.report)
        except UserError as error:
            await self.say(Problem(error))
            return
        await message.line.remove()
        await self.say(f"wrote {', '.join(map(show_name, written))}")

    def action_write_tests(self) -> None:
        """Write the newest drafted tests."""
        from tui.widgets.drafting import WriteLine

        if lines := self.query(WriteLine):
            lines.last().action_write()

    def _stop(self) -> None:
        if self._run is not None:
            self._stopping = True
            self._run.cancel()

    def _run_is_over(self) -> None:
        self.refresh_bindings()
        self.app.refresh_status()

    @on(Prompt.CompletionWanted)
    @work(group="completing", exclusive=True, exit_on_error=False)
    async def completion_wanted(self, message: Prompt.CompletionWanted) -> None:
        """Offer commands at once, files and symbols as soon as the index has them."""
        self._completions.offer(await offers(self.app.desk, message))

    @on(Prompt.Changed)
    def keep_draft(self) -> None:
        """What is typed survives a crash."""
        self.app.keep_draft(self.prompt.text)

    def keep_to(self, filter: str) -> None:
        """Let questions search these files only, and say so at the prompt; "" lifts it."""
        self.filter = filter
        self.prompt.border_title = Content(f"only {show_name(filter)}") if filter else None

    async def say(self, *widgets: Widget | str) -> None:
        """Put something of the program's own at the end of the conversation."""
        for widget in widgets:
            await self.conversation.add(Note(widget) if isinstance(widget, str) else widget)

    # -- reading --------------------------------------------------------------------------------------------------

    @on(PlaceLink.Opened)
    def link_opened(self, message: PlaceLink.Opened) -> None:
        """Read it; the other places of its answer come next."""
        from tui.widgets.exchange import Exchange

        exchange = next((one for one in message.link.ancestors if isinstance(one, Exchange)), None)
        self.pane.read(message.place, exchange.places if exchange else [])

    @on(EvidencePane.EditorWanted)
    def editor_wanted(self, message: EvidencePane.EditorWanted) -> None:
        """The person's own editor, at the line."""
        self.app.edit(message.place.path, message.line)

    # -- keys -----------------------------------------------------------------------------------------------------

    def action_leave(self) -> None:
        """Esc: close the list, else stop the run, else close the source, else go to the prompt."""
        if self._completions.offers:
            self._completions.offer(())
        elif self.running:
            self._stop()
        elif self.has_class("-reading") and (self.has_class("-narrow") or self.pane.has_focus_within):
            self.pane.close()
            self.prompt.focus()
        else:
            self.prompt.focus()

    @on(Prompt.Interrupted)
    def action_interrupt(self) -> None:
        """Ctrl-C: copy a selection, else stop the run, else empty the prompt, else quit when pressed twice."""
        if selected := self.get_selected_text():
            self.app.copy_to_clipboard(selected)
        elif self.running:
            self._stop()
        elif self.prompt.text:
            self.prompt.write("")
        elif self._clock() - self._interrupted_at < SECONDS_TO_QUIT:
            self.app.exit()
        else:
            self._interrupted_at = self._clock()
            self.notify("Press Ctrl-C again to quit.", markup=False)

    def action_source(self) -> None:
        """Show the source, go to it, or put it away when the keys are in it."""
        if self.pane.has_focus_within:
            self.pane.close()
            self.prompt.focus()
        else:
            self.pane.reopen()

    def action_turn(self, by: int) -> None:
        """The next or previous citation of the answer."""
        self.pane.action_turn(by)

    def action_scroll_conversation(self, pages: int) -> None:
        """Scroll while the prompt keeps the focus."""
        self.conversation.scroll_relative(y=pages * max(1, self.conversation.size.height - 2), animate=False)

    def action_copy_answer(self) -> None:
        """The newest answer as Markdown, on the clipboard."""
        from tui.export import as_markdown

        answers = [one.answer for one in self.conversation.exchanges if one.answer is not None]
        if answers:
            self.app.copy_to_clipboard(as_markdown(answers[-1:]))
            self.notify("Copied the answer as Markdown.", markup=False)

    def action_withheld(self) -> None:
        """Show or hide what could not be verified in the newest answer."""
        if newest := self.conversation.newest:
            newest.toggle_withheld()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that would do nothing are not offered."""
        if action == "withheld":
            newest = self.conversation.newest if self.is_mounted else None
            return bool(newest and newest.withheld_text)
        if action == "write_tests":
            return self.is_mounted and bool(self.query("WriteLine"))
        return True
