"""The lines that a failure may come from, and what speaks against each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from agent.backends.extractive.explaining.faults import Fault
from agent.backends.extractive.explaining.scene import Scope

_MOST = 1.6
_FOR_ITS_LOOKS, _FOR_THE_MEMBER, _FOR_ANOTHER_REASON = 0.25, 0.15, 0.15
_IN_TESTS = 0.4

Origin: TypeAlias = Literal[
    "failed", "guard", "bound", "passed", "returned", "assigned", "inside", "caller", "unbound"
]
"""How the trail came to a line."""


@dataclass(frozen=True)
class Suspect:
    """A line that the failure may come from."""

    scope: Scope
    line: int
    weight: float
    origin: Origin
    subject: str = ""
    """The value that led here, as the line before named it."""

    @property
    def text(self) -> str:
        return self.scope.text(self.line)


@dataclass
class Suspects:
    """Each line once, with the sum of what speaks against it."""

    fault: Fault
    member: str = ""
    """The member that the failing expression asked for: lines that name it are nearer to the fault."""
    _by_line: dict[tuple[str, int], Suspect] = field(default_factory=dict[tuple[str, int], Suspect])

    def add(self, suspect: Suspect) -> None:
        """Keep the line; of two reasons for it the stronger one, and a little for each further one."""
        if not re.search(r"\w", suspect.text) or (suspect.scope.is_test and suspect.origin == "inside"):
            return
        key = (suspect.scope.path, suspect.line)
        found = replace(suspect, weight=self._weight(suspect))
        known = self._by_line.get(key)
        if known is None:
            self._by_line[key] = found
        elif (known.origin, known.subject) != (found.origin, found.subject):
            self._by_line[key] = _joined(known, found)

    def ranked(self) -> list[Suspect]:
        """The most likely first."""
        return sorted(self._by_line.values(), key=lambda suspect: (-suspect.weight, suspect.scope.is_test))

    def _weight(self, suspect: Suspect) -> float:
        weight = suspect.weight
        if suspect.origin not in ("inside", "failed"):
            weight += _FOR_ITS_LOOKS * self.fault.mark(suspect.text)
        named = self.member and re.search(rf"\b{re.escape(self.member)}\b", suspect.text)
        if named and suspect.origin != "failed":
            weight += _FOR_THE_MEMBER
        return weight * _IN_TESTS if suspect.scope.is_test else weight


def _joined(known: Suspect, found: Suspect) -> Suspect:
    """One of two about the same line, in the scope that shows more of its function."""
    stronger, weaker = (known, found) if known.weight >= found.weight else (found, known)
    shows_more = stronger.scope.name and len(stronger.scope.place.lines) > 1
    return replace(
        stronger,
        scope=stronger.scope if shows_more else known.scope,
        weight=min(_MOST, stronger.weight + _FOR_ANOTHER_REASON * weaker.weight),
        subject=stronger.subject or weaker.subject,
    )
