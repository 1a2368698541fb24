"""One look-up: a line that updates in place and unfolds to the lines that were shown."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from agent.events import ToolFinished, ToolRefused
from agent.messages import ToolCall
from tools.evidence import CommitShown, Evidence, LinesShown
from tools.evidence import TestRun as ShownTestRun
from tools.show import show_name
from tui.places import shown
from tui.plain import call_line
from tui.prose import MUTED
from tui.widgets.fold import Fold
from tui.widgets.place_link import PlaceLink

MOST_PLACES = 40
RUNNING, DONE, SENT_BACK, FAILED = "·", "✓", "↩", "✗"


class ToolCallLine(Fold):
    """What was looked for, on what, how much came back and how long it took."""

    def __init__(self, call: ToolCall) -> None:
        super().__init__(_line(RUNNING, call, "…"))
        self.call = call

    async def finish(self, event: ToolFinished | ToolRefused) -> None:
        """Say how it went."""
        if isinstance(event, ToolRefused):
            mark, how = (FAILED, "failed") if event.broken else (SENT_BACK, "sent back")
            self.heading = _line(mark, self.call, how, "$text-error" if event.broken else "$text-warning")
            await self.body.mount(Static(Content(show_name(event.reason))))
            return
        many = "1 result" if event.results == 1 else f"{event.results} results"
        more = ", more exist" if event.truncated else ""
        self.heading = _line(DONE, self.call, f"{many}{more} · {event.seconds:.1f} s", "$text-success")
        if event.reranked:
            await self.body.mount(Static(Content(show_name(event.reranked))))
        await self.body.mount_all(_evidence(id_, one) for id_, one in event.evidence[:MOST_PLACES])
        left = len(event.evidence) - MOST_PLACES
        if left > 0:
            await self.body.mount(Static(Content(f"… and {left} more")))
        if not event.evidence:
            await self.body.mount(Static(Content("no lines were shown")))


def _line(mark: str, call: ToolCall, how: str, style: str = "") -> Content:
    return Content.assemble((mark, style), " ", call_line(call), ("  " + how, MUTED))


def _evidence(id_: str, evidence: Evidence) -> Widget:
    match evidence:
        case LinesShown():
            return PlaceLink(shown(evidence), evidence.symbol)
        case ShownTestRun():
            return Static(Content(f"{id_} {show_name(evidence.command)}: {show_name(evidence.verdict)}"))
        case CommitShown():
            return Static(Content(f"{id_} {evidence.sha[:10]} {show_name(evidence.subject)}"))
