"""Kinds of failures, and which lines tend to be at fault for each.

A kind is read from the exception's name and message, in any of the languages. Its marks are patterns of code with a
weight between 0 and 1: they never accuse a line alone, they tell the lines apart that values of the failure came from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent.traces.report import Failure, Report

FaultKind: TypeAlias = Literal[
    "nothing",
    "lost_this",
    "unmade_map",
    "key",
    "bounds",
    "not_awaited",
    "type",
    "encoding",
    "time_zone",
    "zero",
    "closed",
    "changed",
    "recursion",
    "borrowed",
    "value",
    "other",
]


@dataclass(frozen=True, slots=True)
class _Kind:
    name: FaultKind
    said: re.Pattern[str]
    """What the exception says."""
    marks: tuple[tuple[re.Pattern[str], float], ...]


def _kind(name: FaultKind, said: str, *marks: tuple[str, float]) -> _Kind:
    return _Kind(
        name, re.compile(said, re.IGNORECASE), tuple((re.compile(mark), weight) for mark, weight in marks)
    )


_KINDS = (
    _kind(
        "unmade_map",
        r"nil map",
        (r"&?\b[A-Z]\w*\{(?!.*\bmake\()", 0.7),
        (r"\bvar \w+ map\[", 0.7),
        (r"\bnew\(", 0.5),
    ),
    _kind(
        "borrowed",
        r"already (?:mutably )?borrowed|BorrowMutError|BorrowError",
        (r"(?:for|match|if let|while let)\b.*\.borrow(?:_mut)?\(\)", 0.7),
        (r"\.borrow(?:_mut)?\(\)", 0.3),
    ),
    _kind(
        "not_awaited",
        r"'coroutine' object|never awaited|\[object Promise\]|Promise\b.*(?:is not|undefined)",
        (r"=\s*(?!await\b)[\w.]+\(", 0.2),
    ),
    _kind(
        "closed",
        r"closed file|file already closed|stream (?:is )?closed|(?:pool|connection|cursor|session|socket) (?:is|was|already)? ?closed",
        (r"return\s+\(.+ for .+ in ", 0.6),
        (r"return\s+(?:map|filter|iter|csv\.reader|reversed|enumerate)\(", 0.6),
        (r"\bwith\b.+\bas\b", 0.3),
        (r"\.close\(\)|defer .*Close", 0.4),
    ),
    _kind(
        "changed",
        r"changed (?:size|during)|ConcurrentModification|mutated during iteration",
        (r"\bfor\b.+(?:\bin\b|:)(?!.*\b(?:list|tuple|sorted|copy|List\.copyOf|new ArrayList)\b)", 0.5),
        (r"\bdel\b|\.(?:pop|remove|discard|clear|delete|add)\(", 0.2),
    ),
    _kind("lost_this", r"(?!)"),
    _kind(
        "recursion",
        r"RecursionError|maximum (?:recursion|call stack)|stack ?overflow",
        (r"\breturn\b.+\(", 0.2),
    ),
    _kind(
        "encoding",
        r"Unicode\w*Error|codec can't|invalid (?:utf-8|byte)|InvalidData.*utf|MalformedInput",
        (
            r"\bopen\(|\.open\(|read_text\(|write_text\(|\.decode\(|\.encode\(|encoding=|getBytes\(|from_utf8",
            0.8,
        ),
    ),
    _kind(
        "time_zone",
        r"offset-naive|naive (?:and|datetime)|tzinfo|time ?zone",
        (
            r"strptime\((?!.*tz)|utcnow\(|\bnow\(\)|fromisoformat\(|utcfromtimestamp\(|fromtimestamp\([^,]*\)",
            0.8,
        ),
        (r"\bdatetime\((?!.*tzinfo)", 0.4),
    ),
    _kind(
        "zero",
        r"division by zero|divide by zero|ZeroDivision|must not be zero|/ by zero|modulo by zero",
        (r"//|Math\.floor\(|\bint\(", 0.6),
        (r"\s/\s", 0.4),
        (r"\blen\(|\.length|\.size\(\)|\bcount\b|=\s*0\b", 0.2),
    ),
    _kind(
        "bounds",
        r"index out of (?:range|bounds)|slice bounds|IndexError|OutOfBounds|StringIndexOutOf|out of range|RangeError",
        (r"//\s*\w+\s*\+\s*1|/\s*\w+\s*\+\s*1", 0.7),
        (r"\b(?:Index|indexOf|index|find|IndexOf|lastIndexOf)\(", 0.5),
        (r"<=\s*(?:len\(|\w+\.(?:length|size|len))", 0.7),
        (r"\brange\(|\.\.=?|[+-]\s*1\b|\bsplit\(|\bSplit\(", 0.3),
    ),
    _kind(
        "key",
        r"KeyError|NoSuchElement|key not found|no such key|unknown key|missing key",
        (r"\w\[[^\]]+\]\s*=(?!=)|\.(?:set|put|insert|setdefault|update)\(", 0.5),
        (r"\.split\(|\.read\(\)|readline|\.partition\(|\.replace\(|\.lower\(|\.upper\(", 0.4),
        (r"\breturn\b.*\{|=\s*\{", 0.3),
    ),
    _kind(
        "nothing",
        r"NoneType|(?:null|undefined|nil)\b|on a `None` value|NullPointer|None value",
        (r"\breturn\s+(?:None|nil|null|undefined)\b|\breturn\s*;?$", 0.6),
        (
            r"\.get\([^,()]*\)|\.find\(|\.(?:match|search|fullmatch|exec|first|querySelector|getElementById)\(",
            0.6,
        ),
        (r"=\s*(?:None|nil|null|undefined)\b", 0.4),
        (r"^\s+\w+\s*:=\s*&\w+\{", 0.3),  # declared anew where the outer one is meant
        (r"\bNone\b|\bnil\b|\bnull\b|\.ok\(\)|\.pop\(|\w\[\w+\]", 0.2),
    ),
    _kind(
        "type",
        r"TypeError|ClassCast|NumberFormat|unsupported operand|is not a function|not iterable|cannot be cast|invalid literal|ParseIntError|cannot unmarshal",
        (
            r"\.split\(|\.partition\(|json\.loads?\(|JSON\.parse\(|\.json\(\)|input\(|argv|environ|getenv|process\.env",
            0.3,
        ),
        (r"\w\[[\"']\w+[\"']\]|\b(?:body|data|payload|raw|row|json|record)\.\w+", 0.4),
        (r"^[^()\[\]{}]+=[^()\[\]{}=]+,\s*(?:#.*)?$", 0.8),  # a comma at its end makes a tuple
        (r"\.reduce\((?!.*,\s*[\[\]{}\w\"']+\s*\);?$)", 0.5),  # without a value to begin with
    ),
    _kind(
        "value",
        r"assert|expected|test failed|Error: want|\bwant\b|mismatch",
        (r"def .*=\s*(?:\[\]|\{\}|list\(\)|dict\(\)|set\(\))", 0.9),
        (r"getMonth\(\)(?!\s*\+)|\.sort\(\)|getYear\(\)", 0.7),
        (
            r"=\s*lambda\b|\.append\(lambda\b",
            0.7,
        ),  # it sees the names of the loop around it as they are in the end
        (r"\bor\b[^()]+\band\b|\|\|[^()]+&&", 0.6),
        (r"\.(?:is|has|can|should)_\w+\b(?!\s*[(=\w])", 0.7),  # a method that is not called is always true
        (r"\b(?:max|min|sorted)\(\s*\w+\s*\)", 0.5),  # compared as they come: texts by letters
        (r"\b\w+\s*\.\.\s*(?!=)\w+", 0.5),
        (r"\brange\(|//|<=|>=|[+-]\s*1\b|\[\s*-?\w*\s*:\s*-?\w*\s*\]|parseInt\(|%|\bround\(", 0.3),
        (r"\breturn\b|\bif\b|[<>]", 0.1),
        (r"\w\[\w+\]", 0.1),
    ),
    _kind(
        "other",
        r"",
        (r"\bwhile\b.*[^=!<>][!=]==?[^=]", 1.0),  # what is stepped over is never met
    ),
)


_IGNORED = (re.compile(r",\s*_\s*:?=|\bexcept\b.*:\s*pass\b|\bcatch\b[^{]*\{\s*\}|\.ok\(\);"), 0.5)
"""An error that is dropped: whatever fails later may have begun there."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What kind of failure it is, and what its lines look like."""

    kind: FaultKind
    failure: Failure

    def mark(self, line: str) -> float:
        """How much the line looks like one at fault, 0 to 1."""
        marks = next(kind.marks for kind in _KINDS if kind.name == self.kind)
        return max((weight for pattern, weight in (*marks, _IGNORED) if pattern.search(line)), default=0.0)

    def marked_text(self, line: str) -> str:
        """The most telling text on the line, by which places like it can be found; or ""."""
        marks = next(kind.marks for kind in _KINDS if kind.name == self.kind)
        for pattern, weight in marks:
            match = pattern.search(line)
            if match and weight >= 0.5:
                return match[0].strip()
        return ""


def fault_of(report: Report) -> Fault | None:
    """The kind of the decisive failure."""
    failure = report.decisive
    if failure is None:
        return None
    said = f"{failure.type}: {failure.message}"
    kind: FaultKind = next(kind.name for kind in _KINDS if kind.said.search(said))
    innermost = failure.frames[-1].quoted if failure.frames else ""
    read = re.search(r"of undefined \((?:reading|setting) '(\w+)'", said)
    if kind == "nothing" and read and re.search(rf"\bthis\.{read[1]}\b", innermost):
        return Fault("lost_this", failure)
    if kind in ("other", "type") and "never awaited" in report.text:
        return Fault("not_awaited", failure)
    return Fault(kind, failure)
