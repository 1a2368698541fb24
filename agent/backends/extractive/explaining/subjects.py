"""Which expressions of the failing line went wrong, by what the exception says about it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.backends.extractive.explaining.faults import Fault
from agent.backends.extractive.explaining.statements import assigned_value, bare

_MEMBER = re.compile(
    r"has no attribute '(?P<python>\w+)'|reading '(?P<javascript>[^']+)'|setting '(?P<set>[^']+)'|(?P<called>[\w.$]+) is not a function"
)
_JAVA = re.compile(r"because (?:the return value of )?\"(?P<what>[^\"]+)\" is null")
_ON_EITHER_SIDE = ("bounds", "key", "unmade_map", "changed", "borrowed")
"""Kinds of failures that the left side of an assignment has as well as the right one."""
_CHAIN = r"(?P<base>[A-Za-z_$@][\w$]*(?:(?:!?\.|::|->|\?\.)[A-Za-z_$][\w$]*|\([^()]*\)|\[[^\[\]]*\])*)"


@dataclass(frozen=True, slots=True)
class Subjects:
    """The expressions to follow, and the member that was asked of the first."""

    expressions: tuple[str, ...]
    member: str = ""

    @property
    def attributes(self) -> tuple[str, ...]:
        """The last attribute of the first expression, if it is a chain of them (`retry` of `this.config.retry`)."""
        match = re.search(r"\.([A-Za-z_]\w*)$", self.expressions[0])
        return (match[1],) if match else ()


def failing_expressions(fault: Fault, line: str) -> Subjects:
    """The expressions, the most telling first; the whole line where nothing is said of one."""
    message = fault.failure.message
    text = line.strip()
    if (match := _JAVA.search(message)) and (named := _java(match["what"], text)):
        return Subjects((named,))
    if match := _MEMBER.search(message):
        member = (
            match["python"]
            or match["javascript"]
            or match["set"]
            or (match["called"] or "").rpartition(".")[2]
        )
        base = re.search(rf"{_CHAIN}[?!]?\.{re.escape(member)}\b", text)
        if base:
            return Subjects((base["base"],), member)
    if fault.kind == "nothing" and (base := re.search(rf"{_CHAIN}\s*\.(?:unwrap|expect)\(", text)):
        return Subjects((base["base"],))
    if "not callable" in message and (base := re.search(r"([\w.]+)\(", assigned_value(text))):
        return Subjects((base[1],))
    if (
        fault.kind == "nothing"
        and "subscriptable" in message
        and (base := re.search(r"([\w.]+(?:\([^()]*\))?)\[", text))
    ):
        return Subjects((base[1],))
    if fault.kind == "type" and (
        attributes := re.findall(r"\.([A-Za-z_]\w*)\b(?!\()", bare(assigned_value(text)))
    ):
        return Subjects((assigned_value(text),), attributes[-1])
    return Subjects((text if fault.kind in _ON_EITHER_SIDE else assigned_value(text),))


def _java(what: str, line: str) -> str:
    """What a helpful message names, as the line writes it: `com.acme.Catalog.byNumber(String)` → `byNumber(…)`."""
    bare_name = re.sub(r"\(.*\)$", "", what).rpartition(".")[2]
    if what.endswith(")"):
        match = re.search(rf"[\w.]*\b{re.escape(bare_name)}\([^()]*\)", line)
        return match[0] if match else ""
    if bare_name.startswith("<local"):
        return ""
    return what if what in line else bare_name
