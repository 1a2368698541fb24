"""Rust: panics with or without a backtrace, `cargo test`, errors of rustc."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.traces.report import Failure, Frame

_PANIC = re.compile(
    r"^thread '(?P<thread>[^']*)'(?: \(\d+\))? panicked at (?:'(?P<old>.*)', )?(?P<path>[^\s:][^:\n]*?\.rs):(?P<line>\d+):\d+:?$"
)
_CALL = re.compile(r"^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(?P<function>\S.*)$")
_PLACE = re.compile(r"^\s+at (?P<path>\S+\.rs):(?P<line>\d+)(?::\d+)?$")
_COMPILE = re.compile(r"^error(?:\[(?P<code>E\d+)\])?: (?P<message>.+)$")
_ARROW = re.compile(r"^\s*--> (?P<path>[^\s:][^:\n]*?\.rs):(?P<line>\d+):\d+$")
_NUMBERED = re.compile(r"^\s*(?P<line>\d+)\s*\| (?P<code>.*)$")
_VALUE = re.compile(r"^\s*(?:left|right): .+$")
_FAILED = re.compile(r"^test (?P<test>\S+)(?: - .*)? \.\.\. FAILED$")
_END = re.compile(r"^(?:note: |stack backtrace:|failures:|error: )")
_MACHINERY = re.compile(
    r"^(?:std|core|alloc|test|rust_begin_unwind|__rust|_start|main$|<alloc|<core|<std|__libc)"
)


@dataclass
class _State:
    failures: list[Failure] = field(default_factory=list[Failure])
    values: list[str] = field(default_factory=list[str])
    tests: list[str] = field(default_factory=list[str])
    kind: str = ""
    message: list[str] = field(default_factory=list[str])
    place: Frame | None = None
    frames: list[Frame] = field(default_factory=list[Frame])
    function: str = ""
    thread: str = ""
    in_message: bool = False


def rust_failures(lines: Sequence[str]) -> tuple[list[Failure], list[str], list[str]]:
    """The failures, the values shown, and the tests that failed."""
    state = _State()
    for line in lines:
        _take(state, line)
    _close(state)
    return state.failures, state.values, list(dict.fromkeys(state.tests))


def _take(state: _State, line: str) -> None:
    if match := _PANIC.match(line):
        _close(state)
        state.kind, state.thread, state.in_message = "panic", match["thread"], match["old"] is None
        state.message = [match["old"]] if match["old"] else []
        state.place = Frame(match["path"], int(match["line"]))
    elif match := _COMPILE.match(line):
        _close(state)
        state.kind, state.message = match["code"] or "error", [match["message"]]
    elif (match := _ARROW.match(line)) and state.kind and state.place is None:
        state.place = Frame(match["path"], int(match["line"]))
    elif (match := _NUMBERED.match(line)) and state.place and state.kind != "panic":
        if int(match["line"]) == state.place.line:
            state.place = Frame(state.place.path, state.place.line, "", match["code"].strip())
    elif match := _PLACE.match(line):
        if not _MACHINERY.match(state.function) or "/rustc/" not in match["path"]:
            state.frames.append(Frame(match["path"], int(match["line"]), _named(state.function)))
    elif match := _FAILED.match(line):
        state.tests.append(match["test"])
    elif _END.match(line):
        state.in_message = False
    elif _VALUE.match(line):
        state.values.append(line.strip())
        state.in_message = False
    elif match := _CALL.match(line):
        state.function, state.in_message = match["function"], False
    elif state.in_message and line.strip():
        state.message.append(line.strip())


def _close(state: _State) -> None:
    """The panic's own place is the innermost frame, whether there is a backtrace or not."""
    if state.place:
        frames = list(reversed([one for one in state.frames if "/rustc/" not in one.path]))
        if not any(_same(frame, state.place) for frame in frames):
            name = state.thread if state.thread not in ("main", "") and not frames else ""
            frames.append(Frame(state.place.path, state.place.line, _named(name), state.place.quoted))
        state.failures.append(Failure(state.kind, "\n".join(state.message[:6]), tuple(frames)))
    state.kind, state.message, state.place, state.frames, state.function = "", [], None, [], ""
    state.in_message = False


def _same(frame: Frame, place: Frame) -> bool:
    return frame.line == place.line and frame.path.removeprefix("./").endswith(place.path.removeprefix("./"))


def _named(function: str) -> str:
    """`shop::cart::Cart::add::h0123` → `Cart.add`; closures have the name of what they stand in."""
    bare = re.sub(r"::h[0-9a-f]{16}$", "", function)
    bare = re.sub(r"(?:::\{\{closure\}\}|::\{closure#\d+\})+$", "", bare)
    bare = re.sub(r"<([\w:]+)(?: as [^>]+)?>", r"\1", bare)
    parts = [part for part in bare.split("::") if part]
    typed = len(parts) > 1 and parts[-2][:1].isupper()
    return ".".join(parts[-2:] if typed else parts[-1:])
