"""Python's own tracebacks: chained, in exception groups, of syntax errors, cut short by a logger."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.traces.report import Failure, Frame, Relation

HEADER = "Traceback (most recent call last):"

_MARGIN = re.compile(r"^\s*(?:\+ |\+-\+|\| ?|\+(?=-))")
_RULE = re.compile(r"^-*(?: \d+ )?-{4,}$|^-+$")
_FRAME = re.compile(r'^\s*File "(?P<path>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<function>.+))?$')
_EXCEPTION = re.compile(r"^(?P<type>[A-Za-z_][\w.]*)(?:: ?(?P<message>.*))?$")
_MARKERS = re.compile(r"^\s*[\^~]+\s*$")
_REPEATED = re.compile(r"^\s*\[Previous line repeated \d+ more times?\]$")
_CAUSE = "The above exception was the direct cause of the following exception:"
_CONTEXT = "During handling of the above exception, another exception occurred:"
_MOST_MESSAGE_LINES = 6


@dataclass
class _State:
    failures: list[Failure] = field(default_factory=list[Failure])
    frames: list[Frame] = field(default_factory=list[Frame])
    open: bool = False
    """Inside a traceback whose exception has not been named yet."""
    message_lines: int = 0
    """How many more lines may belong to the last message."""
    in_group: bool = False


def python_failures(lines: Sequence[str]) -> list[Failure]:
    """Every exception with its frames, in the order raised; the group after its members."""
    state = _State()
    for line in lines:
        _take(state, line)
    _close(state, "", "")
    return _groups_last(state.failures)


def _take(state: _State, raw: str) -> None:
    line, in_margin = _without_margin(raw)
    if HEADER in line:
        _close(state, "", "")
        state.open, state.in_group = True, in_margin
    elif line.strip() in (_CAUSE, _CONTEXT):
        _relate(state, "cause" if line.strip() == _CAUSE else "context")
    elif match := _FRAME.match(line):
        state.open, state.message_lines = True, 0
        state.frames.append(Frame(match["path"], int(match["line"]), (match["function"] or "").strip()))
    elif state.open and state.frames and (line[:1].isspace() or _MARKERS.match(line)):
        _quote(state, line)
    elif state.open and state.frames and (match := _EXCEPTION.match(line)):
        _close(state, match["type"], match["message"] or "")
        state.message_lines = _MOST_MESSAGE_LINES
    elif state.message_lines and line.strip() and not _RULE.match(line.strip()):
        _continue_message(state, line)
    else:
        state.message_lines = 0


def _without_margin(line: str) -> tuple[str, bool]:
    """A group's lines stand behind bars; the text after the last bar keeps its indentation."""
    match = _MARGIN.match(line)
    if match is None or not line[: match.end()].strip():
        return line, False
    rest = line[match.end() :]
    inner = _MARGIN.match(rest)
    return (rest[inner.end() :] if inner and not _FRAME.match(rest) else rest), True


def _quote(state: _State, line: str) -> None:
    if _MARKERS.match(line) or _REPEATED.match(line) or state.frames[-1].quoted:
        return
    state.frames[-1] = replace(state.frames[-1], quoted=line.strip())


def _close(state: _State, kind: str, message: str) -> None:
    """The traceback is over; without an exception's name it was cut off, and its frames still count."""
    if state.frames:
        relation: Relation = "member" if state.in_group else ""
        state.failures.append(Failure(kind, message, tuple(state.frames), relation))
    state.frames, state.open, state.message_lines = [], False, 0


def _continue_message(state: _State, line: str) -> None:
    state.message_lines -= 1
    if state.failures:
        last = state.failures[-1]
        state.failures[-1] = replace(last, message=f"{last.message}\n{line.strip()}")


def _relate(state: _State, relation: Relation) -> None:
    state.message_lines = 0
    if state.failures:
        state.failures[-1] = replace(state.failures[-1], relation=relation)


def _groups_last(failures: list[Failure]) -> list[Failure]:
    """Members were raised before their group, which is written first."""
    groups = [
        one for one in failures if one.type.rpartition(".")[2] in ("ExceptionGroup", "BaseExceptionGroup")
    ]
    if not groups:
        return failures
    members = [one for one in failures if one not in groups]
    return [*members, *(replace(group, relation="") for group in groups)]
