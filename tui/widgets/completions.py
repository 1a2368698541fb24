"""What an `@` word or a `/` command may become: a short list above the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tools.show import show_name
from tui.prose import MUTED


@dataclass(frozen=True, slots=True)
class Offer:
    """One completion: what is put in the prompt, and what the list says about it."""

    text: str
    detail: str
    sends: str = ""
    """What is sent at once when it is chosen, in place of being put in the prompt."""


class Completions(OptionList, can_focus=False):
    """Moved through from the prompt, which keeps the focus."""

    DEFAULT_CSS = """
    Completions {
        display: none; height: auto; max-height: 8; border: none; padding: 0 1; background: $panel;
        &.-any { display: block; }
    }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self.offers: list[Offer] = []

    def offer(self, offers: Sequence[Offer]) -> None:
        """Show these; none hides the list."""
        self.offers = list(offers)
        self.clear_options()
        width = max((len(one.text) for one in offers), default=0)
        width = min(width, 48)
        self.add_options(
            Option(Content.assemble(show_name(one.text).ljust(width), "  ", (show_name(one.detail), MUTED)))
            for one in offers
        )
        self.set_class(bool(offers), "-any")
        self.highlighted = 0 if offers else None

    @property
    def chosen(self) -> Offer | None:
        """The marked one."""
        return self.offers[self.highlighted] if self.offers and self.highlighted is not None else None

    def move(self, by: int) -> None:
        """Mark another one, around the ends."""
        if self.offers:
            self.highlighted = ((self.highlighted or 0) + by) % len(self.offers)
