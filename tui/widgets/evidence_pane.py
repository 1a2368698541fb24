"""The source beside the conversation: the cited lines in their file, what they are part of, whether they still hold."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from tools.errors import ToolError, UserError
from tools.show import show_name
from tui.highlighting import highlighted
from tui.places import Place
from tui.prose import MUTED
from tui.reading import Reading
from tui.widgets.source_view import SourceView

if TYPE_CHECKING:
    from agent.news import Enclosing
    from tui.app import CodewitnessApp

SECONDS_BETWEEN_LOOKS = 2.0


class EvidencePane(Vertical):
    """Shows one place of a list."""

    app: CodewitnessApp  # pyright: ignore[reportIncompatibleMethodOverride]

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "turn(1)", "Next citation"),
        Binding("p", "turn(-1)", "Previous"),
        Binding("e", "edit", "Editor"),
        Binding("backspace", "back", "Back", show=False),
    ]
    DEFAULT_CSS = """
    EvidencePane {
        background: $surface; border-left: solid $foreground 20%; display: none;
        &.-open { display: block; }
        & > #where { height: auto; padding: 0 1; background: $panel; }
        & > SourceView { height: 1fr; }
    }
    """

    class EditorWanted(Message):
        """The person wants to see the line in their editor."""

        def __init__(self, place: Place, line: int) -> None:
            super().__init__()
            self.place = place
            self.line = line

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.place: Place | None = None
        self.stale = False
        self._numbers = (0, 0)
        self._part_of: Enclosing | None = None
        self._reading = Reading(self)

    def compose(self) -> ComposeResult:
        yield Static(id="where")
        yield SourceView(id="source")

    @property
    def source(self) -> SourceView:
        """The lines."""
        return self.query_one(SourceView)

    def show_place(self, place: Place, lines: Sequence[str], *, stale: bool, number: int, count: int) -> None:
        """Show a place of its file, which has these (safe) lines now."""
        self.place, self.stale = place, stale
        self._numbers = (number, count)
        self._open(True)
        self.source.set_class(stale, "-stale")
        self.source.show_lines(lines, range(place.first_line, place.last_line + 1))
        self.say_where(None)

    def show_nothing(self, place: Place, why: str) -> None:
        """Say why the file cannot be shown."""
        self.place, self.stale = place, True
        self._numbers = (0, 0)
        self._open(True)
        self.source.show_lines([], range(0))
        self._where.update(
            Content.assemble((show_name(place.label), "bold"), (f"\n✗ {show_name(why)}", "$text-error"))
        )

    def count(self, count: int) -> None:
        """There are more to go through than there were."""
        self._numbers = (self._numbers[0], count)
        if self.place is not None:
            self.say_where(self._part_of)

    def say_where(self, enclosing: Enclosing | None) -> None:
        """The heading: place, mark, number of the citation, and what the lines are part of."""
        if self.place is None:
            return
        self._part_of = enclosing
        number, count = self._numbers
        counted = f"  {number} of {count}" if count > 1 else ""
        part_of = f"\nin {enclosing.kind} {show_name(enclosing.symbol)}" if enclosing else "\n"
        self._where.update(
            Content.assemble(
                (show_name(self.place.label), "bold"),
                self._mark(),
                (counted, MUTED),
                (part_of, MUTED),
            )
        )

    @work(group="colours", exclusive=True)
    async def colour(self, place: Place, lines: Sequence[str]) -> None:
        """Colour the lines, unless something else is shown by then."""
        colours = await asyncio.to_thread(highlighted, place.path, lines)
        if self.place is place:
            self.source.colour(colours)

    @property
    def _where(self) -> Static:
        return self.query_one("#where", Static)

    def _mark(self) -> tuple[str, str]:
        if self.stale:
            return ("  ! changed since it was read", "$text-warning")
        if self.place is not None and self.place.verified:
            return ("  ✓ lines verified", "$text-success")
        return ("", "")

    def action_edit(self) -> None:
        """Open the editor at the cursor's line."""
        if self.place is not None:
            self.post_message(self.EditorWanted(self.place, self.source.cursor))

    # -- what to read ---------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Look now and then whether the file in sight has changed."""
        self.set_interval(SECONDS_BETWEEN_LOOKS, self._look_again)

    def close(self) -> None:
        """Put the source away."""
        self._open(False)

    def reopen(self) -> None:
        """Show what was shown last, or what is there to be read."""
        if (place := self._reading.place) is not None:
            self.read(place, self._reading.places)

    def offer(self, places: list[Place], *, show: bool) -> None:
        """These can be read now, more of them than before perhaps; the first may be shown at once."""
        if not self._reading.offer(places):
            self.count(len(places))
        elif show:
            self._show_first()

    @work(group="reading", exclusive=True)
    async def read(self, place: Place, among: list[Place]) -> None:
        """Open a place, and let the keys move in it."""
        desk = await self.app.opened()
        await self._reading.open(desk, place, among)
        self.source.focus()

    @work(group="reading", exclusive=True)
    async def _show_first(self) -> None:
        await self._reading.show(await self.app.opened())

    @work(group="reading", exclusive=True)
    async def action_turn(self, by: int) -> None:
        """The next or previous citation; the present one where the source was put away."""
        desk = await self.app.opened()
        if self.has_class("-open"):
            await self._reading.turn(desk, by)
        else:
            await self._reading.show(desk)

    @work(group="reading", exclusive=True)
    async def action_back(self) -> None:
        """What was read before."""
        await self._reading.back(await self.app.opened())

    @work(group="looking", exclusive=True)
    async def _look_again(self) -> None:
        if self.app.desk is not None and self.has_class("-open"):
            await self._reading.check(self.app.desk)

    @on(SourceView.NameWanted)
    @work(group="looking-up", exclusive=True)
    async def name_wanted(self, message: SourceView.NameWanted) -> None:
        """One place is opened at once; of many the person picks."""
        from tui.screens.picking import PickingScreen, picked_from

        desk = await self.app.opened()
        try:
            hits = await desk.look_up(message.name, "definition" if message.find == "definition" else "any")
        except (ToolError, UserError) as error:
            self.notify(show_name(str(error)), severity="error", markup=False)
            return
        choices = picked_from(hits, definitions_only=message.find == "definition")
        if not choices:
            self.notify(
                f"nothing indexed defines {show_name(message.name)}", severity="warning", markup=False
            )
        elif len(choices) == 1:
            self.read(choices[0].place, [])
        elif place := await self.app.push_screen_wait(PickingScreen(message.name, choices)):
            self.read(place, [choice.place for choice in choices])

    def _open(self, is_open: bool) -> None:
        self.set_class(is_open, "-open")
        self.screen.set_class(is_open, "-reading")
