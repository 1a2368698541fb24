"""An answer, or a whole conversation, as Markdown that can be pasted or kept."""

from __future__ import annotations

from collections.abc import Iterable

from agent.answer import Answer, Claim, LinesCitation
from tools.show import show, show_name
from tui.audit import audit_lines
from tui.plain import described, summary_lines


def as_markdown(answers: Iterable[Answer]) -> str:
    """One section for each answer, each cited place with its lines."""
    return "\n\n".join("\n".join(_section(answer)) for answer in answers) + "\n"


def _section(answer: Answer) -> list[str]:
    lines = [f"## {show_name(answer.question)}", ""]
    if answer.is_empty:
        lines += audit_lines(answer)
    for claim in answer.observed:
        lines += _claim(claim)
    if answer.recommendations:
        lines += ["### Recommendations", ""]
        for claim in answer.recommendations:
            lines += _claim(claim)
    if answer.steps:
        lines += ["### Steps", "", *(f"{n}. {show_name(step)}" for n, step in enumerate(answer.steps, 1)), ""]
    if answer.files_to_review:
        files = (f"- `{show_name(file.path)}`: {show_name(file.why)}" for file in answer.files_to_review)
        lines += ["### Files to review", "", *files, ""]
    summary = "; ".join(summary_lines(answer, verbose=True))
    return [*lines, f"*{described(answer.backend)}: {summary}. {show_name(answer.notice)}*"]


def _claim(claim: Claim) -> list[str]:
    lines = [f"- {show(claim.text)}"]
    for citation in claim.citations:
        if isinstance(citation, LinesCitation):
            lines += [f"  `{show_name(citation.label)}` (lines verified)", "", *_quoted(citation), ""]
        else:
            lines += [f"  {show_name(citation.label)}", ""]
    return lines


def _quoted(citation: LinesCitation) -> list[str]:
    """The lines in a fence longer than any that they hold."""
    fence = "```"
    while fence in citation.text:
        fence += "`"
    return [f"  {line}" for line in (fence, *show(citation.text).split("\n"), fence)]
