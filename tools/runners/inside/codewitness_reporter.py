"""A pytest plugin that writes what happens to an inherited pipe, one JSON object a line.

It is loaded into the test process, on whatever Python the project uses: standard library only, and nothing newer
than Python 3.8 knows (hence the old names of types). `{"collected": n}` comes first, then one record per report, then `{"finish": exit status}`.
"""

import json
import os
from typing import IO, Any, Dict, Iterable, Iterator, List, Optional, Set, Tuple

import pytest

_MAX_TEXT = 20000
_MAX_FRAMES = 50
_frames_of: Dict[Tuple[str, str], List[Any]] = {}


def open_report() -> Optional[IO[bytes]]:
    where = os.environ.pop("CODEWITNESS_REPORT", "")
    if not where:
        return None
    if where.isdigit():
        os.set_inheritable(int(where), False)
        return os.fdopen(int(where), "wb", buffering=0)
    return open(where, "ab", buffering=0)


class Reporter:
    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._process = os.getpid()
        self._collected: Set[str] = set()

    def _write(self, **record: Any) -> None:
        if os.getpid() != self._process:  # a fork of the test process is not the test process
            return
        line = memoryview(json.dumps(record).encode("ascii") + b"\n")
        while line:
            line = line[self._stream.write(line) :]

    def pytest_collection_finish(self, session: Any) -> None:
        self._count(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Any) -> None:
        self._count(ids)

    def _count(self, ids: Iterable[str]) -> None:
        self._collected.update(ids)
        self._write(collected=len(self._collected))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Iterator[None]:
        yield
        if call.excinfo is not None:
            _frames_of[(item.nodeid, call.when)] = _frames(call.excinfo)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._write(id=report.nodeid, when="collect", outcome="failed", seconds=0, **_story(report, []))

    def pytest_runtest_logreport(self, report: Any) -> None:
        frames = _frames_of.pop((report.nodeid, report.when), [])
        record: Dict[str, Any] = {"id": report.nodeid, "when": report.when, "outcome": report.outcome}
        record["seconds"] = round(report.duration, 6)
        if hasattr(report, "wasxfail"):
            record["xfail"] = True
        if report.outcome != "passed":
            record.update(_story(report, frames))
        self._write(**record)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: Any, exitstatus: Any) -> None:
        stopped = session.shouldfail or session.shouldstop
        self._write(finish=int(exitstatus), stopped=str(stopped or ""))


def _frames(excinfo: Any) -> List[Any]:
    try:
        entries = list(excinfo.traceback)[-_MAX_FRAMES:]
        return [[str(entry.path), entry.lineno + 1, entry.name] for entry in entries]
    except Exception:
        return []


def _story(report: Any, frames: List[Any]) -> Dict[str, Any]:
    told: Any = getattr(report, "longrepr", None)
    crash = getattr(told, "reprcrash", None)
    if told and crash is None and report.outcome == "skipped":
        told = told[-1]  # path and line come before the reason
    message = str(getattr(crash, "message", "") or told or "")
    if crash is not None and not frames:
        frames = [[crash.path, crash.lineno, ""]]
    output = "\n".join(part for part in (report.capstdout, report.capstderr, report.caplog) if part)
    return {"message": message[-_MAX_TEXT:], "frames": frames, "output": output[-_MAX_TEXT:]}


def pytest_configure(config: Any) -> None:
    stream = open_report()
    if stream is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter(stream), "codewitness_reports")
