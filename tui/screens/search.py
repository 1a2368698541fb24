"""Search without a model: results while typing, the source of the marked one beside them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from tools.errors import UserError
from tools.index.search import Found, SearchOutcome
from tools.show import show, show_name
from tools.workspace import Unreadable
from tui.highlighting import highlighted, safe_lines
from tui.places import Place
from tui.prose import MUTED
from tui.search_words import query_of
from tui.widgets.source_view import SourceView

if TYPE_CHECKING:
    from tui.app import CodewitnessApp

TYPING_SECONDS = 0.15
"""A search begins when the typing pauses so long."""
EMPTY = "Words, a symbol's name, or a question. Filters: area:tests  kind:class  language:python  path:src/**"


@dataclass(frozen=True, slots=True)
class Picked:
    """The place that was picked, among all that were found."""

    place: Place
    among: list[Place]


class SearchScreen(Screen[Picked | None]):
    """The prompt of a search, its results, and a preview."""

    app: CodewitnessApp  # pyright: ignore[reportIncompatibleMethodOverride]
    AUTO_FOCUS: ClassVar[str | None] = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close"),
        Binding("enter", "pick", "Open", priority=True),
        Binding("down,ctrl+n", "move(1)", "Next", priority=True),
        Binding("up", "move(-1)", "Previous", priority=True),
        Binding("pagedown", "move(8)", "Further", show=False, priority=True),
        Binding("pageup", "move(-8)", "Back", show=False, priority=True),
    ]
    DEFAULT_CSS = """
    SearchScreen {
        & > Input { border: round $primary; background: $background; }
        & > #said { height: 1; padding: 0 2; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
        & > Horizontal { height: 1fr; }
        OptionList { width: 46%; height: 100%; border: none; background: $background; scrollbar-size-vertical: 1; }
        SourceView { width: 1fr; height: 100%; border-left: solid $foreground 20%; }
        &.-narrow > Horizontal { layout: vertical; }
        &.-narrow OptionList { width: 100%; height: 1fr; }
        &.-narrow SourceView { height: 1fr; border-left: none; border-top: solid $foreground 20%; }
    }
    """

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self._words = words
        self._places: list[Place] = []

    def compose(self) -> ComposeResult:
        box = Input(self._words, placeholder="Search this code", select_on_focus=False)
        box.cursor_blink = False
        yield box
        yield Static(Content(EMPTY), id="said")
        with Horizontal():
            results = OptionList(markup=False)
            results.can_focus = False
            yield results
            yield SourceView(id="preview")
        yield Footer(compact=True)

    @on(Input.Changed)
    @work(group="search", exclusive=True, exit_on_error=False)
    async def typed(self, message: Input.Changed) -> None:
        """Search for it once the typing pauses."""
        await asyncio.sleep(TYPING_SECONDS)
        query = query_of(message.value)
        if query is None:
            self._show(())
            self._say(EMPTY)
            return
        try:
            outcome = await (await self.app.opened()).search(query)
        except UserError as error:
            self._show(())
            self._say(f"✗ {error.what}: {error.cause}")
            return
        self._show(outcome.results)
        self._say(_told(outcome))

    @on(OptionList.OptionHighlighted)
    @work(group="preview", exclusive=True, exit_on_error=False)
    async def marked(self, message: OptionList.OptionHighlighted) -> None:
        """Show the source of what is marked."""
        place = self._places[message.option_index]
        preview = self.query_one(SourceView)
        try:
            file = await (await self.app.opened()).read(place.path)
        except Unreadable as error:
            preview.show_lines([f"this file cannot be read: {error.reason}"], range(0))
            return
        lines = await asyncio.to_thread(safe_lines, file.lines)
        preview.show_lines(lines, range(place.first_line, place.last_line + 1))
        preview.colour(await asyncio.to_thread(highlighted, place.path, lines))

    @on(OptionList.OptionSelected)
    def clicked(self, message: OptionList.OptionSelected) -> None:
        """A click picks."""
        self.dismiss(Picked(self._places[message.option_index], self._places))

    def action_pick(self) -> None:
        """Open what is marked beside the conversation."""
        marked = self._results.highlighted
        if marked is not None and marked < len(self._places):
            self.dismiss(Picked(self._places[marked], self._places))

    def action_move(self, by: int) -> None:
        """Mark another result while the box keeps the focus."""
        if self._places:
            self._results.highlighted = max(
                0, min(len(self._places) - 1, (self._results.highlighted or 0) + by)
            )

    @property
    def _results(self) -> OptionList:
        return self.query_one(OptionList)

    def _say(self, what: str) -> None:
        self.query_one("#said", Static).update(Content(show_name(what)))

    def _show(self, results: tuple[Found, ...]) -> None:
        self._places = [Place(one.chunk.path, one.chunk.first_line, one.chunk.last_line) for one in results]
        self._results.clear_options()
        self._results.add_options(map(_option, results))
        if results:
            self._results.highlighted = 0
        else:
            self.query_one(SourceView).show_lines([], range(0))


def _told(outcome: SearchOutcome) -> str:
    if not outcome.results:
        missing = f"; no source holds {', '.join(outcome.missing)}" if outcome.missing else ""
        return f"nothing found{missing}"
    many = "1 place" if len(outcome.results) == 1 else f"{len(outcome.results)} places"
    missing = f"; no source holds {', '.join(outcome.missing)}" if outcome.missing else ""
    notes = "".join(f"; {note}" for note in outcome.notes)
    return f"{many}, the best holds {outcome.coverage:.0%} of the words by weight{missing}{notes}"


def _option(found: Found) -> Option:
    chunk = found.chunk
    name = chunk.qualified_name or chunk.text.strip().split("\n")[0][:80]
    return Option(
        Content.assemble(
            (show_name(name), "bold"),
            (f"  {chunk.kind}", MUTED),
            (f"\n  {show(chunk.path)}:{chunk.first_line}", "$text-primary"),
            (f"  {', '.join(found.found_by)}", MUTED),
        )
    )
