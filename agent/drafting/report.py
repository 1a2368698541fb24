"""What drafting is asked for, tells while it works, and hands out at its end.

Every `Claim` here was verified by `agent/citations.py`; other sentences are fixed ones of the program, filled with
names that it read itself. A scaffold is never counted as a kept test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent.answer import Claim
from agent.events import Event
from agent.messages import BackendInfo
from agent.phrases import Language
from tools.drafting.target import Target

Step: TypeAlias = Literal["style", "contract", "observe", "write", "run", "mutants", "repair"]
Outcome: TypeAlias = Literal["kept", "scaffold", "nothing"]


@dataclass(frozen=True, slots=True)
class DraftRequest:
    """What a person wants tests for."""

    target: str = ""
    """`path:symbol`, `path` or a symbol."""
    changed: str | None = None
    """A revision: functions that changed since then and that no test calls."""
    replace: bool = False
    """Whether a test file that exists may be replaced."""
    language: Language = "en"
    """Of the account; what is written into files stays in English."""


@dataclass(frozen=True, slots=True)
class Drafting:
    """How far it is."""

    step: Step
    target: str
    done: int = 0
    total: int = 0
    """0: not known."""


@dataclass(frozen=True, slots=True)
class DroppedTest:
    """A test that was drafted and is not handed out."""

    name: str
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Survivor:
    """A change to the target that no kept test notices."""

    path: str
    line: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TargetReport:
    """What came of one target."""

    target: Target
    outcome: Outcome
    contract: tuple[Claim, ...] = ()
    pins: tuple[Claim, ...] = ()
    """What each kept test pins down."""
    characterisation: bool = False
    """The pins say what the code does today, found by calling it: nobody has said that it should."""
    dropped: tuple[DroppedTest, ...] = ()
    killed: int = 0
    total: int = 0
    """Small changes that were made to the target, to see whether the kept tests notice."""
    survivors: tuple[Survivor, ...] = ()
    untested: tuple[str, ...] = ()
    """What stays untested, and why."""

    @property
    def place(self) -> str:
        """`path:symbol`."""
        return place_of(self.target)


@dataclass(frozen=True, slots=True)
class DraftedFile:
    """A test file to be written."""

    path: str
    text: str
    before: str | None = None
    """What stands there now; None: nothing."""
    unfinished: bool = False
    """A scaffold: it has to be finished by a person."""
    tests: tuple[str, ...] = ()
    """Names of the tests that were kept."""


@dataclass(frozen=True, slots=True)
class DraftReport:
    """Everything that one command drafted."""

    targets: tuple[TargetReport, ...]
    files: tuple[DraftedFile, ...]
    patch: str
    """For `git apply`; "" where nothing was drafted."""
    style: tuple[Claim, ...]
    """How this project tests, as far as the drafts go by it."""
    backend: BackendInfo
    seconds: float
    command: str = ""
    """What ran the drafts, as people write it."""
    isolation: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def kept(self) -> int:
        """How many tests are handed out."""
        return sum(len(file.tests) for file in self.files if not file.unfinished)

    @property
    def killed(self) -> int:
        return sum(one.killed for one in self.targets)

    @property
    def total(self) -> int:
        return sum(one.total for one in self.targets)


@dataclass(frozen=True, slots=True)
class TestsDrafted:
    """The last event."""

    __test__ = False

    report: DraftReport


DraftEvent: TypeAlias = Event | Drafting | TestsDrafted


def place_of(target: Target) -> str:
    """`path:symbol`."""
    return f"{target.path}:{target.qualified_name}"
