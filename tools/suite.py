"""The tests of one workspace: which runner fits, and one run of them, agreed to and as isolated as this machine allows.

The tool `run_tests`, and every command that runs tests, go through here. The verdict is the runner's; whether the
workspace stayed as it was is looked at here.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tools.consent import Consents, ToRun, fingerprint
from tools.errors import UserError
from tools.index.catalog import Catalog
from tools.runners.find import RunnerChoice, find_runner, has_tests
from tools.runners.runner import INSIDE, Facts, Plan, Report, Runner, RunnerLacks, Selection
from tools.runners.survey import Survey, survey
from tools.sandbox.box import Box, CannotRun
from tools.sandbox.job import MEBIBYTE, Ended, Job, Layout, Limits
from tools.sandbox.tiers import Sandbox, find_sandbox
from tools.tree_hash import file_sha256, tree_sha256
from tools.workspace import Workspace

_LAST_FAILED = "last_failed.json"
_MAX_KEPT = 500


@dataclass(frozen=True)
class SuiteOptions:
    """What a person's settings say about running tests."""

    runner: str = ""
    """Its name; "": found by the files of the workspace."""
    python: str = ""
    seconds: float = 120.0
    scratch_mib: int = 512
    readable: tuple[str, ...] = ()
    """Secret files that the tests may read all the same."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    """The person's own, to find the active Python and tool chains; nothing of it reaches the tests."""


@dataclass(frozen=True)
class SuiteRun:
    """One run of tests."""

    runner: str
    program: str
    plan: Plan
    sandbox: Sandbox
    ended: Ended
    report: Report
    tree_sha256: str
    notes: tuple[str, ...]

    @property
    def command(self) -> str:
        """As people write it."""
        return " ".join(self.plan.shown)


@dataclass(frozen=True)
class Prepared:
    """What runs the tests, agreed to."""

    runner: Runner
    facts: Facts
    seen: Survey
    sandbox: Sandbox


@dataclass(frozen=True)
class Started:
    """One start, at its end."""

    plan: Plan
    layout: Layout
    ended: Ended


class TestsUnusable(UserError):
    """The tests of this workspace cannot be run here."""

    __test__ = False


class Suite:
    """The tests of a workspace."""

    def __init__(
        self,
        workspace: Workspace,
        catalog: Catalog,
        folder: Path,
        consents: Consents,
        options: SuiteOptions,
        sandbox: Sandbox | None = None,
    ) -> None:
        """`folder`: where what is kept about this workspace lies. `sandbox`: None finds the strongest at the first run."""
        self._workspace = workspace
        self._catalog = catalog
        self._last_failed = folder / _LAST_FAILED
        self._consents = consents
        self._options = options
        self._sandbox = sandbox

    def has_tests(self) -> bool:
        """Whether a runner fits the indexed files."""
        return self._options.runner != "none" and has_tests(self._catalog.files())

    def last_failed(self) -> tuple[str, ...]:
        """What failed in the last run of this workspace's tests."""
        with suppress(OSError, ValueError, TypeError):
            kept: Any = json.loads(self._last_failed.read_text(encoding="utf-8"))
            return tuple(str(test) for test in kept)
        return ()

    async def run(self, selection: Selection) -> SuiteRun:
        """Run these tests.

        Raises: ConsentRefused; TargetInvalid for a selection that the runner cannot name; TestsUnusable.
        """
        prepared = await self.prepare(selection)
        runner = prepared.runner
        before = self.tree_sha256()
        started = await self.start(prepared, lambda layout: runner.plan(selection, layout))
        report = runner.read_report(started.ended, started.layout, self._workspace)
        self._remember(report)
        notes = (*started.ended.notes, *self.changes_since(before))
        return SuiteRun(
            runner.name,
            prepared.facts.program,
            started.plan,
            prepared.sandbox,
            started.ended,
            report,
            before,
            notes,
        )

    async def prepare(self, selection: Selection) -> Prepared:
        """Find what runs these tests, and have the person agree to it. Raises: as `run` does."""
        seen = await asyncio.to_thread(survey, self._workspace)
        runner = self._runner(seen, selection)
        sandbox = await self._isolation()
        facts = runner.facts()
        with sandbox.open(self._workspace.root, INSIDE) as box:
            plan = runner.plan(selection, box.layout)
        await self._consents.obtain(self._to_run(runner, facts, plan, sandbox))
        return Prepared(runner, facts, seen, sandbox)

    async def start(
        self,
        prepared: Prepared,
        planned: Callable[[Layout], Plan],
        *,
        seconds: float = 0.0,
        heard: Callable[[bytes], None] | None = None,
    ) -> Started:
        """One start of what was agreed to, to its end. Raises: TargetInvalid, TestsUnusable.

        `seconds`: at most this, if less than what the settings say. `heard` is told the report as it comes, by
        another thread.
        """
        with prepared.sandbox.open(self._workspace.root, INSIDE) as box:
            plan = planned(box.layout)
            job = self._job(plan, prepared.runner, prepared.seen)
            if seconds:
                job = replace(job, limits=replace(job.limits, seconds=min(seconds, job.limits.seconds)))
            return Started(plan, box.layout, await self._to_the_end(box, job, heard))

    def tree_sha256(self) -> str:
        """The state of the indexed files."""
        return tree_sha256(self._workspace, self._catalog.files())

    def changes_since(self, before: str) -> tuple[str, ...]:
        """A note, where the indexed files are not what they were."""
        if self.tree_sha256() == before:
            return ()
        return ("files of the workspace changed while the tests ran",)

    async def _isolation(self) -> Sandbox:
        """Probed at the first run: it takes a moment, and most sessions run no tests."""
        if self._sandbox is None:
            self._sandbox = await asyncio.to_thread(find_sandbox, self._workspace.root)
        return self._sandbox

    def _runner(self, seen: Survey, selection: Selection) -> Runner:
        options = self._options
        choice = RunnerChoice(options.runner, options.python, options.environment)
        try:
            return find_runner(self._workspace, seen, choice, selection)
        except RunnerLacks as lacks:
            raise TestsUnusable(
                "the tests of this workspace cannot be run",
                cause=str(lacks),
                hint="install what is missing, or name another runner in `tests.runner`",
            ) from None

    def _to_run(self, runner: Runner, facts: Facts, plan: Plan, sandbox: Sandbox) -> ToRun:
        contents = {path: file_sha256(self._workspace, path) for path in facts.files}
        return ToRun(
            tier=sandbox.tier,
            promise=sandbox.promise,
            lacks=sandbox.lacks,
            command=plan.shown,
            program=facts.program,
            code=facts.code,
            fingerprint=fingerprint((runner.name, facts.program), contents),
        )

    def _job(self, plan: Plan, runner: Runner, seen: Survey) -> Job:
        masked = tuple(path for path in seen.secret if path not in self._options.readable)
        limits: Limits = replace(
            plan.limits,
            seconds=self._options.seconds,
            workspace_bytes=self._options.scratch_mib * MEBIBYTE,
        )
        return Job(
            argv=plan.argv,
            folder=plan.folder,
            environment=plan.environment,
            read_only=plan.read_only,
            layered=plan.layered,
            dependencies=runner.dependencies,
            masked=masked,
            limits=limits,
        )

    async def _to_the_end(self, box: Box, job: Job, heard: Callable[[bytes], None] | None = None) -> Ended:
        stop = threading.Event()
        running = asyncio.ensure_future(asyncio.to_thread(box.run, job, stop.is_set, heard))
        try:
            return await asyncio.shield(running)
        except (CannotRun, OSError) as problem:
            raise TestsUnusable(
                "the tests could not be started",
                cause=str(problem),
                hint="`codewitness doctor` shows what is there",
            ) from None
        finally:
            stop.set()
            await asyncio.wait([running])

    def _remember(self, report: Report) -> None:
        if report.tests:
            failed = [test.id for test in report.bad][:_MAX_KEPT]
            self._last_failed.write_text(json.dumps(failed), encoding="utf-8")
