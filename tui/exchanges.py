"""What is asked becomes an exchange on the screen: how it is headed, in which language, and whose events it draws."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Callable

from agent.drafting.report import DraftEvent, Drafting, DraftRequest, TestsDrafted
from agent.explain import headline
from agent.phrases import Language
from agent.traces import read_report
from tui.amounts import many
from tui.desk import Desk
from tui.locale import language_of
from tui.search_words import filters_of
from tui.spoken import SPOKEN, Spoken, spoken_for
from tui.widgets.drafting import DraftingView
from tui.widgets.exchange import Exchange, Kind

MOST_READ = 60_000
"""Characters of a report that its heading is taken from."""


def new_exchange(question: str, kind: Kind, clock: Callable[[], float]) -> Exchange:
    """The exchange, nothing answered yet. Takes a while the first time: call it in a thread."""
    match kind:
        case "ask":
            return Exchange(question, clock, spoken=spoken_for(question))
        case "explain":
            return _explaining(question, clock)
        case "test":
            return Exchange(question, clock, kind, f"Explain the failure of {question}", _own())
        case "draft":
            return DraftingView(question, clock, _language())


async def draw(exchange: Exchange, event: DraftEvent) -> None:
    """Let the exchange draw one event."""
    if isinstance(exchange, DraftingView):
        await exchange.take_drafting(event)
    elif not isinstance(event, Drafting | TestsDrafted):
        await exchange.take(event)


def events_of(desk: Desk, exchange: Exchange, filter: str) -> AsyncGenerator[DraftEvent, None]:
    """The run that answers it."""
    match exchange.kind:
        case "ask":
            return desk.ask(exchange.question, filters_of(filter))
        case "explain":
            return desk.explain(exchange.question)
        case "test":
            return desk.explain_test(exchange.question)
        case "draft":
            return desk.draft_tests(_request(exchange.question))


def _explaining(text: str, clock: Callable[[], float]) -> Exchange:
    report = read_report(text[:MOST_READ])
    lines = many(len(text.strip().splitlines()), "line")
    spoken = spoken_for(report.prose) if report.prose else _own()
    return Exchange(text, clock, "explain", f"Explain: {headline(report)}  ({lines})", spoken)


def _request(typed: str) -> DraftRequest:
    """`TARGET`, or `--changed [REVISION]`."""
    first, _, rest = typed.partition(" ")
    if first in ("--changed", "changed"):
        return DraftRequest(changed=rest.strip() or "HEAD", language=_language())
    return DraftRequest(target=typed, language=_language())


def _own() -> Spoken:
    return SPOKEN[_language()]


def _language() -> Language:
    return language_of(os.environ)
