"""`run_tests` on a real workspace, in a real sandbox, with a person who answers as the test says."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.boxed import NOWHERE
from support.indexed import build_index, write_files

from tools.consent import ConsentRequest, Consents, IsolatedRuns
from tools.evidence import TestRun
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.run_tests import RunTests, TestsRan
from tools.sandbox.tiers import Sandbox, find_sandbox
from tools.suite import Suite, SuiteOptions
from tools.toolbox import Toolbox
from tools.workspace import Workspace

PROJECTS = Path(__file__).parent / "projects"


@dataclass
class Person:
    """Answers what is asked, and remembers it."""

    answer: bool = True
    asked: list[ConsentRequest] = field(default_factory=list[ConsentRequest])

    async def __call__(self, request: ConsentRequest) -> bool:
        self.asked.append(request)
        return self.answer


@dataclass
class TestedWorkspace:
    __test__ = False

    root: Path
    suite: Suite
    toolbox: Toolbox
    tool: RunTests
    person: Person

    async def run(self, **arguments: object) -> TestsRan:
        """Call the tool, and hold all its forms against each other."""
        result: Any = await self.toolbox.call("run_tests", arguments)
        assert isinstance(result, TestsRan)
        ids = [f"E{n}" for n in range(1, len(result.evidence) + 1)]
        assert isinstance(result.evidence[0], TestRun)
        assert result.for_model(ids).startswith(f"[E1] {result.test_run.command}: {result.test_run.verdict}")
        assert result.as_json(ids)["verdict"] == result.test_run.verdict
        return result


def a_project(root: Path, name: str) -> Path:
    """A copy of a committed project."""
    shutil.copytree(PROJECTS / name, root)
    return root


@contextmanager
def opened_suite(
    root: Path,
    data_folder: Path,
    files: Mapping[str, str | bytes] | None = None,
    *,
    sandbox: Sandbox | None = None,
    person: Person | None = None,
    isolated_runs: IsolatedRuns = "ask",
    options: SuiteOptions | None = None,
) -> Generator[TestedWorkspace]:
    """Open everything on a folder that holds these files; closed at the end."""
    root.mkdir(exist_ok=True)
    write_files(root, files or {})
    build_index(root, data_folder)
    workspace, workers = Workspace(root), ChunkWorkers(processes=1)
    person = person or Person()
    try:
        with Catalog.open(data_folder, read_only=True) as catalog:
            consents = Consents(data_folder, person, isolated_runs)
            suite = Suite(
                workspace,
                catalog,
                data_folder,
                consents,
                options or SuiteOptions(seconds=60),
                sandbox or find_sandbox(NOWHERE),
            )
            tool = RunTests(workspace, catalog, workers, suite)
            yield TestedWorkspace(root, suite, Toolbox((tool,)), tool, person)
    finally:
        workers.close()
        workspace.close()
