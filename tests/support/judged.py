"""Drafts judged for real: a committed project, its index, and a judge on the plainest Python there is."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.boxed import python
from support.suites import opened_suite

from tools.drafting.bench import Bench
from tools.drafting.draft import Draft
from tools.drafting.judge import Judge, JudgeOptions
from tools.drafting.judgement import Judgement, JudgeProgress
from tools.drafting.reasons import Why
from tools.drafting.target import find_targets
from tools.index.catalog import Catalog
from tools.sandbox.tiers import Sandbox
from tools.suite import Suite, SuiteOptions
from tools.workspace import Workspace

FIELDNOTES = Path(__file__).parents[2] / "evals" / "codebases" / "fieldnotes"


@dataclass
class Court:
    """A workspace, and who judges drafts for it."""

    root: Path
    workspace: Workspace
    catalog: Catalog
    suite: Suite
    judge: Judge
    bench: Bench

    async def judged(
        self,
        text: str,
        *targets: str,
        path: str = "tests/test_draft.py",
        told: list[JudgeProgress] | None = None,
    ) -> Judgement:
        """A draft for these targets, judged."""
        found = [target for name in targets for target in find_targets(self.catalog, name)]
        progress = [] if told is None else told
        return await self.judge.judge(Draft(path, text), found, progress=progress.append)


@contextmanager
def opened_court(
    folder: Path,
    files: Mapping[str, str | bytes] | None = None,
    *,
    project: Path | None = FIELDNOTES,
    sandbox: Sandbox | None = None,
    options: JudgeOptions | None = None,
) -> Generator[Court]:
    """Everything opened on a copy of a project. Its Python has no packages, so that it starts fast."""
    root = folder / "workspace"
    if project is not None:
        shutil.copytree(project, root, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
    suite_options = SuiteOptions(python=python()[0])
    with opened_suite(root, folder / "data", files, sandbox=sandbox, options=suite_options) as opened:
        workspace, suite = opened.tool.workspace, opened.suite
        judge = Judge(workspace, suite, options)
        yield Court(root, workspace, opened.tool.catalog, suite, judge, Bench(workspace, suite))


def against(judgement: Judgement) -> dict[str, list[Why]]:
    """What speaks against each test, by its name."""
    return {test.name: [reason.why for reason in test.reasons] for test in judgement.tests}
