"""pytest, which also runs unittest suites: what happened comes from our plugin over a pipe of its own."""

from __future__ import annotations

import configparser
import json
import posixpath
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, cast

from tools.runners.python_environment import PythonEnvironment, find_python
from tools.runners.runner import (
    MAX_MESSAGE_CHARACTERS,
    MAX_OUTPUT_CHARACTERS,
    Facts,
    Frame,
    InsidePaths,
    Outcome,
    Plan,
    Report,
    RunnerLacks,
    Selection,
    TestOutcome,
    capped,
    ended_early,
    verdict_of,
)
from tools.runners.survey import Survey
from tools.sandbox.job import Ended, Layout
from tools.workspace import Unreadable, Workspace

_OWN_PACKAGES = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "exceptiongroup")
_OLDEST_FOR_OWN_PACKAGES = (3, 11)
_MAX_SETTINGS_BYTES = 1_000_000
_MAX_FRAMES = 30
_START = (
    "import sys; sys.path[:] = [p for p in sys.path if p]; import pytest; sys.exit(pytest.console_main())"
)
_EXIT_MEANINGS = {
    2: "it was interrupted",
    3: "pytest had an internal error",
    4: "pytest could not use its arguments",
}


@dataclass(frozen=True)
class Pytest:
    name: ClassVar[str] = "pytest"
    workspace: Workspace
    seen: Survey
    python: PythonEnvironment

    @property
    def dependencies(self) -> tuple[str, ...]:
        return self.seen.dependencies

    def facts(self) -> Facts:
        settings = self.seen.named("pytest.ini", ".pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini")
        conftests = self.seen.named("conftest.py")
        code = [f"`{path}`" for path in conftests[:5]]
        if len(conftests) > 5:
            code.append(f"{len(conftests) - 5} more `conftest.py`")
        for path in settings:
            code += [f"{path}: {key} = {value}" for key, value in _told(self.workspace, path)]
        own = () if self.python.has("pytest") else ("with the pytest of Codewitness, as it has none",)
        program = ", ".join((self.python.described, *own))
        return Facts(program, tuple(code), (*settings, *conftests))

    def plan(self, selection: Selection, layout: Layout) -> Plan:
        chosen = [_argument(test) for test in selection.tests]
        if selection.path:
            chosen.append(_argument("::".join(filter(None, (selection.path, selection.name)))))
        keyword = ("-k", selection.keyword) if selection.keyword else ()
        options = ("-q", "-p", "codewitness_reporter", "-p", "no:cacheprovider")
        start = ("-P", "-m", "pytest") if self.python.version >= (3, 11) else ("-c", _START)
        program = self.python.program_in(self.workspace.root, layout.workspace)
        own = () if self.python.has("pytest") else tuple(_own_packages(layout))
        paths = [layout.support, *dict.fromkeys(posixpath.dirname(target) for _, target in own)]
        return Plan(
            argv=(program, *start, *options, *keyword, *chosen),
            shown=("pytest", *keyword, *(one.removeprefix("./") for one in chosen)),
            environment={
                "CODEWITNESS_REPORT": layout.report,
                "PYTHONPATH": ":".join(paths),
                "PYTHONSAFEPATH": "1",
            },
            read_only=(*self.python.read_only, *own),
        )

    def read_report(self, ended: Ended, layout: Layout, workspace: Workspace) -> Report:
        read = Reading(InsidePaths(layout, workspace))
        for line in ended.report.splitlines():
            read.take(line)
        return verdict_of(tuple(read.tests.values()), ended_early(ended) or read.problem(ended.exit_code))


def find_pytest(
    workspace: Workspace, seen: Survey, *, python: str, environment: Mapping[str, str], near: str = ""
) -> Pytest | None:
    """pytest, where the workspace has tests for it, or will have one in the file `near`. Raises: RunnerLacks."""
    if not any(map(is_python_test, (*seen.files, near))):
        return None
    found = find_python(workspace, seen, configured=python, environment=environment)
    if not found.has("pytest") and found.version < _OLDEST_FOR_OWN_PACKAGES:
        raise RunnerLacks(f"pytest is not installed in {found.described}")
    return Pytest(workspace, seen, found)


def is_python_test(path: str) -> bool:
    """Whether pytest would look for tests in a file of this name, or set them up by it."""
    name = posixpath.basename(path)
    return name.endswith(".py") and (
        name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"
    )


def _argument(test: str) -> str:
    """A test's id as an argument that no option can be mistaken for."""
    return f"./{test}"


def _own_packages(layout: Layout) -> Iterator[tuple[Path, str]]:
    """Our own pytest for a Python that has none, beside our reporter."""
    for name in _OWN_PACKAGES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            place = Path(spec.origin)
            source = place.parent if place.name == "__init__.py" else place
            yield source, f"{layout.home}/.packages/{source.name}"


def _told(workspace: Workspace, path: str) -> Iterator[tuple[str, str]]:
    """What a person should know of pytest's settings: what is added to every command line, and what is loaded."""
    settings = pytest_settings(workspace, path)
    for key in ("addopts", "pythonpath", "required_plugins"):
        if value := settings.get(key):
            yield key, " ".join(map(str, cast(list[Any], value))) if isinstance(value, list) else str(value)


def pytest_settings(workspace: Workspace, path: str) -> dict[str, Any]:
    """pytest's own table in a settings file; empty where there is none or it cannot be read."""
    try:
        text = workspace.read_bytes(path, max_bytes=_MAX_SETTINGS_BYTES).decode()
        if path.endswith(".toml"):
            tool: Any = tomllib.loads(text).get("tool", {})
            return dict(tool.get("pytest", {}).get("ini_options", {}))
        parser = configparser.ConfigParser(interpolation=None)
        parser.read_string(text)
        section = "tool:pytest" if path.endswith("setup.cfg") else "pytest"
        return dict(parser[section]) if parser.has_section(section) else {}
    except (Unreadable, ValueError, AttributeError, TypeError, configparser.Error, RecursionError):
        return {}


class Reading:
    """The records of one run, as they are read."""

    def __init__(self, paths: InsidePaths) -> None:
        self.tests: dict[str, TestOutcome] = {}
        self._paths = paths
        self._reported: set[str] = set()
        self._collected: int | None = None
        self._finish: int | None = None
        self._stopped = ""

    def take(self, line: bytes) -> None:
        """One record; what is none is not ours, and nothing counts on it."""
        try:
            record = json.loads(line)
        except ValueError:
            return
        if isinstance(record, dict):
            self.take_record(cast(dict[str, Any], record))

    def take_record(self, fields: dict[str, Any]) -> None:
        """The same, taken apart."""
        if isinstance(collected := fields.get("collected"), int):
            self._collected = max(collected, self._collected or 0)
        elif isinstance(finish := fields.get("finish"), int):
            self._finish, self._stopped = finish, str(fields.get("stopped", ""))
        elif isinstance(fields.get("id"), str):
            self._outcome(fields)

    def problem(self, exit_code: int) -> str:
        """Why the report cannot be believed as a whole, or ""."""
        if self._collected is None and self._finish is None and not self.tests:
            return "nothing was reported: pytest did not start, or its reporter was kept out"
        if self._finish is None:
            return "the test process ended before its tests did"
        if self._finish != exit_code:
            return f"the test process reported exit status {self._finish} and ended with {exit_code}"
        if meaning := _EXIT_MEANINGS.get(exit_code):
            return (
                ""
                if exit_code == 2 and any(test.outcome == "error" for test in self.tests.values())
                else meaning
            )
        if len(self._reported) < (self._collected or 0):
            told = f"{len(self._reported)} of {self._collected} tests were reported"
            return f"{told}: {self._stopped}" if self._stopped else told
        return ""

    def _outcome(self, record: dict[str, Any]) -> None:
        test, when = str(record["id"]), record.get("when")
        if when in ("call", "setup"):
            self._reported |= {test} if when == "call" or record.get("outcome") != "passed" else set()
        outcome = _outcome_of(record)
        before = self.tests.get(test)
        seconds = _number(record.get("seconds")) + (before.seconds if before else 0)
        if outcome is None or (before and outcome == "passed"):
            if before:
                self.tests[test] = _with_seconds(before, seconds)
            return
        self.tests[test] = TestOutcome(
            id=test,
            outcome=outcome,
            seconds=seconds,
            message=capped(str(record.get("message", "")), MAX_MESSAGE_CHARACTERS),
            frames=tuple(self._frames(record.get("frames"))),
            output=capped(str(record.get("output", "")), MAX_OUTPUT_CHARACTERS),
        )

    def _frames(self, frames: object) -> Iterator[Frame]:
        for frame in cast(list[Any], frames)[-_MAX_FRAMES:] if isinstance(frames, list) else ():
            match frame:
                case [str(path), int(line), str(function)]:
                    if inside := self._paths.canonical(path):
                        yield Frame(inside, line, function)
                case _:
                    pass


def _outcome_of(record: dict[str, Any]) -> Outcome | None:
    """What a report means for its test; None where it says nothing new: a setup or teardown that went well."""
    when, outcome = record.get("when"), record.get("outcome")
    if record.get("xfail"):
        return "xpassed" if outcome == "passed" else "xfailed"
    if outcome == "skipped":
        return "skipped"
    if outcome == "failed":
        return "failed" if when == "call" else "error"
    return "passed" if when == "call" else None


def _with_seconds(test: TestOutcome, seconds: float) -> TestOutcome:
    return TestOutcome(test.id, test.outcome, seconds, test.message, test.frames, test.output)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
