"""Go: panics with their goroutines, failures of `go test`, errors of the compiler."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.traces.report import Failure, Frame

_PANIC = re.compile(r"^(?:panic|fatal error): (?P<message>.+?)(?: \[recovered(?:, repanicked)?\])?$")
_NESTED = re.compile(r"^\s+panic: (?P<message>.+?)(?: \[recovered(?:, repanicked)?\])?$")
_GOROUTINE = re.compile(r"^goroutine (?P<number>\d+) .*\[(?P<state>[^\]]*)\]:$")
_CALL = re.compile(r"^(?P<created>created by )?(?P<function>\S.*?)(?:\([^()]*\)| in goroutine \d+)$")
_PLACE = re.compile(r"^\s+(?P<path>\S+\.(?:go|s)):(?P<line>\d+)(?: \+0x[0-9a-f]+)?$")
_FAIL = re.compile(r"^\s*--- FAIL: (?P<test>\S+)")
_TEST_LINE = re.compile(r"^\s+(?P<path>[\w./-]+_test\.go):(?P<line>\d+): ?(?P<message>.*)$")
_COMPILE = re.compile(r"^(?:vet: )?(?P<path>\.{0,2}/?[\w./-]+\.go):(?P<line>\d+)(?::\d+)?: (?P<message>.+)$")
_SIGNAL = re.compile(r"^\[signal (?P<signal>\w+)")


@dataclass
class _State:
    failures: list[Failure] = field(default_factory=list[Failure])
    tests: list[str] = field(default_factory=list[str])
    message: str = ""
    frames: list[Frame] = field(default_factory=list[Frame])
    function: str = ""
    live: bool = False
    """Inside the first goroutine after a panic: the one that failed."""
    goroutines: int = 0


def go_failures(lines: Sequence[str]) -> tuple[list[Failure], list[str], list[str]]:
    """The failures, the values shown (the tests' own messages), and the tests that failed."""
    state = _State()
    values: list[str] = []
    for line in lines:
        _take(state, line, values)
    _close(state)
    return state.failures, values, list(dict.fromkeys(state.tests))


def _take(state: _State, line: str, values: list[str]) -> None:
    if match := _PANIC.match(line):
        _close(state)
        state.message, state.goroutines = match["message"], 0
    elif (match := _NESTED.match(line)) and state.message:
        state.message = match["message"]
    elif _GOROUTINE.match(line):
        state.goroutines += 1
        state.live = state.goroutines == 1
    elif match := _FAIL.match(line):
        state.tests.append(match["test"])
    elif match := _TEST_LINE.match(line):
        values.append(match["message"])
        place = Frame(
            match["path"], int(match["line"]), state.tests[-1].partition("/")[0] if state.tests else ""
        )
        state.failures.append(Failure("test failed", match["message"], (place,)))
    elif match := _PLACE.match(line):
        if state.live:
            state.frames.append(Frame(match["path"], int(match["line"]), _named(state.function)))
    elif match := _COMPILE.match(line):
        place = Frame(match["path"], int(match["line"]))
        state.failures.append(Failure("compile error", match["message"], (place,)))
    elif match := _CALL.match(line):
        state.function = "" if match["created"] else match["function"]
    elif not line.strip() and state.frames:
        state.live = False


def _close(state: _State) -> None:
    """Frames of the runtime's own panic machinery are above those of the program: they are not part of the path."""
    if state.message:
        called = [frame for frame in state.frames if not frame.function.startswith(("panic", "runtime."))]
        after = next((n for n, frame in enumerate(state.frames) if frame.function == "panic"), -1)
        frames = state.frames[after + 1 :] or called
        state.failures.append(Failure("panic", state.message, tuple(reversed(frames))))
    state.message, state.frames, state.live, state.function = "", [], False, ""


def _named(function: str) -> str:
    """`shop/cart.(*Cart).Add` → `Cart.Add`; a closure has the name of what it stands in."""
    last = function.rpartition("/")[2]
    last = re.sub(r"(?:\.func\d+)+(?:\.\d+)*$", "", last)
    package, _, name = last.partition(".")
    if not name:
        return package
    return re.sub(r"[()*]|\[\.\.\.\]", "", name)
