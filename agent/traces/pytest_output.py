"""What pytest prints of failing tests: long, short and line styles, with the values that its asserts show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.traces.report import Failure, Frame

_SECTION = re.compile(r"^_{3,} (?P<name>.+?) _{3,}$")
_RULE = re.compile(r"^(?:_ ){5,}_?$")
_LOCATION = re.compile(
    r"^(?P<path>[^\s:][^:\n]*?\.py):(?P<line>\d+): ?(?:in (?P<function>\S+)|(?P<type>[A-Za-z_][\w.]*)?(?P<rest>: .*)?)$"
)
_ERROR = re.compile(r"^E {1,7}(?P<text>.*)$")
_EXCEPTION = re.compile(
    r"^(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning|Group|Failed|Iteration))(?:: ?(?P<message>.*))?$"
)
_FAILED = re.compile(r"^(?:FAILED|ERROR) (?P<node>\S+\.py(?:::\S+)?)(?: - (?P<why>.*))?$")
_DEFINED = re.compile(r"^\s*(?:async )?def (?P<name>\w+)\(")
_VALUE = re.compile(r"^(?P<name>[A-Za-z_]\w*) += (?P<value>.+)$")
_MOST_VALUES = 40


@dataclass
class _State:
    failures: list[Failure] = field(default_factory=list[Failure])
    values: list[str] = field(default_factory=list[str])
    tests: list[str] = field(default_factory=list[str])
    frames: list[Frame] = field(default_factory=list[Frame])
    errors: list[str] = field(default_factory=list[str])
    quoted: str = ""
    function: str = ""
    wants_quote: bool = False
    """Short style: the line below a location is its source."""
    in_section: bool = False


def pytest_failures(lines: Sequence[str]) -> tuple[list[Failure], list[str], list[str]]:
    """The failures with their frames, the values shown, and the tests that failed."""
    state = _State()
    for line in lines:
        _take(state, line)
    _close(state)
    return state.failures, list(dict.fromkeys(state.values))[:_MOST_VALUES], list(dict.fromkeys(state.tests))


def _take(state: _State, line: str) -> None:
    if match := _SECTION.match(line):
        _close(state)
        state.in_section = True
        state.tests.append(match["name"])
    elif match := _FAILED.match(line):
        _close(state)
        state.tests.append(match["node"])
    elif line.startswith("====") or line.startswith("----"):
        _close(state)
    elif _RULE.match(line):
        state.quoted = state.function = ""
    elif match := _ERROR.match(line):
        state.errors.append(match["text"].rstrip())
        state.wants_quote = False
    elif match := _LOCATION.match(line):
        _location(state, match)
    elif state.in_section or state.wants_quote:
        _source(state, line)


def _location(state: _State, match: re.Match[str]) -> None:
    """Where a frame is: long style names it below its source, short style above it, line style with the message."""
    short = match["function"] is not None
    function = match["function"] or state.function
    state.frames.append(Frame(match["path"], int(match["line"]), function, "" if short else state.quoted))
    state.wants_quote, state.quoted, state.function = short, "", ""
    if match["rest"]:
        state.errors.append(f"{match['type']}{match['rest']}")
        _close(state)
    elif match["type"] and state.errors:
        _close(state, match["type"])


def _source(state: _State, line: str) -> None:
    if line.startswith(">"):
        state.quoted = line[1:].strip()
    elif state.wants_quote and line.startswith("    ") and line.strip():
        state.frames[-1] = replace(state.frames[-1], quoted=line.strip())
        state.wants_quote = False
    elif match := _DEFINED.match(line):
        state.function = match["name"]
    elif (match := _VALUE.match(line)) and state.in_section:
        state.values.append(f"{match['name']} = {match['value']}")


def _close(state: _State, kind: str = "") -> None:
    """What the `E` lines say is the failure of the frames before them."""
    if state.frames and state.errors:
        first = state.errors[0].strip()
        match = _EXCEPTION.match(first)
        named = match["type"] if match else kind or "AssertionError"
        message = (match["message"] or "") if match else first
        rest = [entry.strip() for entry in state.errors[1:] if entry.strip()]
        state.failures.append(Failure(named, "\n".join([message, *rest[:8]]), tuple(state.frames)))
        state.values += [entry.strip() for entry in state.errors if _tells_values(entry)]
    state.frames, state.errors = [], []
    state.quoted, state.function, state.wants_quote = "", "", False


def _tells_values(entry: str) -> bool:
    return (
        re.match(
            r"\s*(?:assert |AssertionError: assert |\+  ?where |[-+?] |Use -v|At index|Left contains|Right contains)",
            entry,
        )
        is not None
        and "Use -v" not in entry
    )
