"""`go test -json`: the go command reports what its test programs did, without the network and with a cache in memory."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, cast

from tools.runners.runner import (
    MAX_MESSAGE_CHARACTERS,
    MAX_OUTPUT_CHARACTERS,
    Facts,
    Frame,
    InsidePaths,
    Outcome,
    Plan,
    Report,
    Selection,
    TargetInvalid,
    TestOutcome,
    capped,
    ended_early,
    verdict_of,
)
from tools.runners.survey import Survey
from tools.runners.toolchain import home_of, program, shown, to_report
from tools.sandbox.job import MEBIBYTE, Ended, Layout, Limits
from tools.workspace import Unreadable, Workspace

_OUTCOMES: Mapping[str, Outcome] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
_SAID = re.compile(r"\s+(?P<path>[^\s:]+\.go):(?P<line>\d+):")
_STACK = re.compile(r"\t(?P<path>[^\t:]+\.go):(?P<line>\d+)")
_BUILD = re.compile(r"(?P<path>[^\s:]+\.go):(?P<line>\d+):\d+: ")
_NOISE = re.compile(r"(?:=== (?:RUN|PAUSE|CONT|NAME)|\s*--- (?:PASS|FAIL|SKIP))\b")
_TEST_FUNCTION = re.compile(r"^func (Test\w*)\(", re.MULTILINE)
_MODULE = re.compile(r'^module\s+"?([^\s"]+)', re.MULTILINE)
_MAX_FRAMES = 20
_MAX_FILE_BYTES = 4 * MEBIBYTE


@dataclass(frozen=True)
class Go:
    name: ClassVar[str] = "go"
    workspace: Workspace
    seen: Survey
    folder: str
    """Of the module, in the workspace."""
    program: Path
    read_only: tuple[tuple[Path, str], ...]
    fetched: Path
    """The person's module cache."""
    built: Path
    """The person's build cache: without it every run would compile the standard library, some 40 s."""

    @property
    def dependencies(self) -> tuple[str, ...]:
        return self.seen.dependencies

    def facts(self) -> Facts:
        with_main = [path for path in self.seen.ending("_test.go") if "func TestMain(" in self._text(path)]
        files = self.seen.named("go.mod", "go.work", "go.sum")
        program = f"`{self.program}`, offline, seeing your Go caches `{self.fetched}` and `{self.built}`"
        return Facts(program, tuple(f"TestMain in {path}" for path in with_main), files)

    def plan(self, selection: Selection, layout: Layout) -> Plan:
        packages, pattern = self._chosen(selection)
        run = (f"-run={pattern}",) if pattern else ()
        cache = f"{layout.temporary}/go-build"
        return Plan(
            argv=to_report(layout, str(self.program), "test", "-json", *run, *packages),
            shown=("go", "test", *run, *packages),
            environment={
                "PATH": f"{self.program.parent}:/usr/bin:/bin",
                "GOPROXY": "off",
                "GOTOOLCHAIN": "local",
                "GOFLAGS": "-buildvcs=false",
                "GOPATH": f"{layout.home}/go",
                "GOCACHE": cache,
                "GOMODCACHE": str(self.fetched) if self.fetched.is_dir() else f"{layout.home}/go/pkg/mod",
            },
            read_only=self.read_only,
            layered=((self.built, cache),) if self.built.is_dir() else (),
            limits=Limits(address_space_bytes=0, processes=512, temporary_bytes=1024 * MEBIBYTE),
            folder=self.folder,
        )

    def read_report(self, ended: Ended, layout: Layout, workspace: Workspace) -> Report:
        module = _MODULE.search(self._text(posixpath.join(self.folder, "go.mod")))
        read = _Reading(InsidePaths(layout, workspace), module[1] if module else "", self.folder)
        for line in ended.report.splitlines():
            read.take(line)
        tests = tuple(read.outcomes())
        return verdict_of(tests, ended_early(ended) or read.problem(ended.exit_code))

    def _chosen(self, selection: Selection) -> tuple[tuple[str, ...], str]:
        """Packages to test, and the pattern of the tests in them."""
        if selection.tests:
            parts = [test.partition("::") for test in selection.tests]
            packages = sorted({f"./{self._inside(package)}" for package, _, _ in parts})
            return tuple(packages), _any_of(name.partition("/")[0] for _, _, name in parts if name)
        if not selection.path:
            return ("./...",), selection.keyword
        is_file = selection.path.endswith(".go")
        package = posixpath.dirname(selection.path) if is_file else selection.path
        pattern = selection.keyword or "/".join(
            f"^{re.escape(part)}$" for part in filter(None, selection.name.split("/"))
        )
        if is_file and not pattern:
            pattern = _any_of(_TEST_FUNCTION.findall(self._text(selection.path)))
            if not pattern:
                raise TargetInvalid(
                    f"`{selection.path}` holds no test; ask for its folder, or for a `_test.go` file"
                )
        return (f"./{self._inside(package)}",), pattern

    def _inside(self, package: str) -> str:
        """A folder of the workspace as one of the module."""
        inside = posixpath.relpath(package or ".", self.folder or ".")
        if inside.startswith(".."):
            raise TargetInvalid(f"`{package}` is not in the module of `{self.folder or '.'}/go.mod`")
        return "" if inside == "." else inside

    def _text(self, path: str) -> str:
        try:
            return self.workspace.read_bytes(path, max_bytes=_MAX_FILE_BYTES).decode("utf-8", "replace")
        except Unreadable:
            return ""


def find_go(workspace: Workspace, seen: Survey, environment: Mapping[str, str], near: str = "") -> Go | None:
    """Go, where the workspace has a module with tests. Raises: RunnerLacks."""
    modules = [posixpath.dirname(path) for path in seen.named("go.mod")]
    if not modules or not seen.ending("_test.go"):
        return None
    around = [folder for folder in modules if not folder or near.startswith(f"{folder}/")]
    found = program("go", workspace, needed_for="the Go tests of this workspace")
    home = home_of(environment)
    fetched = Path(
        environment.get("GOMODCACHE") or Path(environment.get("GOPATH") or home / "go") / "pkg" / "mod"
    )
    caches = Path(environment.get("XDG_CACHE_HOME") or home / ".cache")
    built = Path(environment.get("GOCACHE") or caches / "go-build")
    folder = max(around, key=len) if around else modules[0]
    real = found.resolve()
    return Go(workspace, seen, folder, real, shown(real.parent.parent, fetched), fetched, built)


def _any_of(names: Iterable[str]) -> str:
    chosen = "|".join(re.escape(name) for name in dict.fromkeys(names))
    return f"^(?:{chosen})$" if chosen else ""


@dataclass
class _Test:
    """What has been heard of one test, or of a whole package."""

    outcome: Outcome | None = None
    seconds: float = 0.0
    output: list[str] = field(default_factory=list[str])


class _Reading:
    """The events of one run, as they are read."""

    def __init__(self, paths: InsidePaths, module: str, folder: str) -> None:
        self._paths, self._module, self._folder = paths, module, folder
        self._tests: dict[tuple[str, str], _Test] = {}
        self._build: list[str] = []

    def take(self, line: bytes) -> None:
        try:
            event = json.loads(line)
        except ValueError:
            return
        if not isinstance(event, dict):
            return
        fields = cast(dict[str, Any], event)
        action, output = str(fields.get("Action", "")), str(fields.get("Output", ""))
        if action.startswith("build-"):
            self._build.append(output)
            return
        test = self._tests.setdefault((str(fields.get("Package", "")), str(fields.get("Test", ""))), _Test())
        if action == "output":
            test.output.append(output)
        elif action in _OUTCOMES:
            test.outcome = _OUTCOMES[action]
            elapsed = fields.get("Elapsed", 0)
            test.seconds = float(elapsed) if isinstance(elapsed, int | float) else 0.0

    def problem(self, exit_code: int) -> str:
        """Why the report cannot be believed as a whole, or ""."""
        if not self._tests:
            return "nothing was reported: the go command did not start, or found no package"
        unfinished = [
            name or package for (package, name), test in self._tests.items() if test.outcome is None
        ]
        if unfinished:
            return f"{len(unfinished)} began and did not end: {', '.join(unfinished[:3])}"
        failed = any(test.outcome == "failed" for test in self._tests.values())
        if failed != (exit_code != 0):
            return f"the go command reported {'failures' if failed else 'none'} and ended with {exit_code}"
        return ""

    def outcomes(self) -> Iterator[TestOutcome]:
        """The tests; a package only where it failed without a test of its own that did."""
        failed = {
            package for (package, name), test in self._tests.items() if name and test.outcome == "failed"
        }
        for (package, name), test in self._tests.items():
            folder = self._folder_of(package)
            if name and test.outcome is not None:
                yield self._outcome(f"{folder or '.'}::{name}", test.outcome, test, folder)
            elif test.outcome == "failed" and package not in failed:
                test.output[:0] = self._build
                yield self._outcome(folder or ".", "error", test, folder)

    def _outcome(self, test_id: str, outcome: Outcome, test: _Test, folder: str) -> TestOutcome:
        if outcome != "failed" and outcome != "error":
            return TestOutcome(test_id, outcome, test.seconds)
        lines = [line for line in test.output if not _NOISE.match(line)]
        said = [
            line.strip()
            for line in lines
            if _SAID.match(line) or _BUILD.match(line) or line.startswith("panic:")
        ]
        return TestOutcome(
            id=test_id,
            outcome=outcome,
            seconds=test.seconds,
            message=capped("\n".join(said) or "".join(lines).strip(), MAX_MESSAGE_CHARACTERS),
            frames=tuple(self._frames(lines, folder)),
            output=capped("".join(lines), MAX_OUTPUT_CHARACTERS),
        )

    def _frames(self, lines: list[str], folder: str) -> Iterator[Frame]:
        """Outermost first: a stack is printed from the inside out."""
        found: list[Frame] = []
        for line in lines:
            place = _STACK.match(line) or _SAID.match(line) or _BUILD.match(line)
            if place is None:
                continue
            if path := self._paths.canonical(place["path"], folder) or self._paths.canonical(
                place["path"], self._folder
            ):
                found.append(Frame(path, int(place["line"])))
        yield from reversed(list(dict.fromkeys(found))[:_MAX_FRAMES])

    def _folder_of(self, package: str) -> str:
        inside = package.removeprefix(self._module).lstrip("/").split(" ")[0] if self._module else package
        return posixpath.join(self._folder, inside) if inside else self._folder
