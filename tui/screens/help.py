"""Every key and command, made from the bindings themselves, so that it cannot be out of date."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.slash import COMMANDS

KEYS_WIDTH = 24


class HelpScreen(ModalScreen[None]):
    """One page to scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,f1", "dismiss(None)", "Close")]
    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        & > VerticalScroll {
            width: 90%; max-width: 100; height: 90%; padding: 0 2; background: $surface;
            border: round $primary; border-title-style: bold;
        }
        Static { height: auto; margin-bottom: 1; }
    }
    """

    def compose(self) -> ComposeResult:
        with VerticalScroll() as page:
            page.border_title = "Help"
            page.border_subtitle = "Esc closes"
            for title, lines in sections():
                head = Content.assemble((title, "bold $text-primary"))
                yield Static(Content("\n").join([head, *(_line(*line) for line in lines)]))


def sections() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each part of the page: its title, and keys or commands with what they do."""
    from tui.screens.main import MainScreen
    from tui.screens.search import SearchScreen
    from tui.screens.sessions import SessionsScreen
    from tui.widgets.evidence_pane import EvidencePane
    from tui.widgets.place_link import PlaceLink
    from tui.widgets.prompt import Prompt
    from tui.widgets.source_view import SourceView

    yield "Everywhere", [*_keys(MainScreen), ("ctrl+p", "Command palette"), ("ctrl+q", "Quit")]
    yield "In the prompt", _keys(Prompt)
    yield "On a citation or a folded line", [*_keys(PlaceLink), ("tab", "Go on to the next one")]
    yield "In the source", [*_keys(EvidencePane), *_keys(SourceView)]
    yield "In the search", _keys(SearchScreen)
    yield "In the list of sessions", _keys(SessionsScreen)
    yield "Commands", [(f"/{name} {one.argument}".strip(), one.help) for name, one in COMMANDS.items()]
    yield (
        "What the marks mean",
        [
            (
                "✓ lines verified",
                "these lines exist, were read in this run, have not changed, and hold what the statement names",
            ),
            ("", "It does not prove that the statement means what the lines mean: read them."),
            ("! changed", "the file was edited after the lines were read"),
        ],
    )


def _keys(owner: type[DOMNode]) -> list[tuple[str, str]]:
    bindings = [one for one in owner.BINDINGS if isinstance(one, Binding)]
    return [(one.key.replace(",", " "), one.description) for one in bindings]


def _line(keys: str, what: str) -> Content:
    return Content.assemble((f"  {keys:<{KEYS_WIDTH}} ", "bold"), what)
