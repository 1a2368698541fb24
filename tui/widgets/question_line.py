"""The question above its answer: Enter or a click puts it back into the prompt, to be changed and asked again."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from tools.show import show

if TYPE_CHECKING:
    from tui.widgets.exchange import Exchange


class QuestionLine(Static, can_focus=True):
    """One question."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,e", "edit", "Edit and ask again"),
        Binding("r", "repeat", "Ask again"),
    ]
    DEFAULT_CSS = """
    QuestionLine {
        padding: 0 1; background: $panel; text-style: bold; margin-bottom: 1; height: auto;
        &:focus { background: $primary; color: $background; }
    }
    """

    class EditWanted(Message):
        """The person wants to change the question."""

        def __init__(self, exchange: Exchange) -> None:
            super().__init__()
            self.exchange = exchange

    class RepeatWanted(Message):
        """The person wants the same question answered again."""

        def __init__(self, exchange: Exchange) -> None:
            super().__init__()
            self.exchange = exchange

    def __init__(self, exchange: Exchange, heading: str) -> None:
        super().__init__(Content.assemble(("❯ ", "$text-primary"), show(heading)), classes="question")
        self._exchange = exchange

    def action_edit(self) -> None:
        """Say so."""
        self.post_message(self.EditWanted(self._exchange))

    def action_repeat(self) -> None:
        """Say so."""
        self.post_message(self.RepeatWanted(self._exchange))
