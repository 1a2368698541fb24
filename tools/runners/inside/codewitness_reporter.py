"""A pytest plugin that writes what happens to an inherited pipe, one JSON object a line.

It is loaded into the test process, on whatever Python the project uses: standard library only, and nothing newer
than Python 3.8 knows. `{"collected": n}` comes first, then one record per report, then `{"finish": exit status}`.
"""

import json
import os

import pytest

_MAX_TEXT = 20000
_MAX_FRAMES = 50
_frames_of = {}


def _open():
    where = os.environ.pop("CODEWITNESS_REPORT", "")
    if not where:
        return None
    if where.isdigit():
        os.set_inheritable(int(where), False)
        return os.fdopen(int(where), "wb", buffering=0)
    return open(where, "ab", buffering=0)  # noqa: PTH123


class Reporter:
    def __init__(self, stream):
        self._stream = stream
        self._process = os.getpid()
        self._collected = set()

    def _write(self, **record):
        if os.getpid() != self._process:  # a fork of the test process is not the test process
            return
        line = memoryview(json.dumps(record).encode("ascii") + b"\n")
        while line:
            line = line[self._stream.write(line) :]

    def pytest_collection_finish(self, session):
        self._count(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node, ids):
        self._count(ids)

    def _count(self, ids):
        self._collected.update(ids)
        self._write(collected=len(self._collected))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        yield
        if call.excinfo is not None:
            _frames_of[(item.nodeid, call.when)] = _frames(call.excinfo)

    def pytest_collectreport(self, report):
        if report.failed:
            self._write(id=report.nodeid, when="collect", outcome="failed", seconds=0, **_story(report, []))

    def pytest_runtest_logreport(self, report):
        frames = _frames_of.pop((report.nodeid, report.when), [])
        record = {"id": report.nodeid, "when": report.when, "outcome": report.outcome}
        record["seconds"] = round(report.duration, 6)
        if hasattr(report, "wasxfail"):
            record["xfail"] = True
        if report.outcome != "passed":
            record.update(_story(report, frames))
        self._write(**record)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session, exitstatus):
        stopped = session.shouldfail or session.shouldstop
        self._write(finish=int(exitstatus), stopped=str(stopped or ""))


def _frames(excinfo):
    try:
        entries = list(excinfo.traceback)[-_MAX_FRAMES:]
        return [[str(entry.path), entry.lineno + 1, entry.name] for entry in entries]
    except Exception:
        return []


def _story(report, frames):
    crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
    message = str(getattr(crash, "message", "") or report.longrepr or "")
    if crash is not None and not frames:
        frames = [[crash.path, crash.lineno, ""]]
    output = "\n".join(part for part in (report.capstdout, report.capstderr, report.caplog) if part)
    return {"message": message[-_MAX_TEXT:], "frames": frames, "output": output[-_MAX_TEXT:]}


def pytest_configure(config):
    stream = _open()
    if stream is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter(stream), "codewitness_reports")
