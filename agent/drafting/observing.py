"""Calling a function in the sandbox, on many arguments, each twice: what comes back the same, and what does not.

Nothing of the workspace is imported by this process: the calls are made by `inside/observer.py`, on the project's own
Python, and what it reports is text.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, cast

from agent.drafting.expressions import Call
from agent.drafting.outcomes import Outcome
from agent.drafting.python_module import Need
from tools.drafting.bench import Bench
from tools.drafting.mutants import Mutant

_SECONDS = 30.0
_MARGIN_SECONDS = 30.0
"""For starting Python and importing the project."""
_WRONG_ARGUMENTS = frozenset({"TypeError", "AttributeError", "NameError", "RecursionError", "AssertionError"})
"""What a function says to arguments that it was never meant for: worth no test, unless it says so itself."""


@dataclass(frozen=True)
class Callee:
    """How a test reaches the function."""

    module: str
    name: str
    """In the module: `slugify`, `Place.label`."""

    @property
    def need(self) -> Need:
        return self.module, self.name.partition(".")[0]


@dataclass(frozen=True)
class Observed:
    """What was seen."""

    outcomes: tuple[Outcome, ...] = ()
    kills: Mapping[str, frozenset[int]] = field(default_factory=dict[str, frozenset[int]])
    """Key of a call → the mutants that it notices."""
    why_not: Counter[str] = field(default_factory=Counter[str])
    """What kept calls from being pinned down: file, clock, "no literal"…"""
    problem: str = ""
    """Why nothing could be called at all."""


async def observe(
    bench: Bench, callee: Callee, calls: Sequence[Call], mutants: Sequence[Mutant], near: str
) -> Observed:
    """Make the calls. `near`: the test file as whose neighbour the project is imported.

    Raises: ConsentRefused, TestsUnusable.
    """
    by_id = {str(number): call for number, call in enumerate(calls)}
    ran = await _run(bench, callee, by_id, mutants, near)
    if not ran.imported:
        return Observed(problem=ran.problem or "nothing was reported")
    usable = {key: case for key, case in ran.cases.items() if _is_worth_a_test(case)}
    why_not = Counter(str(one.get("why", "")) for one in ran.cases.values() if one.get("kind") == "unusable")
    why_not["changes"] += sum(key not in ran.stable for key in usable)
    outcomes = tuple(_outcome(by_id[key], case) for key, case in usable.items() if key in ran.stable)
    kills = {
        by_id[key].key: frozenset(number for number, killed in ran.mutants.items() if key in killed)
        for key in usable
    }
    return Observed(outcomes, kills, +why_not)


@dataclass
class _Run:
    imported: bool = False
    problem: str = ""
    cases: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    stable: set[str] = field(default_factory=set[str])
    """What came out the same a second time."""
    mutants: dict[int, list[str]] = field(default_factory=dict[int, list[str]])


async def _run(
    bench: Bench, callee: Callee, calls: Mapping[str, Call], mutants: Sequence[Mutant], near: str
) -> _Run:
    orders = {
        "module": callee.module,
        "seconds": _SECONDS,
        "cases": [_order(key, call, callee) for key, call in calls.items()],
        "mutants": [
            {"start": one.start, "end": one.end, "replacement": one.replacement.decode("latin-1")}
            for one in mutants
        ],
    }
    script = files("agent.drafting").joinpath("inside/observer.py").read_text(encoding="utf-8")
    head, _, body = script.partition("import contextlib\n")
    given = f"import json\n\nORDERS = json.loads({json.dumps(orders)!r})\n"
    code = f"{head}{given}import contextlib\n{body}"
    ran = await bench.run_script(code, near=near, seconds=_SECONDS + _MARGIN_SECONDS)
    read = _Run(problem=ran.problem)
    for record in ran.records:
        if isinstance(record, dict):
            _take(read, cast(dict[str, Any], record))
    return read


def _take(read: _Run, record: dict[str, Any]) -> None:
    """One record; those of another shape come from code of the workspace and say nothing."""
    match record:
        case {"imported": str(), "inside": True}:
            read.imported = True
        case {"imported": str(place)}:
            read.problem = f"another copy of it is imported there: {place}"
        case {"case": str(key), "kind": "value" | "raises" | "unusable"}:
            read.cases[key] = {name: value for name, value in record.items() if name != "case"}
        case {"again": str(key), "same": True}:
            read.stable.add(key)
        case {"mutant": int(number), "killed_by": list()}:
            read.mutants[number] = [str(one) for one in cast(list[Any], record["killed_by"])]
        case _:
            pass


def _order(key: str, call: Call, callee: Callee) -> dict[str, Any]:
    last = callee.name.rpartition(".")[2]
    function = f"({call.receiver.text}).{last}" if call.receiver else callee.name
    return {
        "id": key,
        "callee": function,
        "args": [one.text for one in call.args],
        "named": [[name, one.text] for name, one in call.named],
        "needs": [list(need) for need in call.needs],
    }


def _is_worth_a_test(case: Mapping[str, Any]) -> bool:
    match case:
        case {"kind": "value", "text": str(), "needs": list()}:
            return True
        case {"kind": "raises", "type": str(kind), "message": str(), "module": str(), "own": bool(own)}:
            return own or kind not in _WRONG_ARGUMENTS
        case _:
            return False


def _outcome(call: Call, case: Mapping[str, Any]) -> Outcome:
    needs = [(str(where), str(name)) for where, name in cast(list[list[Any]], case.get("needs", []))]
    if case["kind"] == "value":
        return Outcome(
            call, case["text"], tuple(needs), str(case.get("type")), listed=bool(case.get("listed"))
        )
    module, name = str(case["module"]), str(case["type"])
    error = () if module == "builtins" else ((module, name.partition(".")[0]),)
    return Outcome(call, "", error, name, str(case["message"]))
