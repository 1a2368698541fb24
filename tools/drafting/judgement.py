"""What a judge says of a draft: each test with the reasons against it, and what became of each mutant."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tools.drafting.draft import Draft
from tools.drafting.mutants import Mutant
from tools.drafting.reasons import Reason
from tools.runners.runner import Frame, Report
from tools.sandbox.tiers import Sandbox
from tools.workspace import split_lines


class JudgeStep(StrEnum):
    """What a judge is at."""

    RUN = "run"
    """The tests are run: once, then again in other orders, at another time, with another home."""
    MUTANTS = "mutants"


@dataclass(frozen=True, slots=True)
class JudgeProgress:
    """How far it is."""

    step: JudgeStep
    done: int
    total: int
    """0: not known yet."""


@dataclass(frozen=True, slots=True)
class TestJudgement:
    """One test of a draft."""

    __test__ = False

    id: str
    """As the runner names it: `tests/test_cart.py::test_total[empty]`."""
    name: str
    """Of the function, without parameters: `test_total`, `TestCart::test_total`."""
    reasons: tuple[Reason, ...]
    kills: int = 0
    """Mutants with which it fails."""
    first_line: int = 0
    """Of the function in the draft, decorators included; 0: not found there."""
    last_line: int = 0
    message: str = ""
    """Of its failure in the plain run."""
    frames: tuple[Frame, ...] = ()

    @property
    def kept(self) -> bool:
        return not self.reasons


@dataclass(frozen=True, slots=True)
class MutantFate:
    """What became of a mutant."""

    mutant: Mutant
    killed_by: tuple[str, ...]
    """Ids of tests that are kept."""
    decided: bool = True
    """Whether the tests were run with it."""


@dataclass(frozen=True)
class Judgement:
    """A draft, judged."""

    tests: tuple[TestJudgement, ...]
    mutants: tuple[MutantFate, ...]
    plain: Report
    """The first run; texts are masked and safe for a screen. Frames may be in the draft itself."""
    command: str
    sandbox: Sandbox
    seconds: float
    cpu_seconds: float
    """What the test processes took."""
    notes: tuple[str, ...] = ()

    @property
    def kept(self) -> tuple[TestJudgement, ...]:
        return tuple(test for test in self.tests if test.kept)

    @property
    def killed(self) -> int:
        """Mutants that kept tests notice."""
        return sum(bool(fate.killed_by) for fate in self.mutants)

    @property
    def total(self) -> int:
        """Mutants that were tried."""
        return sum(fate.decided for fate in self.mutants)

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        return tuple(fate.mutant for fate in self.mutants if fate.decided and not fate.killed_by)

    def drop(self, draft: Draft) -> Draft | None:
        """The draft without the test functions of which a case is not kept; None where nothing is left.

        What it imports and sets up stays as it is.
        """
        kept = {test.name for test in self.tests} - {test.name for test in self.tests if not test.kept}
        gone = {(test.first_line, test.last_line) for test in self.tests if test.name not in kept}
        return _without(draft, gone - {(0, 0)}) if kept else None


def _without(draft: Draft, gone: set[tuple[int, int]]) -> Draft:
    lines = split_lines(draft.text)
    emptied = _classes_left_empty(draft, gone)
    removed = {line for first, last in (*gone, *emptied) for line in range(first, last + 1)}
    left = [line for number, line in enumerate(lines, start=1) if number not in removed]
    return Draft(draft.path, "\n".join(_single_spaced(left)).rstrip("\n") + "\n")


def _classes_left_empty(draft: Draft, gone: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Classes that held only tests, none of which is left: without a body they would not be Python."""
    spans: list[tuple[int, int]] = []
    for node in ast.parse(draft.text).body:
        if isinstance(node, ast.ClassDef) and gone:
            left = [one for one in node.body if _span(one) not in gone and not _is_text(one)]
            if not left and any(_span(one) in gone for one in node.body):
                spans.append(_span(node))
    return spans


def _span(node: ast.stmt) -> tuple[int, int]:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)]), node.end_lineno or node.lineno


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _single_spaced(lines: Sequence[str]) -> list[str]:
    """No more than two blank lines in a row, where something was taken out."""
    kept: list[str] = []
    for line in lines:
        if line.strip() or kept[-2:] != ["", ""]:
            kept.append(line if line.strip() else "")
    return kept
