"""What test frameworks on Node report: the lines of our own reporter, and the JSON document of jest and vitest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from tools.runners.runner import (
    MAX_MESSAGE_CHARACTERS,
    MAX_OUTPUT_CHARACTERS,
    Frame,
    InsidePaths,
    Outcome,
    TestOutcome,
    capped,
)

Read = tuple[tuple[TestOutcome, ...], str]
"""The tests, and why they cannot be believed as a whole, or ""."""

_FRAME = re.compile(
    r"\s+at (?:(?:async )?(?P<function>[^\s(]+)[^(]*\()?(?:file://)?(?P<path>/[^():]+):(?P<line>\d+):\d+\)?"
)
_OUTCOMES: dict[str, Outcome] = {
    "passed": "passed",
    "failed": "failed",
    "pending": "skipped",
    "skipped": "skipped",
    "todo": "skipped",
    "disabled": "skipped",
}
_MAX_FRAMES = 20


def read_node_lines(report: bytes, exit_code: int, paths: InsidePaths) -> Read:
    """The report of `node --test`, through our reporter."""
    reading = _Lines(paths)
    for line in report.splitlines():
        reading.take(line)
    return tuple(reading.outcomes()), reading.problem(exit_code)


def read_suites(report: bytes, exit_code: int, paths: InsidePaths) -> Read:
    """The report of jest or vitest."""
    try:
        document = json.loads(report)
    except ValueError:
        return (), "nothing whole was reported: the framework did not start, or ended before its tests did"
    if not isinstance(document, dict):
        return (), "what was reported is no report"
    whole = cast(dict[str, Any], document)
    tests = [test for suite in _list(whole.get("testResults")) for test in _suite(suite, paths)]
    failed = whole.get("success") is not True
    if failed != (exit_code != 0):
        return tuple(
            tests
        ), f"the tests reported {'failures' if failed else 'success'} and ended with {exit_code}"
    n_assertions = sum(1 for test in tests if "::" in test.id)
    if n_assertions < int(whole.get("numTotalTests") or 0):
        return tuple(tests), f"{n_assertions} of {whole['numTotalTests']} tests were reported"
    return tuple(tests), ""


def frames_in(stack: str, paths: InsidePaths) -> tuple[Frame, ...]:
    """The places of a JavaScript stack that lie in the workspace; outermost first, while it is written from inside out."""
    found: list[Frame] = []
    for line in stack.split("\n"):
        place = _FRAME.match(line)
        if place and "/node_modules/" not in place["path"] and (path := paths.canonical(place["path"])):
            found.append(Frame(path, int(place["line"]), place["function"] or ""))
    return tuple(reversed(list(dict.fromkeys(found))[:_MAX_FRAMES]))


class _Lines:
    """The records of `node --test`, as they are read. Tests of a file come in order, inner ones before outer ones."""

    def __init__(self, paths: InsidePaths) -> None:
        self._paths = paths
        self._ended: list[dict[str, Any]] = []
        self._output: dict[str, list[str]] = {}
        self._open: dict[str, list[str]] = {}
        """Names of the tests that began, by file and from the outermost."""
        self._finished = False

    def take(self, line: bytes) -> None:
        try:
            record = json.loads(line)
        except ValueError:
            return
        if not isinstance(record, dict):
            return
        fields = cast(dict[str, Any], record)
        event, file = fields.get("event"), str(fields.get("file"))
        if fields.get("finish") is True:
            self._finished = True
        elif event == "output":
            self._output.setdefault(file, []).append(str(fields.get("text", "")))
        elif event == "test:start":
            names = self._open.setdefault(file, [])
            del names[int(fields.get("nesting") or 0) :]
            names.append(str(fields.get("name")))
        elif event in ("test:pass", "test:fail"):
            depth = int(fields.get("nesting") or 0)
            outer = self._open.get(file, [])[:depth]
            self._ended.append({**fields, "path": [*outer, str(fields.get("name"))]})

    def problem(self, exit_code: int) -> str:
        if not self._finished:
            return "the test process ended before its tests did" if self._ended else "nothing was reported"
        silent = [
            self._file(record)
            for record in self._ended
            if _is_file(record) and record["event"] == "test:pass"
        ]
        if silent:
            return f"{', '.join(silent[:3])} ended without reporting a test"
        failed = any(record["event"] == "test:fail" and not record.get("todo") for record in self._ended)
        if failed != (exit_code != 0):
            return f"the tests reported {'failures' if failed else 'none'} and ended with {exit_code}"
        return ""

    def outcomes(self) -> Iterator[TestOutcome]:
        """The tests; a group, or a test that only holds others, is none."""
        for record in self._ended:
            if record.get("suite") or record.get("kind") == "subtestsFailed":
                continue
            if not (_is_file(record) and record["event"] == "test:pass"):
                yield self._outcome(record)

    def _outcome(self, record: dict[str, Any]) -> TestOutcome:
        file, bad = self._file(record), record["event"] == "test:fail"
        output = "".join(self._output.get(str(record.get("file")), [])) if bad else ""
        whole_file = _is_file(record)
        stack = output if whole_file else str(record.get("stack", ""))
        outcome: Outcome = "passed" if not bad else "error" if whole_file else "failed"
        if record.get("skip") or (record.get("todo") and bad):
            outcome = "skipped"
        return TestOutcome(
            id=file if whole_file else f"{file}::{' > '.join(record['path'])}",
            outcome=outcome,
            seconds=float(record.get("seconds") or 0),
            message=capped(output if whole_file else str(record.get("message", "")), MAX_MESSAGE_CHARACTERS),
            frames=frames_in(stack, self._paths),
            output=capped(output, MAX_OUTPUT_CHARACTERS),
        )

    def _file(self, record: dict[str, Any]) -> str:
        return self._paths.canonical(str(record.get("file"))) or str(record.get("file"))


def _is_file(record: dict[str, Any]) -> bool:
    """Node reports a file that told of no test of its own as if it were one."""
    return record.get("name") == record.get("file")


def _suite(suite: object, paths: InsidePaths) -> Iterator[TestOutcome]:
    fields = cast(dict[str, Any], suite) if isinstance(suite, dict) else {}
    name = str(fields.get("name", ""))
    file = paths.canonical(name) or name
    assertions = [
        cast(dict[str, Any], one) for one in _list(fields.get("assertionResults")) if isinstance(one, dict)
    ]
    for one in assertions:
        yield _assertion(one, file, paths)
    if fields.get("status") == "failed" and not any(one.get("status") == "failed" for one in assertions):
        message = str(fields.get("message", ""))
        yield TestOutcome(
            file, "error", message=capped(message, MAX_MESSAGE_CHARACTERS), frames=frames_in(message, paths)
        )


def _assertion(one: dict[str, Any], file: str, paths: InsidePaths) -> TestOutcome:
    messages = "\n".join(map(str, _list(one.get("failureMessages"))))
    titles = [*map(str, _list(one.get("ancestorTitles"))), str(one.get("title", ""))]
    return TestOutcome(
        id=f"{file}::{' > '.join(filter(None, titles))}",
        outcome=_OUTCOMES.get(str(one.get("status")), "error"),
        seconds=float(one.get("duration") or 0) / 1000,
        message=capped(re.split(r"\n\s+at ", messages, maxsplit=1)[0], MAX_MESSAGE_CHARACTERS),
        frames=frames_in(messages, paths),
    )


def _list(value: object) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []
