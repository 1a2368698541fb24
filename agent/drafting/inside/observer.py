"""Runs in the sandbox, on the project's own Python: calls a function with given arguments and reports what comes back.

It is sent as text with `ORDERS` before it and says what it finds through `report`, both globals of the script. A
result is reported as an expression that, evaluated again, is equal to it; what has none, what touches files, the
network, the clock, chance, the environment or its own arguments, and what prints, is reported as not to be pinned
down. With mutants in the orders, each is put in the module's place and the same calls are made again.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import decimal
import enum
import fractions
import importlib
import inspect
import io
import itertools
import linecache
import math
import os
import pathlib
import re
import signal
import sys
import time
import types
import uuid
from collections.abc import Callable, Generator
from typing import Any, cast

MOST_CHARACTERS, MOST_ITEMS = 240, 60
SECONDS_A_CALL, WAITING_SECONDS_A_CALL = 0.5, 5.0
"""Of CPU, and by the clock: on a busy machine the clock says little of a call."""
MOST_HANGS = 2
"""Of one mutant: a third call would only wait again."""
UNSTABLE_MODULES = {"time": "clock", "random": "chance", "_random": "chance", "secrets": "chance"}
UNSTABLE_NAMES = {
    "now": "clock",
    "today": "clock",
    "utcnow": "clock",
    "urandom": "chance",
    "getrandbits": "chance",
    "getpid": "machine",
    "getcwd": "machine",
}
ENVIRONMENT_READERS = ("getenv", "__getitem__", "__iter__")
DATES = re.compile(r"\bdatetime\.(date|time|datetime|timedelta|timezone)\b")
_seen: list[str] = []
_watching = False


class TooLong(BaseException):
    """One call took too long."""


class NoLiteral(Exception):
    """There is no expression for a value."""


def main(orders: dict[str, Any], report: Callable[[Any], None]) -> None:
    until = time.monotonic() + orders["seconds"]
    sys.addaudithook(_on_audit)
    for name in ("SIGALRM", "SIGVTALRM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _on_alarm)
    module = importlib.import_module(orders["module"])
    place = os.path.realpath(module.__file__ or "")
    report({"imported": place, "inside": place.startswith(f"{os.path.realpath('.')}{os.sep}")})
    outcomes: dict[str, Any] = {}
    for case in orders["cases"]:
        if time.monotonic() > until:
            break
        outcomes[case["id"]] = outcome = observed(module, case)
        report({"case": case["id"], **outcome})
    called = [
        case for case in orders["cases"] if outcomes.get(case["id"], {}).get("kind") in ("value", "raises")
    ]
    stable: list[dict[str, Any]] = []
    for case in reversed(called):  # in another order: what calls leave behind shows itself
        same = observed(module, case) == outcomes[case["id"]]
        report({"again": case["id"], "same": same})
        stable += [case] if same else []
    for number, mutant in enumerate(orders["mutants"]):
        if time.monotonic() > until:
            break
        report({"mutant": number, "killed_by": killers(module, mutant, stable, outcomes)})


def observed(module: types.ModuleType, case: dict[str, Any]) -> dict[str, Any]:
    """What one call comes to."""
    namespace = dict(vars(module))
    try:
        for where, name in case["needs"]:
            namespace[name] = getattr(importlib.import_module(where), name)
        function = eval(case["callee"], namespace)
        arguments = [eval(one, namespace) for one in case["args"]]
        named = {name: eval(one, namespace) for name, one in case["named"]}
    except Exception as problem:
        return {"kind": "unusable", "why": f"{type(problem).__name__}: {problem}"}
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return {"kind": "unusable", "why": "async"}
    before = _printed((arguments, named))
    _seen.clear()
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), _watched():
            value: Any = function(*arguments, **named)
            listed = hasattr(value, "__next__")
            if listed:
                value = [*itertools.islice(value, MOST_ITEMS + 1)]
    except TooLong:
        return {"kind": "unusable", "why": "time"}
    except Exception as raised:
        return _effects(said, before, arguments, named) or _raised(raised)
    except BaseException as raised:
        return {"kind": "unusable", "why": type(raised).__name__}
    return _effects(said, before, arguments, named) or _value(value, listed, case["callee"])


def killers(
    module: types.ModuleType, mutant: dict[str, Any], cases: list[dict[str, Any]], outcomes: dict[str, Any]
) -> list[str]:
    """The calls whose outcome is another one when the module is changed so."""
    source = pathlib.Path(module.__file__ or "").read_bytes()
    changed = source[: mutant["start"]] + mutant["replacement"].encode("latin-1") + source[mutant["end"] :]
    other = types.ModuleType(module.__name__)
    other.__file__, other.__package__, other.__spec__ = module.__file__, module.__package__, module.__spec__
    sys.modules[module.__name__] = other
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(changed, module.__file__ or "", "exec"), vars(other))
    except Exception:
        sys.modules[module.__name__] = module
        return [case["id"] for case in cases]
    killed: list[str] = []
    hangs = 0
    for case in cases:
        again = {"why": "time"} if hangs >= MOST_HANGS else observed(other, case)
        hangs += again.get("why") == "time"
        if again != outcomes[case["id"]]:
            killed.append(case["id"])
    sys.modules[module.__name__] = module
    return killed


def _value(value: Any, listed: bool, callee: str) -> dict[str, Any]:
    if inspect.isawaitable(value):
        return {"kind": "unusable", "why": "async"}
    needs: set[tuple[str, str]] = set()
    try:
        text = literal(value, needs)
        namespace = {name: getattr(importlib.import_module(where), name) for where, name in needs}
        again = eval(text, namespace)
        same = bool(again == value) and type(again) is type(value)
    except Exception:
        same, text = False, ""
    if not same or len(text) > MOST_CHARACTERS:
        return {"kind": "unusable", "why": "no literal", "type": type(value).__name__}
    if names_machine(text):
        return {"kind": "unusable", "why": "machine"}
    kind = type(value).__name__
    return {"kind": "value", "text": text, "needs": sorted(needs), "type": kind, "listed": listed}


def literal(value: Any, needs: set[tuple[str, str]]) -> str:
    """An expression for a value; `needs` collects the (module, name) that it takes. Raises: NoLiteral."""
    kind = cast("type[Any]", type(value))
    if value is None or kind in (bool, int, str, bytes, complex, range):
        return repr(value)
    if kind is float:
        return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
    if kind in (list, tuple, set, frozenset, dict):
        return _collection(value, kind, needs)
    if isinstance(value, enum.Enum):
        return f"{_class(kind, needs)}.{value.name}"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [one.name for one in dataclasses.fields(value) if one.init]
        return _made(kind, [(name, getattr(value, name)) for name in names], needs)
    if names := [str(name) for name in getattr(kind, "_fields", ())]:  # a named tuple
        return _made(kind, [(name, getattr(value, name)) for name in names], needs)
    if kind.__module__ == "datetime":
        text = repr(value)
        needs.update(("datetime", name) for name in DATES.findall(text))
        return DATES.sub(r"\1", text)
    if isinstance(value, pathlib.PurePath):
        name = "Path" if isinstance(value, pathlib.Path) else kind.__name__
        needs.add(("pathlib", name))
        return f"{name}({str(value)!r})"
    if kind in (decimal.Decimal, fractions.Fraction, uuid.UUID):
        return f"{_class(kind, needs)}({str(value)!r})"
    raise NoLiteral


def _collection(value: Any, kind: type, needs: set[tuple[str, str]]) -> str:
    if len(value) > MOST_ITEMS:
        raise NoLiteral
    if kind is dict:
        pairs = [f"{literal(key, needs)}: {literal(one, needs)}" for key, one in value.items()]
        return "{" + ", ".join(pairs) + "}"
    items = [literal(one, needs) for one in value]
    if kind in (set, frozenset):
        items.sort()  # their own order changes with the seed of hashes
    inside = ", ".join(items)
    if kind is list:
        return f"[{inside}]"
    if kind is tuple:
        return f"({inside},)" if len(items) == 1 else f"({inside})"
    if not items:
        return f"{kind.__name__}()"
    return "{" + inside + "}" if kind is set else "frozenset({" + inside + "})"


def _made(kind: type, fields: list[tuple[str, Any]], needs: set[tuple[str, str]]) -> str:
    given = ", ".join(f"{name}={literal(one, needs)}" for name, one in fields)
    return f"{_class(kind, needs)}({given})"


def _class(kind: type, needs: set[tuple[str, str]]) -> str:
    if "<locals>" in kind.__qualname__:
        raise NoLiteral
    needs.add((kind.__module__, kind.__qualname__.split(".")[0]))
    return kind.__qualname__


def _raised(raised: Exception) -> dict[str, Any]:
    kind, frames = type(raised), raised.__traceback__
    while frames is not None and frames.tb_next is not None:
        frames = frames.tb_next
    place = frames.tb_frame.f_code.co_filename if frames is not None else ""
    line = linecache.getline(place, frames.tb_lineno).strip() if frames is not None else ""
    message = str(raised)
    if "<locals>" in kind.__qualname__ or names_machine(message) or len(message) > MOST_CHARACTERS:
        return {"kind": "unusable", "why": "machine"}
    own = place.startswith(f"{pathlib.Path.cwd()}{os.sep}") and line.startswith("raise")
    return {
        "kind": "raises",
        "type": kind.__qualname__,
        "module": kind.__module__,
        "message": message,
        "own": own,
        "needs": [],
    }


def names_machine(text: str) -> bool:
    """Whether a text names a folder that is there only in this run, or an address in memory."""
    folders = (str(pathlib.Path.cwd()), os.environ.get("HOME", ""), os.environ.get("TMPDIR", ""))
    return bool(re.search(r"\bat 0x[0-9a-f]+", text)) or any(
        one and one in text for one in folders if one != "/"
    )


def _effects(said: io.StringIO, before: str, arguments: list[Any], named: dict[str, Any]) -> dict[str, Any]:
    if _seen:
        return {"kind": "unusable", "why": _seen[0]}
    if said.getvalue():
        return {"kind": "unusable", "why": "prints"}
    if before != _printed((arguments, named)):
        return {"kind": "unusable", "why": "argument"}
    return {}


def _printed(values: Any) -> str:
    try:
        return repr(copy.deepcopy(values))
    except Exception:
        return ""


@contextlib.contextmanager
def _watched() -> Generator[None, None, None]:
    global _watching
    _set_alarms(SECONDS_A_CALL, WAITING_SECONDS_A_CALL)
    _watching = True
    sys.setprofile(_on_call)
    try:
        yield
    finally:
        _set_alarms(0, 0)
        sys.setprofile(None)
        _watching = False


def _set_alarms(cpu_seconds: float, seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, cpu_seconds)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _on_alarm(_number: int, _frame: Any) -> None:
    raise TooLong


def _on_audit(event: str, arguments: Any) -> None:
    if not _watching:
        return
    if event == "open":
        path = str(arguments[0])
        if not path.endswith((".py", ".pyc", ".so")):  # a module that is imported late
            _seen.append("file")
    elif event.startswith(("socket.", "urllib.")):
        _seen.append("network")
    elif event.startswith(("subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn")):
        _seen.append("process")
    elif event.startswith(("os.", "shutil.", "tempfile.")) and event not in ("os.listdir", "os.scandir"):
        _seen.append("file")


def _on_call(frame: Any, event: str, argument: Any) -> None:
    if event == "c_call":
        module, name = getattr(argument, "__module__", "") or "", getattr(argument, "__name__", "")
        owner = type(getattr(argument, "__self__", None)).__module__
        why = UNSTABLE_MODULES.get(module) or UNSTABLE_MODULES.get(owner)
        if why is None and name in UNSTABLE_NAMES:
            why = UNSTABLE_NAMES[name]
        if why:
            _seen.append(why)
    elif frame.f_globals.get("__name__") == "os" and frame.f_code.co_name in ENVIRONMENT_READERS:
        _seen.append("environment")


main(globals()["ORDERS"], globals()["report"])
