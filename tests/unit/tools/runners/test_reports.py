"""Reports as the frameworks write them, whole, cut and forged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.runners.go_runner import Go
from tools.runners.node_reports import read_suites
from tools.runners.runner import InsidePaths, Report
from tools.runners.survey import survey
from tools.sandbox.job import Ended, Layout
from tools.workspace import Workspace

LAYOUT = Layout("/workspace", "/tmp/home", "/tmp", "/opt/codewitness", "5")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "go.mod").write_text("module example.test/shop\n")
    (tmp_path / "cart.go").write_text("package shop\n")
    (tmp_path / "cart.test.js").write_text("test();\n")
    opened = Workspace(tmp_path)
    yield opened
    opened.close()


def _go(workspace: Workspace, events: list[dict[str, Any]], exit_code: int) -> Report:
    report = b"\n".join(json.dumps({"Package": "example.test/shop", **event}).encode() for event in events)
    go = Go(workspace, survey(workspace), "", Path("/usr/bin/go"), (), Path("/none"), Path("/none"))
    return go.read_report(Ended("exit", exit_code, b"", b"", 0, report, 1.0), LAYOUT, workspace)


def test_go_events_become_outcomes_with_places(workspace: Workspace) -> None:
    events = [
        {"Action": "run", "Test": "TestA"},
        {"Action": "output", "Test": "TestA", "Output": "    cart.go:1: wrong\n"},
        {"Action": "fail", "Test": "TestA", "Elapsed": 0.5},
        {"Action": "fail"},
    ]
    report = _go(workspace, events, 1)
    [test] = report.tests
    assert (report.verdict, test.id, test.seconds, test.message) == (
        "failed",
        ".::TestA",
        0.5,
        "cart.go:1: wrong",
    )
    assert [(frame.path, frame.line) for frame in test.frames] == [("cart.go", 1)]


def test_a_go_test_that_began_and_did_not_end_leaves_no_verdict(workspace: Workspace) -> None:
    report = _go(workspace, [{"Action": "run", "Test": "TestA"}, {"Action": "pass"}], 0)
    assert (report.verdict, report.problem) == ("incomplete", "1 began and did not end: TestA")


def test_go_events_that_do_not_fit_the_exit_code_leave_no_verdict(workspace: Workspace) -> None:
    report = _go(workspace, [{"Action": "pass", "Test": "TestA"}, {"Action": "pass"}], 1)
    assert report.verdict == "incomplete"


def test_go_code_that_does_not_build_is_an_error_with_its_place(workspace: Workspace) -> None:
    events = [
        {"Action": "build-output", "Output": "./cart.go:1:2: undefined: x\n"},
        {"Action": "build-fail"},
        {"Action": "fail"},
    ]
    [test] = _go(workspace, events, 1).tests
    assert (test.outcome, test.frames[0].path, "undefined: x" in test.message) == ("error", "cart.go", True)


def _suites(workspace: Workspace, exit_code: int, **changes: object) -> tuple[dict[str, str], str]:
    assertions = [
        {"ancestorTitles": ["cart"], "title": "adds", "status": "passed", "duration": 3},
        {
            "ancestorTitles": ["cart"],
            "title": "fails",
            "status": "failed",
            "failureMessages": ["Error: no\n    at total (/workspace/cart.test.js:1:1)"],
        },
    ]
    suite = {"name": "/workspace/cart.test.js", "status": "failed", "assertionResults": assertions}
    document = {"success": False, "numTotalTests": 2, "testResults": [suite], **changes}
    tests, problem = read_suites(json.dumps(document).encode(), exit_code, InsidePaths(LAYOUT, workspace))
    return {test.id: test.outcome for test in tests}, problem


def test_a_document_of_jest_or_vitest_becomes_outcomes(workspace: Workspace) -> None:
    assert _suites(workspace, 1) == (
        {"cart.test.js::cart > adds": "passed", "cart.test.js::cart > fails": "failed"},
        "",
    )


def test_a_document_with_fewer_tests_than_it_counts_is_not_whole(workspace: Workspace) -> None:
    assert _suites(workspace, 1, numTotalTests=3)[1] == "2 of 3 tests were reported"


def test_a_document_that_does_not_fit_the_exit_code_is_not_believed(workspace: Workspace) -> None:
    assert "ended with 0" in _suites(workspace, 0)[1]


@pytest.mark.parametrize("report", [b"", b"{", b"[]", b"null", b'{"testResults": 7}', b"\xff"])
def test_what_is_no_document_is_not_believed(report: bytes, workspace: Workspace) -> None:
    tests, problem = read_suites(report, 0, InsidePaths(LAYOUT, workspace))
    assert tests == ()
    assert problem
