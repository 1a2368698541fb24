"""What a walk along a trail stands on: the scene, the kind of fault, what is wanted next, and the suspects so far."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from agent.backends.extractive.explaining.faults import Fault
from agent.backends.extractive.explaining.scene import Scene, Scope
from agent.backends.extractive.explaining.statements import Call, names_in
from agent.backends.extractive.explaining.suspects import Origin, Suspect, Suspects


@dataclass(frozen=True)
class Wanted:
    """What should be looked up next."""

    name: str
    find: Literal["definition", "any", "calls"]
    path: str = ""


@dataclass
class Footing:
    """The common ground of everything that finds suspects."""

    scene: Scene
    fault: Fault
    wanted: list[Wanted] = field(default_factory=list[Wanted])

    def __post_init__(self) -> None:
        self.suspects = Suspects(self.fault)

    def mark_inside(self, scope: Scope, weight: float, call: Call | None = None) -> None:
        """Lines of the function that look like this kind of fault."""
        named = _keywords(call)
        for number, text in scope.numbered():
            mark = self.fault.mark(text)
            if number == scope.header_line and self.fault.kind != "value":
                continue
            if named & set(names_in(text)) and number != scope.header_line:
                mark += 0.5
            if mark:
                self.suspect(scope, number, weight * mark, "inside", "")

    def suspect(self, scope: Scope, line: int, weight: float, origin: Origin, subject: str) -> None:
        self.suspects.add(Suspect(scope, line, weight, origin, subject))


def class_of(scope: Scope) -> str:
    return scope.name.rpartition(".")[0].rpartition(".")[2]


def _keywords(call: Call | None) -> set[str]:
    """Parameters that the call names."""
    found: Iterable[str] = call.arguments if call else ()
    return set(_names_of_keywords(found))


def _names_of_keywords(arguments: Iterable[str]) -> Iterator[str]:
    for argument in arguments:
        if match := re.match(r"([A-Za-z_]\w*)\s*=(?!=)", argument):
            yield match[1]
