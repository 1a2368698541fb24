"""Follows the values of the failing line back to where they came from, and says which lines are suspect.

From the failing expression to what bound it, from a parameter to what the caller passed, from a call to what the
called function returns, from an attribute to what assigned it. Each step back adds a suspect; a line that looks like
the kind of fault counts more. What is not shown yet is asked for, so the trail is walked again with each turn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agent.backends.extractive.explaining.callers import who_calls
from agent.backends.extractive.explaining.footing import Footing, Wanted, class_of
from agent.backends.extractive.explaining.scene import Scope, Step
from agent.backends.extractive.explaining.statements import (
    Call,
    argument_at,
    attribute_binding,
    bare,
    bindings,
    calls_in,
    gives_attribute,
    is_raise,
    last_statement,
    module_members,
    names_in,
    returned,
    stored_key,
)
from agent.backends.extractive.explaining.subjects import failing_expressions
from agent.backends.extractive.explaining.suspects import Suspect
from agent.backends.extractive.findings import Use
from agent.backends.extractive.lines import guard_of

MAX_DEPTH = 8
_MAX_SCOPES = 24
_FADES, _GIVEN = 0.94, 0.7
"""What each step back costs: the nearest explanation wins where nothing else tells them apart."""
_RAISED_ON_PURPOSE, _FAILED = 0.15, 0.45
_COMPUTES = re.compile(r"[-+*/%]|\[|<<|>>|&&|\|\||\band\b|\bor\b")
_EMPTIES = re.compile(r"\bdel(?:ete)?\b|\.(?:pop|remove|clear|splice|shift|delete)\(")
_FIELDS_WITHOUT_THIS = (".java", ".kt", ".scala", ".cs", ".swift")
"""Languages whose methods name fields without saying whose."""
_CALLED_FROM_ANYWHERE = -2
_MAX_CALLERS = 3
_OFF_PATH = 0.6
"""For callers that no frame shows: they need not have been there."""
_LOOP = re.compile(r"\bfor\b|\bwith\b|\blet\b")
_NORMALISES = re.compile(
    r"\.(?:lower|upper|strip|trim|toLowerCase|toUpperCase|casefold|replace|to_lowercase|to_uppercase)\(|strings\.(?:ToLower|ToUpper|TrimSpace)\("
)


@dataclass
class Trail(Footing):
    """One walk over a scene."""

    _seen: set[tuple[str, int, str]] = field(default_factory=set[tuple[str, int, str]])
    _entered: dict[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])

    def walk(self) -> None:
        """Follow everything from the failing line on."""
        steps = self.scene.steps
        if not steps:
            return
        last = len(steps) - 1
        failed = steps[last]
        text = failed.scope.text(failed.line)
        on_purpose = is_raise(text) or failed.scope.is_test
        self.suspect(failed.scope, failed.line, _RAISED_ON_PURPOSE if on_purpose else _FAILED, "failed", "")
        self.mark_inside(failed.scope, 0.5)
        subjects = failing_expressions(self.fault, text)
        self.suspects.member = subjects.member
        guard = guard_of(failed.scope.place, failed.line) if on_purpose else None
        expressions = [*subjects.expressions, *([guard.text] if guard else [])]
        if guard:
            self.suspect(failed.scope, guard.first_line, 0.3, "guard", "")
        for expression in expressions:
            self._follow(expression, failed.scope, failed.line, last, 1.0, 0)
        for attribute in subjects.attributes:
            self._given_anywhere(attribute)
        who_calls(self, failed, last)

    def ranked(self) -> list[Suspect]:
        """The suspects, the most likely first."""
        return self.suspects.ranked()

    # -- one value -----------------------------------------------------------------------------------------------

    def _follow(self, expression: str, scope: Scope, line: int, at: int, weight: float, depth: int) -> None:
        """Where the values of an expression come from. `at` is the frame of `scope`, -1 off the path."""
        if depth > MAX_DEPTH:
            return
        for call in calls_in(expression):
            self._enter(call, scope, line, weight, depth)
        for owner, member in module_members(expression):
            if owner not in scope.parameters and not self._bound(owner, scope, line):
                self._global(member, scope, weight)
        given = self._given(expression, scope)
        for name in names_in(expression):
            if (scope.path, line, name) not in self._seen:
                self._seen.add((scope.path, line, name))
                fades = _GIVEN if name in given else _FADES
                self._follow_name(name, scope, line, at, weight * fades, depth + 1)

    def _given(self, expression: str, scope: Scope) -> set[str]:
        """Names that are only given to functions that are known: what those make of them counts for more."""
        calls = [call for call in calls_in(expression) if self.scene.definitions(call.name, scope.path)]
        return {name for call in calls for argument in call.arguments for name in names_in(argument)}

    def _follow_name(self, name: str, scope: Scope, line: int, at: int, weight: float, depth: int) -> None:
        if name.startswith(("self.", "this.", "@")):
            self._attribute_of(re.sub(r"^(?:self|this)\.|^@", "", name), scope, at, weight, depth)
            return
        bound = self._bound(name, scope, line)
        for number, value in bound:
            self.suspect(scope, number, weight * self._made_by(value, scope), "bound", name)
            self._not_awaited(value, scope, number, weight, name)
            self._follow(value, scope, number, at, weight, depth)
        if name in scope.parameters:
            self._passed(name, scope, at, weight, depth)
        elif not bound and name not in (scope.symbol, ""):
            if class_of(scope) and scope.path.endswith(_FIELDS_WITHOUT_THIS):
                self._attribute_of(name, scope, at, weight, depth)
            self._global(name, scope, weight)
        self._members(name, scope, line, weight)

    def _bound(self, name: str, scope: Scope, line: int) -> list[tuple[int, str]]:
        """The bindings that hold at the line: the last one before it, and one on the line itself (a loop's)."""
        found = [
            (number, one.value)
            for number, text in scope.numbered()
            if number <= line
            for one in bindings(text)
            if name in one.names and (number < line or name not in names_in(one.value))
        ]
        plain = [entry for entry in found if entry[0] < line]
        return [
            *plain[-2:],
            *(entry for entry in found if entry[0] == line and _LOOP.search(scope.text(line))),
        ]

    def _members(self, name: str, scope: Scope, line: int, weight: float) -> None:
        """What puts something into the value within the function (`settings[key] = value`)."""
        for number, text in scope.numbered():
            if (
                number != line
                and attribute_binding(text, name)
                and not any(name in one.names for one in bindings(text))
            ):
                self.suspect(scope, number, weight * 0.5, "assigned", name)

    def _passed(self, name: str, scope: Scope, at: int, weight: float, depth: int) -> None:
        """A parameter is what the caller passed: on the path of the failure, that is the frame before."""
        if at == _CALLED_FROM_ANYWHERE or (at == 0 and not scope.is_test):
            self._passed_by_any(name, scope, weight, depth)
        if at <= 0:
            return
        caller = self.scene.steps[at - 1]
        for call in calls_in(_statement(caller)):
            argument = (
                argument_at(call, name, scope.parameters)
                if call.name in (scope.symbol, class_of(scope))
                else ""
            )
            if argument:
                made = self._made_by(argument, caller.scope) - 0.1
                self.suspect(caller.scope, caller.line, weight * made, "passed", name)
                self._follow(argument, caller.scope, caller.line, at - 1, weight, depth)
                return

    def _passed_by_any(self, name: str, scope: Scope, weight: float, depth: int) -> None:
        """What the callers pass of a function that is not on the path."""
        if depth > MAX_DEPTH - 2:
            return
        self.wanted.append(Wanted(scope.symbol, "any"))
        calls = [use for use in self.scene.uses(scope.symbol) if use.kind == "call" and not use.place.is_test]
        for use in calls[:_MAX_CALLERS]:
            there = Scope(use.place, use.enclosing, use.line, use.line, use.place.is_test)
            for call in calls_in(use.text):
                if call.name == scope.symbol and (argument := argument_at(call, name, scope.parameters)):
                    self.suspect(
                        there, use.line, weight * _OFF_PATH * self._made_by(argument, there), "passed", name
                    )

    def _made_by(self, expression: str, scope: Scope) -> float:
        """How much an expression makes its value itself: less where it only hands on what a known function returns."""
        calls = calls_in(expression)
        if calls and self.scene.definitions(calls[0].name, scope.path):
            return 0.25
        return 0.35 if re.fullmatch(r"\s*[\w$&*]+\s*", expression) else 0.5

    def _attribute_of(self, attribute: str, scope: Scope, at: int, weight: float, depth: int) -> None:
        """What assigns an attribute, anywhere in the file of its class."""
        self.wanted.append(Wanted(attribute, "any", scope.path))
        writers = [
            use
            for use in self.scene.uses(attribute)
            if use.place.path == scope.path and attribute_binding(use.text, attribute)
        ]
        keys = {use.line: key for use in writers if (key := stored_key(use.text, attribute))}
        self._compare_keys(attribute, scope, list(keys.values()), weight)
        for use in writers:
            inside = Scope(use.place, use.enclosing, use.line, use.line, use.place.is_test)
            raw_key = (
                use.line in keys
                and self.fault.kind in ("nothing", "key")
                and not _NORMALISES.search(keys.get(use.line, ""))
            )
            emptied = self.fault.kind in ("nothing", "key", "bounds") and _EMPTIES.search(use.text)
            self.suspect(
                inside, use.line, weight * (0.5 if raw_key or emptied else 0.35), "assigned", attribute
            )
            self._stored(use, weight, depth)

    def _stored(self, use: Use, weight: float, depth: int) -> None:
        """What a method puts into an attribute may be what its callers passed."""
        name = use.enclosing.rpartition(".")[2]
        if name and depth < MAX_DEPTH - 2:
            self.wanted.append(Wanted(name, "definition"))
            for writer in self.scene.definitions(name, use.place.path):
                if use.line in writer:
                    self._follow(
                        use.text, writer, use.line, _CALLED_FROM_ANYWHERE, weight * _FADES, depth + 1
                    )

    def _given_anywhere(self, attribute: str) -> None:
        """Where any code says what the attribute is that had no usable value."""
        self.wanted.append(Wanted(attribute, "any"))
        for use in self.scene.uses(attribute):
            if gives_attribute(use.text, attribute) and not use.place.is_test:
                there = Scope(use.place, use.enclosing, use.line, use.line, use.place.is_test)
                self.suspect(there, use.line, 0.45, "assigned", attribute)

    def _compare_keys(self, attribute: str, scope: Scope, keys: list[str], weight: float) -> None:
        """A container that is filled under normalised keys and read under raw ones: the reader is suspect."""
        if self.fault.kind not in ("nothing", "key") or not any(map(_NORMALISES.search, keys)):
            return
        for number, text in scope.numbered():
            if re.search(rf"\b{re.escape(attribute)}\b(?:\.get\(|\[)", text) and not _NORMALISES.search(text):
                self.suspect(scope, number, weight * 0.9, "returned", attribute)

    def _global(self, name: str, scope: Scope, weight: float) -> None:
        """A name that the function does not bind: a constant of its module, or one that is imported."""
        self.wanted.append(Wanted(name, "definition"))
        for use in self.scene.findings.definitions.get(name, ())[:1]:
            if use.place.kind in ("constant", "variable", "field"):
                there = Scope(use.place, "", use.line, use.line, use.place.is_test)
                self.suspect(there, use.line, weight * 0.4, "bound", name)

    # -- one function --------------------------------------------------------------------------------------------

    def _enter(self, call: Call, scope: Scope, line: int, weight: float, depth: int) -> None:
        """What a called function returns, and how it comes by it."""
        self.wanted.append(Wanted(call.name, "definition"))
        if depth >= MAX_DEPTH:
            return
        for callee in self.scene.definitions(call.name, scope.path):
            key = (callee.path, callee.name)
            if (
                callee.name == scope.name
                or self._entered.get(key, 0.0) >= weight
                or len(self._entered) > _MAX_SCOPES
            ):
                continue
            self._entered[key] = weight
            self.mark_inside(callee, weight * 0.8, call)
            self._falls_off_the_end(callee, weight)
            lines = [text for _, text in callee.numbered()]
            last = callee.first_line + last_statement(lines)
            for number, text in callee.numbered():
                value = returned(text) if callee.symbol else None
                if value is not None or number == last:
                    computed = 0.5 if _COMPUTES.search(bare(value or text)) else 0.35
                    self.suspect(callee, number, weight * computed, "returned", call.callee)
                    self._follow(value or text, callee, number, -1, weight * _FADES, depth + 1)
                elif self.fault.kind in ("value", "nothing", "key", "bounds", "changed", "time_zone"):
                    for inner in calls_in(text):
                        self._enter(inner, callee, number, weight * 0.85, depth + 1)

    def _falls_off_the_end(self, callee: Scope, weight: float) -> None:
        """A Python function that returns a value on some paths only gives nothing on the others."""
        if self.fault.kind != "nothing" or not callee.path.endswith(".py"):
            return
        returns = [number for number, text in callee.numbered() if returned(text)]
        lines = [text for _, text in callee.numbered()]
        last = callee.first_line + last_statement(lines)
        guard = (
            guard_of(callee.place, last)
            if returns and not re.match(r"\s*(?:return|raise)\b", callee.text(last))
            else None
        )
        if returns and last == returns[-1]:
            guard = guard_of(callee.place, last)
        if guard and guard.first_line in callee and not re.match(r"else\b", guard.text):
            self.suspect(callee, guard.first_line, weight * 0.6, "returned", callee.symbol)

    def _not_awaited(self, value: str, scope: Scope, line: int, weight: float, name: str) -> None:
        """A coroutine or promise that is used as if it were its result."""
        if self.fault.kind not in ("not_awaited", "type", "nothing") or re.match(r"\s*await\b", value):
            return
        for call in calls_in(value)[:1]:
            for callee in self.scene.definitions(call.name, scope.path):
                if re.search(r"\basync\b|\bPromise<", callee.header):
                    self.suspect(scope, line, weight, "unbound", call.callee)


def _statement(step: Step) -> str:
    """The frame's statement: its line and those that close its brackets."""
    text = ""
    for number in range(step.line, min(step.line + 8, step.scope.last_line + 1)):
        text = f"{text} {step.scope.text(number).strip()}".strip()
        if text.count("(") <= text.count(")"):
            break
    return text
