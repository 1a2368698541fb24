"""An answer without evidence: what was looked for, what the search could see, and whether the tools worked."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from agent.answer import Answer
from tui.audit import audit_lines
from tui.spoken import Spoken


class NoEvidence(Static):
    """Framed, so that nobody takes it for an answer."""

    DEFAULT_CSS = """
    NoEvidence {
        height: auto; padding: 0 1; margin-bottom: 1;
        border: round $warning; border-title-color: $text-warning; border-title-style: bold;
        &.-failed { border: round $error; border-title-color: $text-error; }
    }
    """

    def __init__(self, answer: Answer, spoken: Spoken) -> None:
        heading, *rest = audit_lines(answer, spoken)
        title = answer.status.replace("_", " ")
        super().__init__(
            Content.assemble((heading, "bold"), *(f"\n{line}" for line in rest)),
            classes="" if answer.status == "no_evidence" else "-failed",
        )
        self.border_title = title
