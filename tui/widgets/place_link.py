"""A place in the sources as a chip: Enter or a click opens it beside the conversation."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from tools.show import show_name
from tui.places import Place
from tui.prose import MUTED


class PlaceLink(Static, can_focus=True):
    """One place; a verified citation says so."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "open", "Open source")]
    DEFAULT_CSS = """
    PlaceLink {
        width: auto; height: auto; max-width: 100%; padding: 0 1;
        color: $text-primary; pointer: pointer;
        &:hover { background: $boost; }
        &:focus { background: $primary; color: $background; text-style: bold; }
        &.-shown { text-style: underline; }
    }
    """

    class Opened(Message):
        """The person wants to see the place."""

        def __init__(self, link: PlaceLink) -> None:
            super().__init__()
            self.link = link
            self.place = link.place

    def __init__(self, place: Place, note: str = "") -> None:
        super().__init__(_content(place, note))
        self.place = place

    def action_open(self) -> None:
        """Say that the place is wanted."""
        self.post_message(self.Opened(self))

    def on_click(self) -> None:
        """A click opens as Enter does."""
        self.action_open()


def _content(place: Place, note: str) -> Content:
    mark = ""
    if place.verified:
        moved = f", moved from {show_name(place.moved_from)}" if place.moved_from else ""
        mark = f"  ✓ lines verified{moved}"
    elif note:
        mark = f"  {show_name(note)}"
    return Content.assemble(
        "▸ ", show_name(place.label), (mark, "$text-success" if place.verified else MUTED)
    )
