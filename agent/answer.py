"""Answer: what the user gets, the same in the TUI, on stdout and in JSON (`codewitness.answer/1`).

A `Citation` is a part of one Evidence of this run and exists only after `agent/citations.py` verified it.
What a model writes before that is a draft (`agent/drafts.py`), never a claim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from agent.messages import BackendInfo

Status: TypeAlias = Literal["answered", "partial", "no_evidence", "could_not_search", "model_failed"]
"""`model_failed`: things were found, and the model's answer about them could not be read, asked for twice, or did not
come in time (`budget_spent` then is "seconds")."""


@dataclass(frozen=True, slots=True)
class LinesCitation:
    """Lines of a file that were shown in this run, verified."""

    path: str
    first_line: int
    last_line: int
    text: str
    sha256: str
    moved_from: str = ""
    """`path:first-last` as it was shown, where the file changed since and the same text was found once elsewhere in it."""

    @property
    def label(self) -> str:
        """What people read: `path:41-52`, or `path:41` for one line. A file whose very name ends so is set off by quotes."""
        lines = (
            f"{self.first_line}"
            if self.first_line == self.last_line
            else f"{self.first_line}-{self.last_line}"
        )
        path = f'"{self.path}"' if re.search(r":[\d-]+$", self.path) else self.path
        return f"{path}:{lines}"


@dataclass(frozen=True, slots=True)
class TestRunCitation:
    """A run of tests that happened in this run."""

    __test__ = False

    command: str
    verdict: str
    duration_seconds: float
    tree_sha256: str

    @property
    def label(self) -> str:
        return f"test run: {self.command} ({self.verdict})"


@dataclass(frozen=True, slots=True)
class CommitCitation:
    """A commit that was shown in this run, and is in the repository."""

    sha: str
    subject: str
    date: str
    text: str = ""
    """The lines of its message and patch that were cited, masked; "" where it is cited as a whole."""

    @property
    def label(self) -> str:
        return f"commit {self.sha[:10]}"


Citation: TypeAlias = LinesCitation | TestRunCitation | CommitCitation


@dataclass(frozen=True, slots=True)
class Claim:
    """One verified statement."""

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Withheld:
    """A statement that was not shown, and why. `text` is unverified."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class FileToReview:
    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Searched:
    """One tool call of the run, for the audit of an answer."""

    tool: str
    arguments: dict[str, Any]
    results: int
    truncated: bool
    error: str = ""
    reranked: str = ""
    """Whether the model put the results in order, or why not; "" where it was not to."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """What the search could see."""

    files: int
    chunks: int
    vectors_share: float
    """Of the chunks that have a vector, 0 to 1."""
    skipped: int
    notes: tuple[str, ...] = ()
    """What was not whole ("vectors were built with another embedder", "listed by walk: …")."""


@dataclass(frozen=True, slots=True)
class Usage:
    seconds: float
    model_turns: int
    tool_calls: int
    prompt_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, whole."""

    question: str
    status: Status
    backend: BackendInfo
    observed: tuple[Claim, ...]
    recommendations: tuple[Claim, ...]
    steps: tuple[str, ...]
    files_to_review: tuple[FileToReview, ...]
    withheld: tuple[Withheld, ...]
    searched: tuple[Searched, ...]
    index: IndexState
    usage: Usage
    notice: str = ""
    """One fixed sentence of the program's own about how this answer was made ("No model wrote this: …"), or ""."""
    budget_spent: str = ""
    """Which limit ended the run (steps, seconds, tokens), or ""."""

    @property
    def is_empty(self) -> bool:
        """True when it states nothing: what was searched is then all that there is to show."""
        return self.status not in ("answered", "partial")
