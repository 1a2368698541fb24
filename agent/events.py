"""What a run tells the outside world. Front ends `match` on `Event` and end with `assert_never`.

Nothing in an event but `ClaimVerified` and `Answered` is verified; thinking and withheld text are labelled so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from agent.answer import Answer, Claim, Withheld
from agent.messages import BackendInfo, ToolCall
from tools.evidence import Evidence
from tools.index.progress import IndexProgress


@dataclass(frozen=True, slots=True)
class Indexing:
    """The index is being brought up to date before the question is asked."""

    progress: IndexProgress


@dataclass(frozen=True, slots=True)
class RunStarted:
    question: str
    backend: BackendInfo


@dataclass(frozen=True, slots=True)
class Waiting:
    """The model has been asked and has not yet said anything."""

    what: str


@dataclass(frozen=True, slots=True)
class ModelWrote:
    """Unverified text of the model, as it comes: for a progress display, never an answer."""

    text: str
    thinking: bool


@dataclass(frozen=True, slots=True)
class ToolStarted:
    call: ToolCall


@dataclass(frozen=True, slots=True)
class ToolFinished:
    call: ToolCall
    results: int
    truncated: bool
    seconds: float
    evidence: tuple[tuple[str, Evidence], ...]
    """What the call showed, by id."""
    reranked: str = ""
    """Whether the model put the results in order, or why not; "" where it was not to."""


@dataclass(frozen=True, slots=True)
class ToolRefused:
    """The call was wrong and was sent back to the model, or the tool could not work."""

    call: ToolCall
    reason: str
    broken: bool
    """True when the tool itself could not work (the answer then cannot be "no evidence")."""


@dataclass(frozen=True, slots=True)
class ClaimVerified:
    claim: Claim
    recommendation: bool


@dataclass(frozen=True, slots=True)
class ClaimWithheld:
    withheld: Withheld


@dataclass(frozen=True, slots=True)
class Answered:
    """The last event of every run."""

    answer: Answer


Event: TypeAlias = (
    Indexing
    | RunStarted
    | Waiting
    | ModelWrote
    | ToolStarted
    | ToolFinished
    | ToolRefused
    | ClaimVerified
    | ClaimWithheld
    | Answered
)
