"""The scene of a failure: the functions on its path and those they lead to, as far as tools have shown their lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from agent.backends.extractive.explaining.statements import is_signature, parameters
from agent.backends.extractive.findings import Findings, Place, Use
from agent.frames import Case, Located

_MAX_SAME_NAME = 2
_MAX_HEADER_LINES = 8


@dataclass(frozen=True)
class Scope:
    """One function, or the lines around a place that is in none."""

    place: Place
    name: str
    """Qualified name, or "" outside of functions."""
    first_line: int
    last_line: int
    is_test: bool

    @property
    def path(self) -> str:
        return self.place.path

    @property
    def symbol(self) -> str:
        """The last part of its name."""
        return self.name.rpartition(".")[2]

    def __contains__(self, line: int) -> bool:
        return self.first_line <= line <= self.last_line

    def text(self, line: int) -> str:
        """One line as it stands."""
        return self.place.lines[line - self.place.first_line]

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Its lines with their numbers."""
        for line in range(self.first_line, self.last_line + 1):
            yield line, self.text(line)

    @cached_property
    def header(self) -> str:
        """Its signature on one line, or ""."""
        for line, text in self.numbered():
            if self.symbol in text and is_signature(text):
                rest = range(line, min(line + _MAX_HEADER_LINES, self.last_line + 1))
                joined = ""
                for number in rest:
                    joined = f"{joined} {self.text(number).strip()}".strip()
                    if joined.count("(") <= joined.count(")"):
                        break
                return joined
        return ""

    @property
    def header_line(self) -> int:
        """Where its signature begins."""
        found = (line for line, text in self.numbered() if self.symbol in text and is_signature(text))
        return next(found, self.first_line)

    @cached_property
    def parameters(self) -> list[str]:
        return parameters(self.header) if self.name else []


@dataclass(frozen=True)
class Step:
    """One frame of the failure in the workspace, with its function."""

    located: Located
    scope: Scope

    @property
    def line(self) -> int:
        return self.located.line


@dataclass(frozen=True)
class Scene:
    """What can be seen so far."""

    case: Case
    findings: Findings

    @cached_property
    def steps(self) -> list[Step]:
        """The frames whose lines were shown, the outermost first."""
        found = ((located, self._scope_of(located)) for located in self.case.inside)
        return [Step(located, scope) for located, scope in found if scope]

    def definitions(self, name: str, near: str) -> list[Scope]:
        """The functions of that name that were shown: in the same file first, sources before tests."""
        symbol = name.rpartition(".")[2]
        uses = [
            use
            for use in self.findings.definitions.get(symbol, ())
            if use.place.kind not in ("class", "interface")
        ]
        uses.sort(key=lambda use: (use.place.path != near, use.place.is_test))
        return [scope for use in uses[:_MAX_SAME_NAME] if (scope := self._defined(use))]

    def uses(self, name: str) -> list[Use]:
        """Where a name that was looked up is used."""
        return self.findings.uses.get(name, [])

    def scope_at(self, path: str, line: int) -> Scope | None:
        """The smallest shown function around a line."""
        around = [step.scope for step in self.steps if step.scope.path == path and line in step.scope]
        return min(around, key=lambda scope: scope.last_line - scope.first_line, default=None)

    def _scope_of(self, located: Located) -> Scope | None:
        for place in self.findings.read:
            if place.holds(located.path, located.line, located.line):
                first, last = (
                    max(place.first_line, located.first_line),
                    min(place.last_line, located.last_line),
                )
                return Scope(place, located.function, first, last, located.is_test)
        return None

    def _defined(self, use: Use) -> Scope | None:
        place = self.findings.definition(use)
        return (
            Scope(place, place.name, place.first_line, place.last_line, place.is_test)
            if place.lines
            else None
        )
