"""One verified statement with the chips of what it rests on."""

from __future__ import annotations

from typing import assert_never

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from agent.answer import Citation, Claim, CommitCitation, LinesCitation, TestRunCitation
from tools.show import show_name
from tui.places import cited
from tui.prose import prose
from tui.widgets.place_link import PlaceLink


class ClaimView(Vertical):
    """What the program has verified; a recommendation is told apart by its mark as well as by its colour."""

    DEFAULT_CSS = """
    ClaimView {
        height: auto; margin-bottom: 1; padding-left: 1;
        border-left: thick $success;
        &.-recommendation { border-left: wide $accent; }
        .reference { color: $text-muted; padding: 0 1; height: auto; }
    }
    """

    def __init__(self, claim: Claim, *, recommendation: bool = False) -> None:
        super().__init__(classes="-recommendation" if recommendation else "")
        self.claim = claim

    def compose(self) -> ComposeResult:
        yield Static(prose(self.claim.text))
        for citation in self.claim.citations:
            yield _reference(citation)


def _reference(citation: Citation) -> Widget:
    match citation:
        case LinesCitation():
            return PlaceLink(cited(citation))
        case TestRunCitation():
            took = f"reported by the test process, {citation.duration_seconds:.1f} s"
            return Static(Content(f"▸ {show_name(citation.label)}  {took}"), classes="reference")
        case CommitCitation():
            label = f"▸ {show_name(citation.label)}  {citation.date[:10]}  {show_name(citation.subject)}"
            return Static(Content(label), classes="reference")
        case _:
            assert_never(citation)
