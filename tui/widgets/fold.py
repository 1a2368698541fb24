"""A line that unfolds to more: thinking, withheld statements, look-ups that are done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static


class FoldTitle(Static, can_focus=True):
    """The line itself."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "unfold", "Unfold")]

    def action_unfold(self) -> None:
        """Fold or unfold what is below."""
        fold = self.parent
        assert isinstance(fold, Fold)
        fold.open = not fold.open

    def on_click(self) -> None:
        """A click does what Enter does."""
        self.action_unfold()


class Fold(Vertical):
    """Folded at first."""

    DEFAULT_CSS = """
    Fold {
        height: auto;
        & > FoldTitle {
            width: auto; height: auto; max-width: 100%; color: $text-muted; pointer: pointer;
            &:hover { background: $boost; }
            &:focus { background: $primary; color: $background; text-style: bold; }
        }
        & > .body { height: auto; padding-left: 2; display: none; color: $text-muted; }
        &.-open > .body { display: block; }
    }
    """

    open: reactive[bool] = reactive(False, toggle_class="-open", init=False)
    heading: reactive[Content] = reactive(Content, init=False)

    def __init__(self, heading: Content | str, body: Sequence[Widget] = (), *, classes: str = "") -> None:
        super().__init__(classes=classes)
        self.set_reactive(Fold.heading, heading if isinstance(heading, Content) else Content(heading))
        self._title = FoldTitle(markup=False)
        self.body = Vertical(*body, classes="body")
        """What the line unfolds to."""

    def compose(self) -> ComposeResult:
        self._draw()
        yield self._title
        yield self.body

    def watch_open(self) -> None:
        """Turn the arrow."""
        self._draw()

    def watch_heading(self) -> None:
        """Say the new heading."""
        self._draw()

    def _draw(self) -> None:
        self._title.update(self._line())

    def _line(self) -> Content:
        return Content.assemble("▾ " if self.open else "▸ ", self.heading)
