"""Runs a draft of tests again and again, each time in a fork of its own, and reports it round by round.

Started as `python -P -m codewitness_trial ORDERS` in the sandbox; ORDERS is a JSON file whose keys are those of
`Orders`. Tests are collected once; every further round is a fork of that state, in which a mutant's code takes the
place of a function's. What that cannot show (the function is not loaded, or its module was asked at import) is run
again on a changed file. It runs on whatever Python the project uses: nothing newer than Python 3.8 knows.
"""

import base64
import gc
import json
import os
import random
import signal
import sys
import time
from typing import IO, Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Set, Tuple

import pytest
from codewitness_forks import forked
from codewitness_mutants import Changed, Swap, loaded_functions, write
from codewitness_reporter import Reporter, open_report
from codewitness_witness import Witness, draw_anew, drawn, report_calls_to, snapshot

Orders = Dict[str, Any]
"""root, aliases, home, homes, allowed, dependencies; laid {path: base64}, draft, arguments, stage, only, mutants, script."""

_Tree = Optional[Dict[str, Tuple[int, ...]]]
_MOVED_SECONDS = 400 * 86400 + 5 * 3600 + 17 * 60
_MOVED_ZONE = "CWT-09:30"
_MAX_ALONE = 40
_REPEATS, _REPEATS_OF_RANDOM = 2, 12
_LEAST_CPU_SECONDS, _LEAST_SECONDS = 0.5, 10.0


def main(path: str) -> int:
    stream = open_report()
    if stream is None:
        return 2
    with open(path, encoding="utf-8") as file:
        orders: Orders = json.load(file)
    root: str = orders["root"]
    for inside, content in orders["laid"].items():
        write(os.path.join(root, inside), base64.b64decode(content))
    _STAGES[orders["stage"]](orders, stream)
    _end_round(stream, "trial", {"ended": "exit", "cpu": round(sum(os.times()[:4]), 3)})
    return 0


def _first(orders: Orders, stream: IO[bytes]) -> None:
    """All that is asked of a draft besides mutants."""
    told = _session(orders, stream, Trial.plain_rounds)
    if told.get("passed"):
        _elsewhere({**orders, "pace": told["pace"]}, stream, told["passed"])


def _elsewhere(orders: Orders, stream: IO[bytes], passed: List[str]) -> None:
    """At another time, in another zone, with another home: all at once, and one by one where something fails."""
    ways = ("clock", "zone", "home")
    together = _session(orders, stream, Trial.all_at_once, "elsewhere", ways, passed)
    if together.get("failed") or len(together.get("passed", ())) < len(passed):
        for way in ways:
            _session(orders, stream, Trial.all_at_once, way, (way,), passed)


def _mutants(orders: Orders, stream: IO[bytes]) -> None:
    """With swapped functions; what survives that, again with a changed file.

    To start pytest can take longer than all else, so files are changed once it has started; if by then the target is
    loaded, by a `conftest.py`, it is started anew for each.
    """
    only: List[str] = orders["only"]
    told = _session(orders, stream, Trial.mutant_rounds, only=only)
    survivors = [one for one in orders["mutants"] if one["name"] in told.get("survivors", ())]
    if survivors:
        orders = {**orders, "mutants": survivors, "pace": told["pace"]}
        told = _session(orders, stream, None, "files", (), only)
    for mutant in survivors if told.get("too_late") else ():
        with Changed(orders["root"], mutant):
            _session(orders, stream, Trial.all_at_once, f"{mutant['name']} file", (), only)


def _script(orders: Orders, stream: IO[bytes]) -> None:
    _session(orders, stream, Trial.script_round)


_STAGES = {"first": _first, "mutants": _mutants, "script": _script}


def _session(
    orders: Orders,
    stream: IO[bytes],
    rounds: Optional[Callable[["Trial"], Dict[str, Any]]],
    name: str = "collect",
    ways: Sequence[str] = (),
    only: Sequence[str] = (),
) -> Dict[str, Any]:
    """One start of pytest, in a fork; returns what it tells about its rounds. Without rounds, files are changed."""

    def work() -> Dict[str, Any]:
        signal.setitimer(signal.ITIMER_REAL, orders["collect_seconds"])  # until the tests are collected
        trial = Trial(orders, stream, name, ways, only, rounds)
        code = pytest.main(list(orders["arguments"]), plugins=[trial.reporter, trial])
        return {**trial.told, "exit": int(code)}

    told = forked(work, orders["all_seconds"])
    _end_round(stream, f"{name} session", told)
    return told


class Trial:
    """The plugin of one session."""

    def __init__(
        self,
        orders: Orders,
        stream: IO[bytes],
        name: str,
        ways: Sequence[str],
        only: Sequence[str],
        rounds: Optional[Callable[["Trial"], Dict[str, Any]]],
    ) -> None:
        self.reporter = RoundReporter(stream, f"{name} session")
        self.told: Dict[str, Any] = {}
        self._orders, self._stream, self._rounds, self._only, self._name = orders, stream, rounds, only, name
        roots = [orders["root"], *orders["aliases"]]
        self._witness = Witness(roots, orders["homes"], orders["allowed"], orders["draft"])
        self._witness.watch()
        report_calls_to(self._witness)
        if "clock" in ways:
            self._witness.move_clock(_MOVED_SECONDS)
        if "zone" in ways:
            os.environ["TZ"] = _MOVED_ZONE
            time.tzset()
        if "home" in ways:
            _move_home(orders["temporary"])
        self._tests: List[Any] = []
        self._session: Any = None
        self._pace: Dict[str, float] = orders.get("pace") or {"cpu": 0, "wall": orders["seconds"]}

    # -- pytest's hooks --------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: Any) -> Optional[bool]:
        self._witness.on = True
        if self._rounds is not None:
            return None
        self._session = session
        self.told = self._change_files()
        return True

    def pytest_collection_finish(self, session: Any) -> None:
        self._witness.on = False
        signal.setitimer(signal.ITIMER_REAL, 0)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> Optional[bool]:
        if session.testsfailed:
            return None  # what could not be collected is pytest's to tell
        if self._rounds is not None:
            self._begin(session)
            self.told = self._rounds(self)
        return True

    def _begin(self, session: Any) -> None:
        gc.freeze()  # what is there is shared with all forks as long as no collection touches it
        self._report_notes()
        self._session = session
        self._tests = [test for test in session.items if not self._only or test.nodeid in self._only]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        self._witness.test, self._witness.on = item.nodeid, True
        yield
        self._witness.on = False

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        before = drawn()
        self._witness.seeded = False
        yield
        if not self._witness.seeded and drawn() != before:
            self._witness.note("random")

    # -- the rounds of each stage ----------------------------------------------------------------------------------------

    def plain_rounds(self) -> Dict[str, Any]:
        before = self._snapshot()
        told = self._round("plain", self._tests)
        self._keep_pace(told)
        wrote = sorted(self._written_since(before) - set(told.get("wrote", ())))
        passed = [test for test in self._tests if test.nodeid in told.get("passed", ())]
        if len(passed) > 1:
            self._round("reversed", passed[::-1])
            self._round("shuffled", random.Random(len(passed)).sample(passed, len(passed)))
        found = (
            [self._alone(test, bool(wrote)) for test in passed[:_MAX_ALONE]]
            if len(passed) > 1 or wrote
            else []
        )
        if wrote and not any(found):
            self.reporter.begin("plain")
            self.reporter.write(saw="tree", test="", detail=wrote[0])
        self._again(passed, set(told.get("random", ())))
        return {"passed": [test.nodeid for test in passed], "pace": self._pace}

    def _alone(self, test: Any, looked_at: bool) -> bool:
        """Whether it has changed the tree."""
        name = f"alone {test.nodeid}"
        before = self._snapshot() if looked_at else None
        self._round(name, [test])
        wrote = self._written_since(before)
        if wrote:
            self.reporter.begin(name)
            self.reporter.write(saw="tree", test=test.nodeid, detail=sorted(wrote)[0])
        return bool(wrote)

    def _again(self, passed: Sequence[Any], drew: Set[str]) -> None:
        """What has drawn on randomness more often than the others."""
        for number in range(_REPEATS):
            self._round(f"again {number}", passed)
        chancy = [test for test in passed if test.nodeid in drew]
        for number in range(_REPEATS, _REPEATS_OF_RANDOM if chancy else 0):
            self._round(f"again {number}", chancy)

    def all_at_once(self) -> Dict[str, Any]:
        return self._round(self._name, self._tests)

    def mutant_rounds(self) -> Dict[str, Any]:
        control = self._round("control", self._tests)
        self._keep_pace(control)
        functions = loaded_functions(self._orders)
        survivors: List[str] = []
        for mutant in self._orders["mutants"]:
            swap = Swap(self._orders["root"], mutant, functions)
            told = self._round(mutant["name"], self._tests, swap) if swap.possible else {}
            if not told or self._is_open(told, mutant["probe"]):
                survivors.append(mutant["name"])
        return {"survivors": survivors, "pace": self._pace}

    def _change_files(self) -> Dict[str, Any]:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if loaded_functions(self._orders):
            return {"too_late": True}
        for mutant in self._orders["mutants"]:
            with Changed(self._orders["root"], mutant):
                self._collect_and_run(f"{mutant['name']} file")
        return {}

    def _collect_and_run(self, name: str) -> None:
        def run() -> Dict[str, Any]:
            self._name = name
            self.reporter.begin(f"{name} session")
            signal.setitimer(signal.ITIMER_REAL, self._orders["collect_seconds"])
            self._session.perform_collect()
            if not self._session.testsfailed:
                self._begin(self._session)
                self.all_at_once()
            return {}

        _end_round(self._stream, f"{name} session", forked(run, self._orders["all_seconds"]))

    def _is_open(self, told: Dict[str, Any], probe: bool) -> bool:
        """Whether a changed file may show more: what no test noticed, and what not every test called."""
        if told["ended"] != "exit":
            return False
        return len(set(told["called"])) < len(self._tests) if probe else not told["failed"]

    def script_round(self) -> Dict[str, Any]:
        def report(record: object) -> None:
            self.reporter.write(record=record)

        def run() -> Dict[str, Any]:
            self.reporter.begin("script")
            try:
                code = compile(self._orders["script"], "<script>", "exec")
                exec(code, {"__name__": "__codewitness__", "report": report})
            except Exception as error:
                return {"error": f"{type(error).__name__}: {error}"}
            return {}

        _end_round(self._stream, "script", forked(run, self._orders["seconds"]))
        return {}

    # -- one round -------------------------------------------------------------------------------------------------------

    def _round(self, name: str, tests: Sequence[Any], swap: Optional["Swap"] = None) -> Dict[str, Any]:
        def run() -> Dict[str, Any]:
            self.reporter.begin(name)
            self._witness.notes.clear()
            draw_anew()
            if swap is not None:
                self._session.config.option.tbstyle = "no"
                swap.make()
            started = time.process_time(), time.perf_counter()
            signal.setitimer(signal.ITIMER_PROF, self._pace["cpu"])  # 0: no limit
            for test, after in zip(tests, [*tests[1:], None]):  # noqa: B905  (3.8 has no `strict`)
                test.config.hook.pytest_runtest_protocol(item=test, nextitem=after)
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._report_notes()
            cpu, wall = time.process_time() - started[0], time.perf_counter() - started[1]
            spent = {"cpu": round(cpu, 4), "wall": round(wall, 4)}
            noted = {kind: self._witness.tests_with(kind) for kind in ("random", "called")}
            wrote = [detail for _, what, detail in self._witness.notes if what == "tree"]
            return {**self.reporter.outcomes(), **noted, "wrote": wrote, **spent}

        seconds = (
            self._orders["seconds"] if name == "plain" else min(self._pace["wall"], self._orders["seconds"])
        )
        told = forked(run, seconds)
        _end_round(self._stream, name, told)
        return told

    def _keep_pace(self, told: Dict[str, Any]) -> None:
        """What a round may take, by what a first one took: seconds of CPU, as those of a busy machine tell little."""
        self._pace = {
            "cpu": 4 * told.get("cpu", 0) + _LEAST_CPU_SECONDS,
            "wall": 20 * told.get("wall", 0) + _LEAST_SECONDS,
        }

    def _report_notes(self) -> None:
        for test, what, detail in sorted(self._witness.notes):
            self.reporter.write(saw=what, test=test, detail=detail[:300])

    def _snapshot(self) -> _Tree:
        return snapshot(self._orders["root"], self._orders["dependencies"])

    def _written_since(self, before: _Tree) -> Set[str]:
        """Paths of the tree that are not what they were, whoever wrote to them."""
        after = self._snapshot() if before is not None else None
        if before is None or after is None:
            return set()
        return {path for path in {**before, **after} if before.get(path) != after.get(path)}


class RoundReporter(Reporter):
    """Says with each record which round it belongs to."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        super().__init__(stream)
        self._round = name
        self._good: Dict[str, bool] = {}

    def _count(self, ids: Iterable[str]) -> None:
        listed = list(ids)
        super()._count(listed)
        self._write(record=listed)

    def begin(self, name: str) -> None:
        self._round, self._process, self._good = name, os.getpid(), {}

    def write(self, **record: Any) -> None:
        self._write(**record)

    def _write(self, **record: Any) -> None:
        super()._write(round=self._round, **record)

    def pytest_runtest_logreport(self, report: Any) -> None:
        good = report.outcome == "passed" and not hasattr(report, "wasxfail")
        self._good[report.nodeid] = self._good.get(report.nodeid, True) and good
        super().pytest_runtest_logreport(report)

    def outcomes(self) -> Dict[str, List[str]]:
        return {
            "passed": [test for test, good in self._good.items() if good],
            "failed": [test for test, good in self._good.items() if not good],
        }


def _move_home(temporary: str) -> None:
    other, for_now = os.path.join(temporary, "another-home"), os.path.join(temporary, "another-tmp")
    for folder in (other, for_now):
        os.makedirs(folder, exist_ok=True)
    os.environ.update(HOME=other, USERPROFILE=other, TMPDIR=for_now, USER="another", LOGNAME="another")


def _end_round(stream: IO[bytes], name: str, told: Dict[str, Any]) -> None:
    """A line of its own, also where a process was killed while it wrote one."""
    record = {
        "round": name,
        "ended": told["ended"],
        "cpu": told.get("cpu", 0),
        "error": told.get("error", ""),
    }
    stream.write(b"\n" + json.dumps(record).encode("ascii") + b"\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
