"""Who refers to the failing function or makes its object, where the path above it is not known or says nothing."""

from __future__ import annotations

import re

from agent.backends.extractive.explaining.footing import Footing, Wanted, class_of
from agent.backends.extractive.explaining.scene import Scope, Step


def who_calls(on: Footing, failed: Step, at: int) -> None:
    """Where the path above the failing function is not known, or its `this` was lost: who refers to it."""
    symbol = failed.scope.symbol
    if not symbol or (at > 0 and on.fault.kind not in ("lost_this", "unmade_map")):
        return
    if on.fault.kind == "unmade_map":
        _made(on, failed)
        return
    on.wanted.append(Wanted(symbol, "any"))
    for use in on.scene.uses(symbol):
        there = Scope(use.place, use.enclosing, use.line, use.line, use.place.is_test)
        if on.fault.kind == "lost_this":
            if re.search(rf"\.{re.escape(symbol)}\b(?!\s*\()", use.text):
                on.suspect(there, use.line, 1.0, "caller", symbol)
        elif use.kind == "call" and not use.place.is_test:
            on.suspect(there, use.line, 0.3, "caller", symbol)
            _caller(on, use.enclosing, failed)


def _caller(on: Footing, enclosing: str, failed: Step) -> None:
    """The function that calls the failing one, where no frame shows it."""
    name = enclosing.rpartition(".")[2]
    if not name or name == failed.scope.symbol:
        return
    on.wanted.append(Wanted(name, "definition"))
    for caller in on.scene.definitions(name, failed.scope.path):
        on.mark_inside(caller, 0.9)


def _made(on: Footing, failed: Step) -> None:
    """What makes the value that a method works on."""
    kind = class_of(failed.scope)
    if not kind:
        return
    on.wanted.append(Wanted(kind, "any"))
    for use in on.scene.uses(kind):
        if re.search(rf"\b{kind}\{{|new\({kind}\)|\bvar \w+ {kind}\b", use.text):
            there = Scope(use.place, use.enclosing, use.line, use.line, use.place.is_test)
            on.suspect(there, use.line, 0.8, "assigned", kind)
