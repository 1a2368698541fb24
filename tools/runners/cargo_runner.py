"""`cargo test`, offline: stable Rust prints its results as text, which is held against its own totals."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping
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
    RunnerLacks,
    Selection,
    TestOutcome,
    capped,
    ended_early,
    verdict_of,
)
from tools.runners.survey import Survey
from tools.runners.toolchain import home_of, program, shown, to_report
from tools.sandbox.job import MEBIBYTE, Ended, Layout, Limits
from tools.workspace import Unreadable, Workspace

_OUTCOMES: Mapping[str, Outcome] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
_PROGRAM = re.compile(r"\s+Running (?:unittests )?(?P<source>\S+) \(.+\)$|\s+Doc-tests (?P<docs>\S+)$")
_COUNT = re.compile(r"running (\d+) tests?$")
_TEST = re.compile(r"test (?P<name>.+?)(?: - should panic)? \.\.\. (?P<outcome>ok|FAILED|ignored)(?:, .*)?$")
_OUTPUT_OF = re.compile(r"---- (?P<name>.+) stdout ----$")
_TOTALS = re.compile(
    r"test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;.* (?:\d+) filtered out"
)
_PANIC = re.compile(r"thread .* panicked at (?P<path>.+?):(?P<line>\d+)(?::\d+)?:?$")
_STACK = re.compile(r"\s+at (?P<path>\.?/?[^\s:]+\.rs):(?P<line>\d+)")
_COMPILER = re.compile(r"\s*--> (?P<path>[^\s:]+\.rs):(?P<line>\d+):\d+")
_MAX_FRAMES = 20
_MAX_FILE_BYTES = 1_000_000
_STACK_BEGINS = "stack backtrace:"


@dataclass(frozen=True)
class Cargo:
    name: ClassVar[str] = "cargo"
    workspace: Workspace
    seen: Survey
    folder: str
    toolchain: str
    read_only: tuple[tuple[Path, str], ...]
    fetched: Path
    """The person's cargo folder, of which only what was fetched is shown."""

    @property
    def dependencies(self) -> tuple[str, ...]:
        return self.seen.dependencies

    def facts(self) -> Facts:
        scripts = self.seen.named("build.rs")
        configs = self.seen.ending(".cargo/config.toml", ".cargo/config")
        manifests = self.seen.named("Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "rust-toolchain")
        code = (*scripts, *configs, "build scripts and macros of what it depends on")
        return Facts(
            f"the Rust tool chain `{self.toolchain}`, offline", code, (*manifests, *scripts, *configs)
        )

    def plan(self, selection: Selection, layout: Layout) -> Plan:
        options, filters = self._chosen(selection)
        tests = ("--", *filters) if filters else ()
        command = ("test", "--offline", "--no-fail-fast", *options, *tests)
        home = f"{layout.home}/.cargo"
        kept = [
            (self.fetched / name, f"{home}/{name}")
            for name in ("registry", "git")
            if (self.fetched / name).is_dir()
        ]
        return Plan(
            argv=to_report(layout, f"{self.toolchain}/bin/cargo", *command, errors_too=True),
            shown=("cargo", *command),
            environment={
                "PATH": f"{self.toolchain}/bin:/usr/bin:/bin",
                "CARGO_HOME": home,
                "CARGO_TARGET_DIR": f"{layout.temporary}/target",
                "CARGO_TERM_COLOR": "never",
                "RUST_BACKTRACE": "1",
            },
            read_only=(*self.read_only, *kept),
            limits=Limits(address_space_bytes=0, processes=512, temporary_bytes=2048 * MEBIBYTE),
            folder=self.folder,
        )

    def read_report(self, ended: Ended, layout: Layout, workspace: Workspace) -> Report:
        read = _Reading(InsidePaths(layout, workspace), self.folder)
        for line in ended.report.decode("utf-8", "replace").split("\n"):
            read.take(line.rstrip("\r"))
        return verdict_of(tuple(read.outcomes()), ended_early(ended) or read.problem(ended.exit_code))

    def _chosen(self, selection: Selection) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Options for cargo, and names for the test programs."""
        if selection.tests:
            return (), ("--exact", *(test.partition("::")[2] for test in selection.tests))
        names = tuple(filter(None, (selection.name or selection.keyword,)))
        if not selection.path.endswith(".rs"):
            return (), names
        inside = posixpath.relpath(selection.path, self.folder or ".")
        place, _, file = inside.partition("/")
        if place == "tests" and "/" not in file:
            return ("--test", posixpath.splitext(file)[0]), names
        module = re.sub(r"(?:^|/)(?:lib|main|mod)$", "", posixpath.splitext(file)[0]).replace("/", "::")
        return (), names or ((f"{module}::",) if module else ())


def find_cargo(
    workspace: Workspace, seen: Survey, environment: Mapping[str, str], near: str = ""
) -> Cargo | None:
    """Cargo, where the workspace has a package. Raises: RunnerLacks."""
    manifests = seen.named("Cargo.toml")
    if not manifests:
        return None
    cargo = program("cargo", workspace, needed_for="the Rust tests of this workspace")
    fetched = Path(environment.get("CARGO_HOME") or home_of(environment) / ".cargo")
    folders = [posixpath.dirname(path) for path in manifests]
    # The outermost one around the file: it may be a workspace of packages.
    folder = next((one for one in folders if not one or near.startswith(f"{one}/")), folders[0])
    toolchain = cargo.resolve().parent.parent
    if cargo.resolve().name.startswith("rustup"):
        home = Path(environment.get("RUSTUP_HOME") or home_of(environment) / ".rustup")
        toolchain = _toolchain(workspace, folder, home)
    return Cargo(workspace, seen, folder, str(toolchain), shown(toolchain), fetched)


def _toolchain(workspace: Workspace, folder: str, rustup: Path) -> Path:
    """The tool chain that rustup would take: the one that the project names, else the person's default."""
    wanted = _named_by_project(workspace, folder) or str(
        _table(rustup / "settings.toml").get("default_toolchain", "")
    )
    installed = sorted((rustup / "toolchains").glob("*"))
    for place in installed:
        if place.name == wanted or place.name.startswith(f"{wanted}-"):
            return place
    raise RunnerLacks(f"the Rust tool chain `{wanted or 'default'}` is not installed")


def _named_by_project(workspace: Workspace, folder: str) -> str:
    for name in ("rust-toolchain.toml", "rust-toolchain"):
        try:
            text = workspace.read_bytes(posixpath.join(folder, name), max_bytes=_MAX_FILE_BYTES).decode()
        except (Unreadable, UnicodeDecodeError):
            continue
        try:
            table: Any = tomllib.loads(text).get("toolchain")
            return str(cast(dict[str, Any], table).get("channel", "")) if isinstance(table, dict) else ""
        except tomllib.TOMLDecodeError:
            return text.strip()
    return ""


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


@dataclass
class _Program:
    """One test program of the run, as far as it was heard."""

    source: str
    announced: int = 0
    began: int = 0
    totals: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    tests: dict[str, Outcome] = field(default_factory=dict[str, Outcome])
    outputs: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


class _Reading:
    """What cargo printed, as it is read."""

    def __init__(self, paths: InsidePaths, folder: str) -> None:
        self._paths, self._folder = paths, folder
        self._programs: list[_Program] = []
        self._compiler: list[str] = []
        self._output: list[str] | None = None

    def take(self, line: str) -> None:
        if started := _PROGRAM.match(line):
            self._programs.append(_Program(started["source"] or f"doc-tests {started['docs']}"))
            self._output = None
        elif not self._programs:
            self._compiler.append(line)
        else:
            self._take_result(self._programs[-1], line)

    def _take_result(self, program: _Program, line: str) -> None:
        if totals := _TOTALS.match(line):
            passed, failed, ignored = map(int, totals.groups())
            program.totals.append((passed, failed, ignored))
            self._output = None
        elif output_of := _OUTPUT_OF.match(line):
            self._output = program.outputs.setdefault(output_of["name"], [])
        elif line == "failures:":
            self._output = None
        elif self._output is not None:
            self._output.append(line)
        elif count := _COUNT.match(line):
            program.announced += int(count[1])
            program.began += 1
        elif test := _TEST.match(line):
            program.tests[test["name"]] = _OUTCOMES[test["outcome"]]

    def problem(self, exit_code: int) -> str:
        """Why what was printed cannot be believed as a whole, or ""."""
        if not self._programs:
            return (
                "" if any(_COMPILER.match(line) for line in self._compiler) else "no test program was started"
            )
        for one in self._programs:
            outcomes = list(one.tests.values())
            counted = tuple(outcomes.count(outcome) for outcome in ("passed", "failed", "skipped"))
            added = tuple(map(sum, zip(*one.totals, strict=True))) if one.totals else (0, 0, 0)
            whole = one.began > 0 and len(one.totals) == one.began and len(outcomes) == one.announced
            if not whole or counted != added:
                return f"the tests of {one.source} ended before their end was reported"
        failed = any("failed" in one.tests.values() for one in self._programs)
        if failed != (exit_code != 0):
            return f"cargo reported {'failures' if failed else 'none'} and ended with {exit_code}"
        return ""

    def outcomes(self) -> Iterator[TestOutcome]:
        errors = [index for index, line in enumerate(self._compiler) if line.startswith("error")]
        if errors and not self._programs:
            yield self._outcome("compilation", "error", self._compiler[errors[0] :])
        for one in self._programs:
            for name, outcome in one.tests.items():
                yield self._outcome(f"{one.source}::{name}", outcome, one.outputs.get(name, []))

    def _outcome(self, test_id: str, outcome: Outcome, lines: list[str]) -> TestOutcome:
        text = "\n".join(lines)
        message = text.partition(f"\n{_STACK_BEGINS}")[0].strip()
        return TestOutcome(
            id=test_id,
            outcome=outcome,
            message=capped(message, MAX_MESSAGE_CHARACTERS),
            frames=tuple(self._frames(lines)),
            output=capped(text, MAX_OUTPUT_CHARACTERS),
        )

    def _frames(self, lines: list[str]) -> Iterator[Frame]:
        """Outermost first: a stack is printed from the inside out, after the place of the panic."""
        found: list[Frame] = []
        for line in lines:
            place = _PANIC.match(line) or _STACK.match(line) or _COMPILER.match(line)
            if place and (path := self._paths.canonical(place["path"], self._folder)):
                found.append(Frame(path, int(place["line"])))
        yield from reversed(list(dict.fromkeys(found))[:_MAX_FRAMES])
