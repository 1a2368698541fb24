"""Whether code of the workspace may be run: facts that the program put together, and No unless the person says otherwise.

No letter answers, so that what is typed while this appears does nothing; Enter and Esc are No until the other button
was gone to with the keys or the mouse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

if TYPE_CHECKING:
    from tools.consent import ConsentRequest


class ConsentScreen(ModalScreen[bool]):
    """One request."""

    AUTO_FOCUS: ClassVar[str | None] = "#no"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(False)", "No"),
        Binding("left,right", "app.focus_next", "The other button", show=False),
    ]
    DEFAULT_CSS = """
    ConsentScreen {
        align: center middle;
        & > Vertical {
            width: 90%; max-width: 110; height: auto; max-height: 90%; padding: 0 2; background: $surface;
            border: round $warning; border-title-style: bold; border-title-color: $text-warning;
        }
        VerticalScroll { height: auto; max-height: 16; margin-bottom: 1; }
        Static { height: auto; }
        Horizontal { height: auto; }
        Button { margin-right: 2; }
    }
    """

    def __init__(self, request: ConsentRequest) -> None:
        super().__init__()
        self._request = request

    def compose(self) -> ComposeResult:
        request = self._request
        with Vertical() as box:
            box.border_title = (
                "Run code of this workspace?" if request.isolated else "Run code WITHOUT isolation?"
            )
            with VerticalScroll(can_focus=False):
                yield Static(
                    Content.assemble((request.question, "bold"), *(f"\n  {fact}" for fact in request.facts))
                )
            with Horizontal():
                yield Button("No", id="no")
                yield Button("Run" if request.isolated else "Run once", id="yes", variant="warning")

    @on(Button.Pressed)
    def pressed(self, message: Button.Pressed) -> None:
        """The answer."""
        self.dismiss(message.button.id == "yes")
