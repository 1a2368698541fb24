"""One of several places to go to: definitions of a name, or everywhere it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tools.show import show, show_name
from tui.places import Place, shown
from tui.prose import MUTED

if TYPE_CHECKING:
    from tools.symbol_hits import SymbolHits

MOST_COLUMNS = 160


@dataclass(frozen=True, slots=True)
class Choice:
    """A place, what it is, and the line of code it is about."""

    place: Place
    kind: str
    text: str


def picked_from(hits: SymbolHits, *, definitions_only: bool) -> list[Choice]:
    """What there is to pick from, definitions first."""
    entries = hits.definitions if definitions_only else (*hits.definitions, *hits.hits)
    choices: list[Choice] = []
    for entry in entries:
        at = entry.line - entry.lines.first_line
        text = entry.lines.lines()[at].strip()
        choices.append(Choice(shown(entry.lines), entry.what or entry.kind, text[:MOST_COLUMNS]))
    return choices


class PickingScreen(ModalScreen[Place | None]):
    """A list over the conversation."""

    AUTO_FOCUS: ClassVar[str | None] = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Close")]
    DEFAULT_CSS = """
    PickingScreen {
        align: center middle;
        & > Vertical {
            width: 90%; max-width: 120; height: auto; max-height: 80%; background: $surface; padding: 0 1;
            border: round $primary; border-title-style: bold;
        }
        OptionList { height: auto; max-height: 100%; border: none; background: $surface; padding: 0; }
    }
    """

    def __init__(self, looked_for: str, choices: Sequence[Choice]) -> None:
        super().__init__()
        self._looked_for = looked_for
        self._choices = list(choices)

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(f"{show_name(self._looked_for)}: {len(self._choices)} places")
            yield OptionList(*map(_option, self._choices), markup=False)

    @on(OptionList.OptionSelected)
    def picked(self, message: OptionList.OptionSelected) -> None:
        """Go there."""
        self.dismiss(self._choices[message.option_index].place)


def _option(choice: Choice) -> Option:
    return Option(
        Content.assemble(
            (f"{show_name(choice.kind):<10} ", MUTED),
            (show_name(choice.place.label), "$text-primary"),
            f"\n    {show(choice.text)}",
        )
    )
