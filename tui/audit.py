"""What was searched, for answers without evidence: a reader must be able to judge whether the search was enough."""

from __future__ import annotations

import json
from collections.abc import Sequence

from agent.answer import Answer, IndexState, Searched
from tools.show import show_name
from tui.amounts import many
from tui.spoken import ENGLISH, Spoken


def audit_lines(answer: Answer, spoken: Spoken = ENGLISH) -> list[str]:
    """The heading, every look-up with its outcome, what the index covers, and whether the tools worked."""
    headings = {
        "no_evidence": spoken.no_evidence,
        "could_not_search": spoken.could_not_search,
        "model_failed": spoken.out_of_time if answer.budget_spent == "seconds" else spoken.model_failed,
    }
    return [
        headings.get(answer.status, ""),
        "",
        spoken.searched,
        *(f"  {_searched_line(searched, spoken)}" for searched in answer.searched),
        *(() if answer.searched else (f"  {spoken.nothing}",)),
        f"{spoken.covered}{_covered(answer.index, spoken)}",
        f"{spoken.tools}{_health(answer.searched, spoken)}",
    ]


def index_line(index: IndexState) -> str:
    """What the search could see."""
    return (
        f"{many(index.files, 'file')} in {many(index.chunks, 'piece')}, "
        f"{index.vectors_share:.0%} of them with vectors, {many(index.skipped, 'file')} skipped"
    )


def _covered(index: IndexState, spoken: Spoken) -> str:
    if spoken is ENGLISH:
        return index_line(index)
    share = f"{index.vectors_share:.0%}"
    return spoken.index.format(files=index.files, chunks=index.chunks, share=share, skipped=index.skipped)


def _searched_line(searched: Searched, spoken: Spoken) -> str:
    arguments = json.dumps(searched.arguments, ensure_ascii=False)
    count = spoken.one_result if searched.results == 1 else spoken.results.format(count=searched.results)
    outcome = spoken.failed.format(why=show_name(searched.error)) if searched.error else count
    more = spoken.more_exist if searched.truncated else ""
    return f"{show_name(searched.tool)} {show_name(arguments)}: {outcome}{more}"


def _health(searched: Sequence[Searched], spoken: Spoken) -> str:
    failed = sorted({show_name(s.tool) for s in searched if s.error})
    return spoken.did_not_work.format(tools=", ".join(failed)) if failed else spoken.all_worked
