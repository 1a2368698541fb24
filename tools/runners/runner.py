"""What every runner is, and what it says: whether it fits a project, the command, and the outcome of each test.

The verdict rests on what the runner reported over its own pipe. It is "passed" or "failed" only where the report is
whole and agrees with how the process ended; else it is "incomplete", with the problem. Code of the workspace runs in
that same process and could forge even that: it stays "as reported by the test process".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, Protocol, TypeAlias

from tools.sandbox.job import Ended, Layout, Limits
from tools.workspace import Unreadable, Workspace

Outcome: TypeAlias = Literal["passed", "failed", "error", "skipped", "xfailed", "xpassed"]
Verdict: TypeAlias = Literal["passed", "failed", "incomplete"]

BAD: tuple[Outcome, ...] = ("failed", "error")
MAX_MESSAGE_CHARACTERS = 2_000
MAX_OUTPUT_CHARACTERS = 4_000
INSIDE = Path(__file__).with_name("inside")
"""Our own files that the test process loads: reporters."""


class RunnerLacks(Exception):
    """A runner fits the project but cannot run here; the message names what is missing."""


class TargetInvalid(Exception):
    """The tests that were asked for cannot be named to this runner; the message says what to ask instead."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which tests to run; nothing given: all."""

    path: str = ""
    """A file or folder of the workspace, canonical."""
    name: str = ""
    """A test in it, as the framework names it (`TestCart::test_total`)."""
    keyword: str = ""
    tests: tuple[str, ...] = ()
    """Ids of tests as an earlier run reported them."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A place that a failure went through, inside the workspace."""

    path: str
    line: int
    function: str = ""


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """What became of one test."""

    __test__ = False

    id: str
    outcome: Outcome
    seconds: float = 0.0
    message: str = ""
    frames: tuple[Frame, ...] = ()
    """Outermost first."""
    output: str = ""
    """What it printed, where it went wrong."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a runner reported."""

    tests: tuple[TestOutcome, ...]
    verdict: Verdict
    problem: str = ""
    """Why it is incomplete."""

    @property
    def counts(self) -> Counter[Outcome]:
        return Counter(test.outcome for test in self.tests)

    @property
    def bad(self) -> tuple[TestOutcome, ...]:
        return tuple(test for test in self.tests if test.outcome in BAD)


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be run."""

    argv: tuple[str, ...]
    """As the test process sees it."""
    shown: tuple[str, ...]
    """The same as people write it: `pytest tests/test_cart.py`."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    read_only: tuple[tuple[Path, str], ...] = ()
    """What it needs of this machine, and where it sees it."""
    layered: tuple[tuple[Path, str], ...] = ()
    """Caches that save time, and where it sees them."""
    limits: Limits = field(default_factory=Limits)
    folder: str = ""
    """Folder of the workspace in which it starts."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a person should know before a runner runs the code of a workspace."""

    program: str
    """Which interpreter or tool chain it is."""
    code: tuple[str, ...]
    """What of the workspace runs besides the tests: `conftest.py`, `addopts`, scripts."""
    files: tuple[str, ...]
    """Files whose content decides what runs: a consent holds while they stay as they are."""


class Runner(Protocol):
    """One test framework, found in one workspace."""

    name: ClassVar[str]

    def facts(self) -> Facts:
        """What a person should know before it runs."""
        ...

    @property
    def dependencies(self) -> tuple[str, ...]:
        """Folders of the workspace with installed packages."""
        ...

    def plan(self, selection: Selection, layout: Layout) -> Plan:
        """The command for these tests. Raises: TargetInvalid."""
        ...

    def read_report(self, ended: Ended, layout: Layout, workspace: Workspace) -> Report:
        """What became of the run."""
        ...


def ended_early(ended: Ended) -> str:
    """Why a run cannot have a verdict, where it did not end by itself; else ""."""
    return {
        "exit": "",
        "timeout": "it was ended: it took too long",
        "output_limit": "it was ended: it wrote too much",
        "memory_limit": "it was ended: it took too much memory",
        "process_limit": "it was ended: it started too many processes",
        "disk_limit": "it was ended: it wrote too many files",
        "cancelled": "it was cancelled",
    }[ended.reason]


def verdict_of(tests: tuple[TestOutcome, ...], problem: str) -> Report:
    """The report of a run that is whole, or that has this problem."""
    if problem:
        return Report(tests, "incomplete", problem)
    if not tests:
        return Report(tests, "incomplete", "no test was run")
    return Report(tests, "failed" if any(test.outcome in BAD for test in tests) else "passed")


def capped(text: str, limit: int) -> str:
    """The text, its middle left out where it is longer."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"


class InsidePaths:
    """Turns paths that the test process reports into paths of the workspace."""

    def __init__(self, layout: Layout, workspace: Workspace, laid: Collection[str] = ()) -> None:
        """`laid`: files that the test process alone has seen."""
        self._workspace = workspace
        self._laid = laid
        self._roots = (layout.workspace, str(workspace.root))

    def canonical(self, reported: str, folder: str = "") -> str:
        """The path in the workspace, or "" for what is not a readable file of it. `folder`: what it is relative to."""
        path = reported.removeprefix("file://")
        for root in self._roots:
            if path.startswith(f"{root}/"):
                path = path.removeprefix(f"{root}/")
                break
        else:
            if path.startswith("/"):
                return ""
            path = f"{folder}/{path}" if folder else path
        try:
            path = self._workspace.normalise(path)
        except Unreadable:
            return ""
        return path if path in self._laid or self._workspace.stat(path) is not None else ""
