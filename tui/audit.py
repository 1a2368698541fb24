"""What was searched, for answers without evidence: a reader must be able to judge whether the search was enough."""

from __future__ import annotations

import json
from collections.abc import Sequence

from agent.answer import Answer, IndexState, Searched
from tools.show import show_name

HEADINGS = {
    "no_evidence": "No evidence found: the search below was made, and nothing it found answers the question.",
    "could_not_search": "Could not search: something below did not work, so this says nothing about the sources.",
}


def audit_lines(answer: Answer) -> list[str]:
    """The heading, every look-up with its outcome, what the index covers, and whether the tools worked."""
    return [
        HEADINGS.get(answer.status, ""),
        "",
        "Searched:",
        *(f"  {_searched_line(searched)}" for searched in answer.searched),
        *(() if answer.searched else ("  nothing",)),
        f"Covered: {index_line(answer.index)}",
        f"Tools: {_health(answer.searched)}",
    ]


def index_line(index: IndexState) -> str:
    """What the search could see."""
    return (
        f"{index.files} files in {index.chunks} pieces, {index.vectors_share:.0%} of them with vectors, "
        f"{index.skipped} files skipped"
    )


def _searched_line(searched: Searched) -> str:
    arguments = json.dumps(searched.arguments, ensure_ascii=False)
    many = "1 result" if searched.results == 1 else f"{searched.results} results"
    outcome = f"failed: {show_name(searched.error)}" if searched.error else many
    more = ", more exist" if searched.truncated else ""
    return f"{show_name(searched.tool)} {show_name(arguments)}: {outcome}{more}"


def _health(searched: Sequence[Searched]) -> str:
    failed = sorted({show_name(s.tool) for s in searched if s.error})
    return f"{', '.join(failed)} did not work" if failed else "all worked"
