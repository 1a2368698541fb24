"""V8's stacks (Node, ts-node, bundlers), and what vitest, jest, node's own runner and tsc print around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.traces.report import Failure, Frame

_WHERE = (
    r"(?P<path>(?:[a-z-]+:/{1,3}|node:)?[^\s():][^():\n]*(?:\([^():\n]*\)[^():\n]*)?):(?P<line>\d+)(?::\d+)?"
)
_FRAME = re.compile(rf"^\s*at (?:async )?(?:(?P<function>[^()\n]+?) (?:\[as [^\]\n]+\] )?\()?{_WHERE}\)?,?$")
_OTHERS = (".rs", ".go", ".java", ".py")
"""Rust writes `at src/main.rs:6:37` as well."""
_POINTED = re.compile(rf"^\s*❯ (?:(?P<function>[\w$.<>#]+) )?{_WHERE}$")
_EXCEPTION = re.compile(
    r"^\s*(?:Uncaught |→ |\[cause\]: |Caused by: )*(?P<type>[A-Z][\w$]*(?:Error|Exception|Failure|Abort)|Error)"
    r"(?: \[(?P<code>[A-Z_0-9]+)\])?(?:: (?P<message>.*?))?(?: \{)?$"
)
_CAUSED = re.compile(r"^\s*(?:\[cause\]: |Caused by: )")
_HEAD = re.compile(r"^(?P<path>(?:file://)?/?[\w@./\\ -]+\.[cm]?[jt]sx?):(?P<line>\d+)$")
_NUMBERED = re.compile(r"^\s*(?P<mark>>)?\s*(?P<line>\d+)\s*\| ?(?P<code>.*)$")
_FAIL = re.compile(r"^\s*(?:FAIL|not ok \d+ -|✖|×|●)\s+(?P<test>.+?)(?: \(?\d[\d.]*m?s\)?)?$")
_TSC = re.compile(
    r"^(?P<path>[\w@./\\-]+\.[cm]?tsx?)(?:\((?P<line>\d+),\d+\)|:(?P<line2>\d+):\d+)(?::| -) error (?P<type>TS\d+): (?P<message>.+)$"
)
_VALUE = re.compile(r"^\s*(?:Expected|Received|expected|actual|operator)(?: [\w ]+)?: .+|^\s*[-+] .+")
_MOST_FRAMES = 200


@dataclass
class _State:
    failures: list[Failure] = field(default_factory=list[Failure])
    values: list[str] = field(default_factory=list[str])
    tests: list[str] = field(default_factory=list[str])
    quotes: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    """Source that a code frame or the head of an uncaught error showed, by file and line."""
    current: Failure | None = None
    frames: list[Frame] = field(default_factory=list[Frame])
    """Innermost first, as V8 writes them."""
    message: list[str] = field(default_factory=list[str])
    head: tuple[str, int] | None = None
    caused: bool = False


def javascript_failures(lines: Sequence[str]) -> tuple[list[Failure], list[str], list[str]]:
    """The failures in the order raised (a cause is written after what it caused), values, and failing tests."""
    state = _State()
    for line in lines:
        _take(state, line)
    _close(state)
    failures = [_with_quotes(one, state.quotes) for one in state.failures]
    return failures, list(dict.fromkeys(state.values)), list(dict.fromkeys(state.tests))


def _take(state: _State, line: str) -> None:
    match = _FRAME.match(line) or _POINTED.match(line)
    if match and not match["path"].endswith(_OTHERS):
        _frame(state, match)
    elif match := _TSC.match(line):
        frame = Frame(match["path"], int(match["line"] or match["line2"]))
        state.failures.append(Failure(match["type"], match["message"], (frame,)))
    elif match := _NUMBERED.match(line):
        _numbered(state, match)
    elif match := _EXCEPTION.match(line):
        if state.current is None or state.frames or _CAUSED.match(line):
            _close(state)
            state.caused = _CAUSED.match(line) is not None
            state.current = Failure(match["type"], match["message"] or "")
    elif match := _HEAD.match(line):
        state.head = (match["path"], int(match["line"]))
    elif match := _FAIL.match(line):
        state.tests.append(match["test"].strip())
    else:
        _other(state, line)


def _frame(state: _State, match: re.Match[str]) -> None:
    if len(state.frames) < _MOST_FRAMES:
        function = (match["function"] or "").removeprefix("new ").removeprefix("async ")
        state.frames.append(Frame(match["path"], int(match["line"]), _named(function)))


def _numbered(state: _State, match: re.Match[str]) -> None:
    """A line of a code frame: the marked one belongs to the frame above it (vitest) or the first one below (jest)."""
    last = state.frames[-1] if state.frames else None
    if last and last.line == int(match["line"]):
        state.quotes[last.path, last.line] = match["code"].strip()
    elif match["mark"] and last is None:
        state.quotes["", int(match["line"])] = match["code"].strip()


def _other(state: _State, line: str) -> None:
    bare = line.strip()
    if state.head and bare:
        state.quotes[state.head] = bare
        state.head = None
    elif _VALUE.match(line):
        state.values.append(bare)
    elif (
        state.current
        and not state.frames
        and bare
        and len(state.message) < 6
        and not re.fullmatch(r"[\^~{}\s]+", bare)
    ):
        state.message.append(bare)


def _close(state: _State) -> None:
    if state.current and (state.frames or state.current.type):
        message = "\n".join([state.current.message, *state.message]).strip("\n")
        failure = replace(state.current, message=message, frames=tuple(reversed(state.frames)))
        if state.caused and state.failures:
            state.failures.insert(len(state.failures) - 1, replace(failure, relation="cause"))
        elif failure.frames or not state.failures:
            state.failures.append(failure)
    elif state.frames:
        state.failures.append(Failure("", "", tuple(reversed(state.frames))))
    state.current, state.frames, state.message, state.caused = None, [], [], False


def _with_quotes(failure: Failure, quotes: dict[tuple[str, int], str]) -> Failure:
    def quoted(frame: Frame) -> Frame:
        return replace(frame, quoted=quotes.get((frame.path, frame.line)) or quotes.get(("", frame.line), ""))

    return replace(failure, frames=tuple(map(quoted, failure.frames)))


def _named(function: str) -> str:
    """The function without what V8 puts around its name (`Object.<anonymous>`, `Module.total`)."""
    name = function.strip()
    if "<anonymous>" in name or name == "eval":
        return ""
    return re.sub(r"^(?:Object|Module|Function|global|process|Proxy|exports|module\.exports)\.", "", name)
