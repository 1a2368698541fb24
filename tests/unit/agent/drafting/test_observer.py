"""The script that calls functions, run on a module as in the sandbox: a process of its own, what it reports on stdout."""

import json
import subprocess
import sys
from importlib.resources import files

import pytest

MODULE = """
import os, random, sys, time
from collections import namedtuple
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path

Pair = namedtuple("Pair", "left right")
class Color(Enum):
    RED = 1
@dataclass(frozen=True)
class Place:
    name: str
    day: date
_seen = []

def half(number):
    if number < 0:
        raise ValueError(f"no {number}")
    return number // 2

def same(value): return value
def made(): return [Place("a", date(2024, 5, 1)), Color.RED, Pair(1, {"b"}), Decimal("1.5"), Path("a/b"), timedelta(days=1)]
def items(): yield from (1, 2)
def endless():
    while True: pass
def forever():
    while True: yield 1
def clock(): return time.time()
def today(): return date.today()
def chance(): return random.random()
def reads(): return open("/etc/hostname").read()
def lists(): return os.environ.get("HOME")
def prints(): print("x")
def takes(values): values.append(1); return 1
def counts(): _seen.append(1); return len(_seen)
def here(): return os.getcwd()
def plain(): return object()
async def later(): return 1
def leaves(): sys.exit(3)
"""


def observed(tmp_path, *calls, mutants=()):
    (tmp_path / "subject.py").write_text(MODULE)
    cases = [
        {"id": str(at), "callee": name, "args": list(arguments), "named": [], "needs": []}
        for at, (name, *arguments) in enumerate(calls)
    ]
    orders = {"module": "subject", "seconds": 20, "cases": cases, "mutants": list(mutants)}
    script = files("agent.drafting").joinpath("inside/observer.py").read_text("utf-8")
    start = (
        "import json, sys; sys.path.insert(0, '.');"
        f"ORDERS = json.loads({json.dumps(orders)!r});"
        "report = lambda record: sys.__stdout__.write(json.dumps(record) + '\\n');"
        f"exec(compile({script!r}, 'observer', 'exec'), dict(ORDERS=ORDERS, report=report))"
    )
    done = subprocess.run(
        [sys.executable, "-c", start], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_results_come_back_as_expressions_and_errors_as_such(tmp_path):
    records = observed(tmp_path, ("half", "5"), ("half", "-1"), ("half", "'a'"), ("made",), ("items",))
    cases = {one["case"]: one for one in records if "case" in one}
    assert (cases["0"]["kind"], cases["0"]["text"]) == ("value", "2")
    assert (cases["1"]["type"], cases["1"]["message"], cases["1"]["own"]) == ("ValueError", "no -1", True)
    assert (cases["2"]["type"], cases["2"]["own"]) == ("TypeError", False)
    assert cases["3"]["text"] == (
        "[Place(name='a', day=date(2024, 5, 1)), Color.RED, Pair(left=1, right={'b'}), Decimal('1.5'),"
        " Path('a/b'), timedelta(days=1)]"
    )
    assert ["subject", "Place"] in cases["3"]["needs"]
    assert (cases["4"]["text"], cases["4"]["listed"]) == ("[1, 2]", True)


def test_what_cannot_be_pinned_down_says_why(tmp_path):
    calls = {
        "clock": ["clock"],
        "today": ["clock"],
        "chance": ["chance"],
        "reads": ["file"],
        "lists": ["environment"],
        "prints": ["prints"],
        "here": ["machine"],
        "plain": ["no literal"],
        "later": ["async"],
        "leaves": ["SystemExit"],
        "endless": ["time"],
        "forever": ["no literal"],
    }
    records = observed(tmp_path, *((name,) for name in calls), ("takes", "[]"), ("counts",))
    why = [one.get("why") for one in records if "case" in one]
    assert why == [*(reason for [reason] in calls.values()), "argument", None]
    assert [one["same"] for one in records if "again" in one] == [False], "counts changes from call to call"


@pytest.mark.parametrize(
    ("before", "after", "killed"),
    [
        ("number // 2", "number * 2", ["0"]),
        ("number < 0", "number <= 0", ["1"]),
        ('f"no {number}"', '""', ["2"]),
    ],
)
def test_calls_that_a_change_alters_are_told(before, after, killed, tmp_path):
    start = MODULE.index(before)
    mutant = {"start": start, "end": start + len(before), "replacement": after}
    records = observed(tmp_path, ("half", "5"), ("half", "0"), ("half", "-1"), mutants=[mutant])
    assert records[-1]["mutant"] == 0
    assert set(killed) <= set(records[-1]["killed_by"])


@pytest.mark.parametrize(
    "text", ["1", "'é\\n'", "b'x'", "(1,)", "()", "set()", "{1: [2]}", "frozenset({1})", "1.5", "None"]
)
def test_literals_come_back_as_they_were(text, tmp_path):
    [record, *_] = [one for one in observed(tmp_path, ("same", text)) if "case" in one]
    assert eval(record["text"]) == eval(text)
