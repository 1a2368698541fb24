"""Earlier conversations: go on with one, or delete it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from tools.show import show, show_name
from tui.desk import Desk
from tui.prose import MUTED, prose
from tui.widgets.note import Note

if TYPE_CHECKING:
    from agent.conversations import KeptConversation
    from agent.transcript import Exchange

REMEMBERED = "As it was answered then; the lines have not been checked again. Ask again to have them checked."


class SessionsScreen(Screen[Path | None]):
    """A list, the newest first."""

    AUTO_FOCUS: ClassVar[str | None] = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close"),
        Binding("enter", "go_on", "Go on", show=False),
        Binding("delete,x", "delete", "Delete"),
    ]
    DEFAULT_CSS = """
    SessionsScreen {
        & > #title { padding: 1 2; height: auto; }
        & > OptionList { height: 1fr; border: none; background: $background; padding: 0 1; }
    }
    """

    def __init__(self, desk: Desk, kept: Sequence[KeptConversation]) -> None:
        super().__init__()
        self._desk = desk
        self._kept = list(kept)
        self._doomed: Path | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield OptionList(*map(_option, self._kept), markup=False)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Say how many there are."""
        self._say()

    @on(OptionList.OptionSelected)
    def selected(self, message: OptionList.OptionSelected) -> None:
        """Go on with this one."""
        self.dismiss(self._kept[message.option_index].path)

    @on(OptionList.OptionHighlighted)
    def moved(self) -> None:
        """Moving away takes a first press of Delete back."""
        self._doomed = None
        self._say()

    async def action_delete(self) -> None:
        """Delete it for good, when pressed twice."""
        listed = self.query_one(OptionList)
        if listed.highlighted is None or not self._kept:
            return
        chosen = self._kept[listed.highlighted].path
        if self._doomed != chosen:
            self._doomed = chosen
            self._say("Press Delete again to delete this conversation for good.")
            return
        await self._desk.delete(chosen)
        del self._kept[listed.highlighted]
        listed.remove_option_at_index(listed.highlighted)
        self._doomed = None
        self._say()

    def _say(self, what: str = "") -> None:
        many = "1 conversation" if len(self._kept) == 1 else f"{len(self._kept)} conversations"
        empty = "No conversations yet: each question you ask begins or continues one."
        told = what or (f"{many} about this workspace" if self._kept else empty)
        self.query_one("#title", Static).update(
            Content.assemble((told, "bold $text-warning" if what else "bold"))
        )


def _option(kept: KeptConversation) -> Option:
    first, *others = kept.questions
    more = f"  and {len(others)} more" if others else ""
    return Option(
        Content.assemble(
            (f"{kept.last_used:%Y-%m-%d %H:%M}  ", MUTED),
            show_name(first),
            (more, MUTED),
        )
    )


def exchange_notes(exchanges: Sequence[Exchange]) -> list[Widget]:
    """What was said in a conversation, for the screen."""
    notes: list[Widget] = [
        Note(Content.assemble((f"❯ {show(one.question)}\n", "bold"), prose(one.answer))) for one in exchanges
    ]
    return [*notes, Note(REMEMBERED)]
