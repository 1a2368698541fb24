"""The conversation so far: one exchange after another, the newest in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

if TYPE_CHECKING:  # the first paint comes before
    from tui.widgets.exchange import Exchange

MOST_EXCHANGES = 30
"""Older ones leave the screen, so that a long session stays quick; the conversation's file keeps them."""


class Conversation(VerticalScroll):
    """Scrolls; follows what is new until the person scrolls up."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll_down", "Down", show=False),
        Binding("k", "scroll_up", "Up", show=False),
    ]
    DEFAULT_CSS = """
    Conversation { padding: 0 1; scrollbar-size-vertical: 1; background: $background; }
    Conversation > .older { color: $text-muted; text-style: italic; margin-bottom: 1; height: auto; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._gone = 0

    def on_mount(self) -> None:
        """Stay at the end."""
        self.anchor()

    @property
    def exchanges(self) -> list[Exchange]:
        """Those on the screen, oldest first."""
        from tui.widgets.exchange import Exchange

        return list(self.query_children(Exchange))

    @property
    def newest(self) -> Exchange | None:
        """The last question."""
        return exchanges[-1] if (exchanges := self.exchanges) else None

    async def add(self, widget: Widget) -> None:
        """Put something at the end; what is too old goes."""
        await self.mount(widget)
        old = self.exchanges[:-MOST_EXCHANGES]
        if old:
            self._gone += len(old)
            await self.remove_children(old)
            await self.remove_children(".older")
            many = "1 older question" if self._gone == 1 else f"{self._gone} older questions"
            await self.mount(Static(Content(f"{many}: kept in /sessions"), classes="older"), before=0)
        self.anchor()

    async def clear(self) -> None:
        """Empty the screen."""
        self._gone = 0
        await self.remove_children()
