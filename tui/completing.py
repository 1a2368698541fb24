"""What the prompt offers while one types: commands, what may follow them, files and symbols, explaining what was pasted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tools.errors import UserError
from tui.slash import BACKENDS, COMMANDS, THINKING
from tui.themes import OFFERED
from tui.widgets.completions import Offer

if TYPE_CHECKING:
    from tui.desk import Desk
    from tui.widgets.prompt import Prompt

AREAS = ("source", "tests", "docs", "examples", "config", "generated")
MOST_READ = 60_000
"""Characters of a pasted text that are looked at for a failure."""


async def offers(desk: Desk | None, wanted: Prompt.CompletionWanted) -> list[Offer]:
    """What to offer, the likeliest first; nothing where nothing fits."""
    match wanted.kind:
        case "command":
            named = [name for name in COMMANDS if name.startswith(wanted.start)]
            return [Offer(f"/{name}", COMMANDS[name].help) for name in named]
        case "argument":
            return await _arguments(desk, wanted.start)
        case "word" if desk is not None:
            return [Offer(one.text, one.detail) for one in await desk.completions(wanted.start)]
        case "report" if desk is not None:
            return await asyncio.to_thread(_explaining, wanted.start)
        case _:
            return []


async def _arguments(desk: Desk | None, typed: str) -> list[Offer]:
    command, _, start = typed.partition(" ")
    before, _, word = start.rpartition(" ")
    lead = f"/{command} {before} " if before else f"/{command} "
    found = [one for one in await _known(desk, command) if one.startswith(word)]
    return [Offer(f"{lead}{one}", "") for one in found]


async def _known(desk: Desk | None, command: str) -> Iterable[str]:
    match command:
        case "theme":
            return OFFERED
        case "think":
            return THINKING
        case "filter":
            return await _filters(desk)
        case "model" | "retry" if desk is not None:
            try:
                return (*await desk.models(), *BACKENDS)
            except UserError:
                return BACKENDS
        case _:
            return ()


async def _filters(desk: Desk | None) -> list[str]:
    languages: Iterable[str] = ()
    if desk is not None:
        try:
            languages = (await desk.index_status()).languages
        except UserError:
            languages = ()
    return [*(f"area:{one}" for one in AREAS), *(f"language:{one}" for one in languages), "path:"]


def _explaining(text: str) -> list[Offer]:
    """Two things to do with a report of a failure; nothing for any other text."""
    from agent.explain import headline
    from agent.traces import read_report

    report = read_report(text[:MOST_READ])
    if not any(failure.frames for failure in report.failures):
        return []
    return [
        Offer("Explain this failure", headline(report), sends=f"/explain {text}"),
        Offer("Ask it as a question", "", sends=text),
    ]
