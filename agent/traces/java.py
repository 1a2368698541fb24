"""Java: stack traces with causes, and errors of javac. A frame's path is made from its class (`com/acme/Cart.java`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.traces.report import Failure, Frame

_NAMED = re.compile(
    r"^\s*(?P<lead>Exception in thread \"[^\"]*\" |Caused by: |Suppressed: |Wrapped by: )?"
    r"(?P<type>(?:[a-z_][\w$]*\.)+[A-Z][\w$.]*)(?:: (?P<message>.*))?$"
)
_FRAME = re.compile(
    r"^\s+at (?:[\w.@-]*//?)?(?P<class>[\w.$]+)\.(?P<method>[\w$<>]+)\((?P<file>[\w$-]+\.(?:java|kt|scala|groovy)):(?P<line>\d+)\)"
)
_OUTSIDE = re.compile(
    r"^\s+at (?:[\w.@-]*//?)?(?P<class>[\w.$]+)\.(?P<method>[\w$<>]+)\((?:Native Method|Unknown Source)\)"
)
_COMPILE = re.compile(r"^(?P<path>[\w./\\-]+\.java):(?P<line>\d+): error: (?P<message>.+)$")


@dataclass
class _State:
    failures: list[Failure] = field(default_factory=list[Failure])
    """Outermost first, as Java writes them."""
    current: Failure | None = None
    frames: list[Frame] = field(default_factory=list[Frame])
    lead: str = ""
    quote: bool = False
    """The line below a compiler's error is its source."""


def java_failures(lines: Sequence[str]) -> list[Failure]:
    """The failures in the order raised: causes first."""
    state = _State()
    for line in lines:
        _take(state, line)
    _close(state)
    return state.failures


def _take(state: _State, line: str) -> None:
    if match := _FRAME.match(line):
        state.frames.append(Frame(_path(match), int(match["line"]), _function(match)))
    elif match := _COMPILE.match(line):
        _close(state)
        state.failures.append(
            Failure("compile error", match["message"], (Frame(match["path"], int(match["line"])),))
        )
        state.quote = True
    elif (match := _NAMED.match(line)) and not _OUTSIDE.match(line):
        _close(state)
        state.current, state.lead = Failure(match["type"], match["message"] or ""), match["lead"] or ""
    elif state.quote and line.strip():
        last = state.failures[-1]
        state.failures[-1] = replace(last, frames=(replace(last.frames[0], quoted=line.strip()),))
        state.quote = False
    elif state.current and not state.frames and line.strip() and not _OUTSIDE.match(line):
        state.current = replace(state.current, message=f"{state.current.message}\n{line.strip()}".strip())


def _close(state: _State) -> None:
    if state.current and state.frames:
        failure = replace(state.current, frames=tuple(reversed(state.frames)))
        if state.lead.startswith("Caused by") and state.failures:
            state.failures.insert(0, replace(failure, relation="cause"))
        elif not state.lead.startswith("Suppressed"):
            state.failures.append(failure)
    elif state.frames:
        state.failures.append(Failure("", "", tuple(reversed(state.frames))))
    state.current, state.frames, state.lead, state.quote = None, [], "", False


def _path(match: re.Match[str]) -> str:
    package = match["class"].split("$")[0].rpartition(".")[0]
    return "/".join([*filter(None, package.split(".")), match["file"]])


def _function(match: re.Match[str]) -> str:
    kind = re.sub(r"\$\d+", "", match["class"].rpartition(".")[2]).replace("$", ".")
    method = match["method"]
    if lambda_of := re.match(r"lambda\$(\w+)\$\d+", method):
        method = lambda_of[1]
    return (
        f"{kind}.{kind.rpartition('.')[2]}"
        if method == "<init>"
        else kind
        if method == "<clinit>"
        else f"{kind}.{method}"
    )
