"""`run_tests`: runs tests of the workspace, isolated and with the person's consent; shows where they fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from tools.consent import ConsentRefused
from tools.errors import ToolError
from tools.evidence import Evidence, LinesShown, TestRun
from tools.evidence_text import Room, clip_line, numbered, path_text, place
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.runners.runner import Frame, Selection, TargetInvalid, TestOutcome
from tools.secrets import mask
from tools.show import show
from tools.sources import Sources
from tools.suite import Suite, SuiteRun
from tools.tool import Arguments
from tools.workspace import Unreadable, Workspace

_MAX_FAILURES = 10
_MAX_FRAMES = 4
_LINES_BEFORE, _LINES_AFTER = 8, 2
_MAX_NAMED = 100
_MAX_TAIL_CHARACTERS = 3_000


class RunTestsArguments(Arguments):
    """Run tests, isolated. Says which pass and where others fail."""

    target: str = Field(default="", description="File, folder, or path::test; default all.")
    keyword: str = Field(default="", description="Only tests whose name matches.")
    last_failed: bool = Field(default=False, description="Only what failed last time.")


@dataclass(frozen=True)
class Failure:
    """A test that went wrong, with the lines that it went through."""

    test: TestOutcome
    lines: tuple[LinesShown, ...]
    """Outermost first."""


@dataclass(frozen=True)
class TestsRan:
    """One run of tests. All texts have their secrets masked."""

    __test__ = False

    run: SuiteRun
    test_run: TestRun
    tests: tuple[TestOutcome, ...]
    failures: tuple[Failure, ...]
    """The first of them."""
    tail: str
    """The end of what the run printed, where there is no whole report."""

    @property
    def evidence(self) -> Sequence[Evidence]:
        shown = [lines for failure in self.failures for lines in failure.lines]
        return (self.test_run, *dict.fromkeys(shown))

    @property
    def count(self) -> int:
        return len(self.tests)

    @property
    def truncated(self) -> bool:
        return len(self.run.report.bad) > len(self.failures) or len(self.tests) > _MAX_NAMED

    def for_model(self, ids: Sequence[str]) -> str:
        names = dict(zip(self.evidence, ids, strict=True))
        room = Room()
        parts = [f"[{ids[0]}] {self.test_run.command}: {self.test_run.verdict}", self._how()]
        parts += [part for failure in self.failures for part in self._failure(failure, names)]
        if self.tail:
            parts += ["output:", *(f"| {clip_line(line)}" for line in self.tail.split("\n"))]
        parts += [f"passed: {self._passed()}"] if self._passed() else []
        if self.truncated:
            parts.append("(cut here; next: run_tests with a target)")
        fitting = [part for part in parts if room.take(part)]
        return "\n".join(fitting)

    def as_json(self, ids: Sequence[str]) -> dict[str, Any]:
        names = dict(zip(self.evidence, ids, strict=True))
        run = self.run
        return {
            "id": ids[0],
            "command": self.test_run.command,
            "runner": run.runner,
            "with": run.program,
            "verdict": self.test_run.verdict,
            "problem": run.report.problem,
            "ended": run.ended.reason,
            "tier": run.sandbox.tier.value,
            "isolation": run.sandbox.promise,
            "seconds": round(run.ended.seconds, 3),
            "counts": dict(run.report.counts),
            "tree_sha256": run.tree_sha256,
            "tests": [
                {"id": test.id, "outcome": test.outcome, "seconds": test.seconds} for test in self.tests
            ],
            "failures": [self._failure_json(failure, names) for failure in self.failures],
            "output": self.tail,
            "notes": list(run.notes),
            "truncated": self.truncated,
        }

    def _how(self) -> str:
        run = self.run
        counts = ", ".join(f"{count} {outcome}" for outcome, count in run.report.counts.items()) or "no test"
        lines = [
            f"{counts} in {run.ended.seconds:.1f} s, as reported by the test process; {run.sandbox.name}"
        ]
        if run.report.problem:
            lines.append(f"incomplete: {run.report.problem}. It is not known whether the tests pass.")
        return "\n".join([*lines, *run.notes])

    def _failure(self, failure: Failure, names: dict[Evidence, str]) -> Iterator[str]:
        test = failure.test
        yield f"\n{test.outcome}: {test.id}"
        yield from (f"| {clip_line(line)}" for line in test.message.split("\n") if line.strip())
        for lines in failure.lines:
            inside = f", in {lines.symbol}" if lines.symbol else ""
            yield f"[{names[lines]}] {place(lines)}{inside}\n{numbered(lines)}"
        if test.output.strip() and test.output.strip() not in test.message:
            yield from ("printed:", *(f"| {clip_line(line)}" for line in test.output.strip().split("\n")))

    def _failure_json(self, failure: Failure, names: dict[Evidence, str]) -> dict[str, Any]:
        test = failure.test
        return {
            "test": test.id,
            "outcome": test.outcome,
            "message": test.message,
            "output": test.output,
            "frames": [
                {"path": frame.path, "line": frame.line, "function": frame.function} for frame in test.frames
            ],
            "lines": [
                {
                    "id": names[lines],
                    "path": lines.path,
                    "first_line": lines.first_line,
                    "last_line": lines.last_line,
                }
                for lines in failure.lines
            ],
        }

    def _passed(self) -> str:
        passed = [test.id for test in self.tests if test.outcome == "passed"]
        more = f" and {len(passed) - _MAX_NAMED} more" if len(passed) > _MAX_NAMED else ""
        return ", ".join(passed[:_MAX_NAMED]) + more


@dataclass(frozen=True)
class RunTests:
    name: ClassVar[str] = "run_tests"
    arguments: ClassVar[type[RunTestsArguments]] = RunTestsArguments
    workspace: Workspace
    catalog: Catalog
    workers: ChunkWorkers
    suite: Suite

    async def __call__(self, arguments: RunTestsArguments) -> TestsRan:
        try:
            return await self.run(self.selection(arguments))
        except (ConsentRefused, TargetInvalid) as refusal:
            raise ToolError(f"the tests were not run: {refusal}.") from refusal

    def selection(self, arguments: RunTestsArguments) -> Selection:
        """What was asked for, its path checked. Raises: ToolError."""
        if arguments.last_failed:
            tests = self.suite.last_failed()
            if not tests:
                raise ToolError("no test failed in the last run. Ask for a target, or for all tests.")
            return Selection(tests=tests)
        target, keyword = arguments.target.strip(), arguments.keyword.strip()
        if target.startswith("-") or keyword.startswith("-"):
            raise ToolError(
                "a target or keyword cannot begin with `-`. Give a file, a folder, or path::test."
            )
        path, _, name = target.partition("::")
        return Selection(self._checked(path) if path else "", name, keyword)

    async def run(self, selection: Selection) -> TestsRan:
        """Run these tests. Raises: ConsentRefused, TargetInvalid, TestsUnusable."""
        ran = await self.suite.run(selection)
        tests = tuple(map(_masked, ran.report.tests))
        bad = {test.id for test in ran.report.bad}
        failing = [test for test in tests if test.id in bad][:_MAX_FAILURES]
        failures = [Failure(test, await self._lines(test.frames)) for test in failing]
        tail = "" if ran.report.verdict != "incomplete" else _tail(ran)
        return TestsRan(ran, _test_run(ran, tests), tests, tuple(failures), tail)

    def _checked(self, path: str) -> str:
        try:
            inside = self.workspace.normalise(path)
            if self.workspace.stat(inside) is None:
                self.workspace.entries(inside)
        except Unreadable as unreadable:
            raise ToolError(f"`{path_text(path)}`: {self._why(path, unreadable)}.") from unreadable
        if inside.startswith("-"):
            raise ToolError(f"`{path_text(inside)}`: no test can be named by a path that begins with `-`.")
        return inside

    def _why(self, path: str, unreadable: Unreadable) -> str:
        """A file says more about itself than a folder that it is not."""
        try:
            self.workspace.look(path)
        except Unreadable as as_file:
            return as_file.reason
        return unreadable.reason

    async def _lines(self, frames: tuple[Frame, ...]) -> tuple[LinesShown, ...]:
        """The lines around the innermost frames, as they are now."""
        sources = Sources(self.workspace, self.catalog, self.workers)
        await sources.load([frame.path for frame in frames])
        shown: list[LinesShown] = []
        for frame in frames[-_MAX_FRAMES:]:
            try:
                source = sources.opened(frame.path)
            except Unreadable:
                continue
            if 1 <= frame.line <= source.n_lines:
                around = source.around(frame.line)
                first = max(frame.line - _LINES_BEFORE, around[-1].first_line if around else 1)
                shown.append(source.show(first, min(frame.line + _LINES_AFTER, source.n_lines)))
        return tuple(one for one in dict.fromkeys(shown) if not any(_within(one, other) for other in shown))


def _within(one: LinesShown, other: LinesShown) -> bool:
    """Whether all lines of one are among those of another, which is larger."""
    inside = other.first_line <= one.first_line and one.last_line <= other.last_line
    return inside and one.path == other.path and one != other


def _test_run(ran: SuiteRun, tests: Sequence[TestOutcome]) -> TestRun:
    return TestRun(
        command=ran.command,
        verdict=ran.report.verdict,
        duration_seconds=round(ran.ended.seconds, 3),
        tree_sha256=ran.tree_sha256,
        summary="\n".join(_summary(ran, tests)),
    )


def _summary(ran: SuiteRun, tests: Sequence[TestOutcome]) -> Iterator[str]:
    """What can be said with the run as evidence: its numbers, the tests by name, what the failures said."""
    yield ", ".join(f"{count} {outcome}" for outcome, count in ran.report.counts.items())
    if ran.report.problem:
        yield ran.report.problem
    bad = {test.id for test in ran.report.bad}
    for test in sorted(tests, key=lambda test: test.id not in bad)[:_MAX_NAMED]:
        yield f"{test.outcome}: {test.id}"
        if test.id in bad:
            yield test.message


def _masked(test: TestOutcome) -> TestOutcome:
    return TestOutcome(
        id=show(test.id),
        outcome=test.outcome,
        seconds=test.seconds,
        message=show(mask(test.message)[0]),
        frames=test.frames,
        output=show(mask(test.output)[0]),
    )


def _tail(ran: SuiteRun) -> str:
    """The end of what was printed; of the report, where all that is printed goes there."""
    printed = ran.ended.output or ran.ended.report
    text = printed[-4 * _MAX_TAIL_CHARACTERS :].decode("utf-8", "replace")
    return show(mask(text)[0]).strip()[-_MAX_TAIL_CHARACTERS:]
