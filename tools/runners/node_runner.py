"""Tests on Node: vitest or jest where the project has them installed, else Node's own `node --test`."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias, cast

from tools.runners.node_reports import read_node_lines, read_suites
from tools.runners.runner import (
    Facts,
    InsidePaths,
    Plan,
    Report,
    RunnerLacks,
    Selection,
    ended_early,
    verdict_of,
)
from tools.runners.survey import Survey
from tools.runners.toolchain import program, shown
from tools.sandbox.job import Ended, Layout, Limits
from tools.workspace import Unreadable, Workspace

Framework: TypeAlias = Literal["node", "vitest", "jest"]

_ENTRIES: dict[Framework, str] = {"vitest": "vitest/vitest.mjs", "jest": "jest/bin/jest.js"}
_TEST_FILE = re.compile(r"(?:.*/)?(?:(?:.+[.\-_])?test|test-.+|.+\.spec|__tests__/.+)\.[cm]?[jt]sx?\Z")
_CONFIG = re.compile(r"(?:.*/)?(?:vitest|vite|jest)\.config\.[cm]?[jt]s(?:on)?\Z")
_MAX_FILE_BYTES = 1_000_000


@dataclass(frozen=True)
class Node:
    name: ClassVar[str] = "node"
    workspace: Workspace
    seen: Survey
    folder: str
    """Of the `package.json`."""
    framework: Framework
    entry: str
    """The framework's program in the workspace; "" for Node's own."""
    program: Path

    @property
    def dependencies(self) -> tuple[str, ...]:
        return self.seen.dependencies

    def facts(self) -> Facts:
        configs = tuple(sorted(path for path in self.seen.files if _CONFIG.match(path)))
        what = "`node --test`" if self.framework == "node" else f"{self.framework} of the project"
        files = (posixpath.join(self.folder, "package.json"), *configs)
        return Facts(f"{what}, on `{self.program}`", configs, files)

    def plan(self, selection: Selection, layout: Layout) -> Plan:
        files, name = self._chosen(selection)
        command = {"node": self._node, "vitest": self._vitest, "jest": self._jest}[self.framework]
        argv = command(layout, files, name)
        named = (f"--test-name-pattern={name}",) if name else ()
        said = ("node", "--test") if self.framework == "node" else (self.framework,)
        return Plan(
            argv=(str(self.program), *argv),
            shown=(*said, *named, *files),
            environment={"PATH": f"{self.program.parent}:/usr/bin:/bin"},
            read_only=shown(self.program),
            limits=Limits(address_space_bytes=0, processes=512),
            folder=self.folder,
        )

    def read_report(self, ended: Ended, layout: Layout, workspace: Workspace) -> Report:
        paths = InsidePaths(layout, workspace)
        read = read_node_lines if self.framework == "node" else read_suites
        tests, problem = read(ended.report, ended.exit_code, paths)
        return verdict_of(tests, ended_early(ended) or problem)

    def _node(self, layout: Layout, files: tuple[str, ...], name: str) -> tuple[str, ...]:
        named = (f"--test-name-pattern={name}",) if name else ()
        return (
            "--test",
            f"--test-reporter={layout.support}/node_reporter.mjs",
            f"--test-reporter-destination={layout.report_path}",
            *named,
            *files,
        )

    def _vitest(self, layout: Layout, files: tuple[str, ...], name: str) -> tuple[str, ...]:
        named = (f"--testNamePattern={name}",) if name else ()
        report = ("--reporter=default", "--reporter=json", f"--outputFile.json={layout.report_path}")
        return (f"{layout.workspace}/{self.entry}", "run", *report, *named, *files)

    def _jest(self, layout: Layout, files: tuple[str, ...], name: str) -> tuple[str, ...]:
        named = (f"--testNamePattern={name}",) if name else ()
        # By path: a file's name would be taken for a pattern.
        chosen = ("--runTestsByPath", *files) if files else ()
        report = ("--json", f"--outputFile={layout.report_path}", "--no-cache", "--watchman=false")
        return (f"{layout.workspace}/{self.entry}", *report, *named, *chosen)

    def _chosen(self, selection: Selection) -> tuple[tuple[str, ...], str]:
        """Files as seen from the package, and a pattern for the names of tests."""
        if selection.tests:
            parts = [test.partition("::") for test in selection.tests]
            names = dict.fromkeys(name.rpartition(" > ")[2] for _, _, name in parts if name)
            files = tuple(dict.fromkeys(self._inside(path) for path, _, _ in parts))
            return files, "|".join(map(re.escape, names))
        files = tuple(self._files(selection.path)) if selection.path else ()
        return files, selection.keyword or re.escape(selection.name.rpartition(" > ")[2])

    def _files(self, path: str) -> Iterator[str]:
        if path in self.seen.files:
            yield self._inside(path)
        else:
            under = sorted(one for one in self.seen.files if one.startswith(f"{path}/") and is_node_test(one))
            yield from map(self._inside, under)

    def _inside(self, path: str) -> str:
        return f"./{posixpath.relpath(path, self.folder or '.')}"


def is_node_test(path: str) -> bool:
    """Whether a file is a test by its name."""
    return _TEST_FILE.match(path) is not None


def find_node(workspace: Workspace, seen: Survey, named: str = "", near: str = "") -> Node | None:
    """A framework on Node, where the workspace has tests for one. Raises: RunnerLacks."""
    if not any(map(is_node_test, seen.files)):
        return None
    packages = [posixpath.dirname(path) for path in seen.named("package.json")] or [""]
    around = [folder for folder in packages if not folder or near.startswith(f"{folder}/")]
    folder = max(around, key=len) if around else packages[0]
    framework, entry = _framework(workspace, seen, folder, named)
    node = program("node", workspace, needed_for="the JavaScript tests of this workspace").resolve()
    return Node(workspace, seen, folder, framework, entry, node)


def _framework(workspace: Workspace, seen: Survey, folder: str, named: str) -> tuple[Framework, str]:
    wanted = _wanted(workspace, folder)
    for framework, entry in _ENTRIES.items():
        if named in ("", framework):
            for packages in seen.dependencies:
                place = f"{packages}/{entry}"
                if _is_around(posixpath.dirname(packages), folder) and workspace.stat(place) is not None:
                    return framework, place
        if named == framework or (not named and framework in wanted):
            raise RunnerLacks(
                f"{framework} is not installed in this project (`npm install` puts it into `node_modules`)"
            )
    return "node", ""


def _is_around(outer: str, folder: str) -> bool:
    return not outer or folder == outer or folder.startswith(f"{outer}/")


def _wanted(workspace: Workspace, folder: str) -> set[str]:
    """The packages that `package.json` asks for."""
    try:
        text = workspace.read_bytes(posixpath.join(folder, "package.json"), max_bytes=_MAX_FILE_BYTES)
        package: Any = json.loads(text)
    except (Unreadable, ValueError, RecursionError):
        return set()
    if not isinstance(package, dict):
        return set()
    tables = [cast(dict[str, Any], package).get(key) for key in ("dependencies", "devDependencies")]
    return {name for table in tables if isinstance(table, dict) for name in cast(dict[str, Any], table)}
