from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.recheck import AnswerInvalid, recheck
from tools.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "a.py").write_bytes(b"one = 1\r\ntwo = 2\r\nthree = 3\r\n")
    opened = Workspace(tmp_path)
    yield opened
    opened.close()


def lines(path: str, first: int, text: str) -> dict[str, Any]:
    last = first + text.count("\n")
    return {
        "kind": "lines",
        "path": path,
        "first_line": first,
        "last_line": last,
        "text": text,
        "sha256": "0" * 64,
    }


def document(*citations: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema": "codewitness.answer/1",
        "observed": [{"text": "claim", "citations": list(citations)}],
        "recommendations": [],
    }


@pytest.mark.parametrize(
    ("citation", "verdict", "now"),
    [
        (lines("a.py", 2, "two = 2\nthree = 3"), "holds", ""),
        (lines("a.py", 1, "two = 2\nthree = 3"), "moved", "a.py:2-3"),
        (lines("a.py", 1, "three = 3"), "moved", "a.py:3"),
        (lines("a.py", 1, "four = 4"), "stale", ""),
        (lines("b.py", 1, "one = 1"), "gone", ""),
        (lines("../a.py", 1, "one = 1"), "gone", ""),
        ({"kind": "commit", "sha": "abc", "subject": "s", "date": "d"}, "gone", ""),
    ],
)
def test_each_citation_gets_its_verdict(
    workspace: Workspace, citation: dict[str, Any], verdict: str, now: str
) -> None:
    (checked,) = recheck(document(citation), workspace)
    assert (checked.verdict, checked.now) == (verdict, now)


def test_text_that_stands_there_twice_but_not_at_its_lines_is_stale(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("x\none = 1\none = 1\n")
    (checked,) = recheck(document(lines("a.py", 1, "one = 1")), workspace)
    assert checked.verdict == "stale"


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"schema": "codewitness.search/1"},
        {"schema": "codewitness.answer/1", "observed": "x"},
        {"schema": "codewitness.answer/1", "observed": [1]},
        {"schema": "codewitness.answer/1", "observed": [{"citations": []}]},
        document(),
        document({"kind": "lines", "path": "a.py"}),
        document({**lines("a.py", 1, "one = 1"), "kind": "proof"}),
        document({"path": "a.py"}),
        document({**lines("a.py", 1, "one = 1"), "first_line": True}),
        document(lines("a.py", 0, "one = 1")),
        document({**lines("a.py", 1, "one = 1"), "last_line": 5}),
    ],
)
def test_what_is_no_answer_is_refused_with_the_cause(workspace: Workspace, broken: dict[str, Any]) -> None:
    with pytest.raises(AnswerInvalid) as refused:
        recheck(broken, workspace)
    assert refused.value.cause
    assert refused.value.hint


def test_text_that_is_gone_and_text_that_stands_there_often_are_told_apart(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("x\none = 1\none = 1\n")
    often, gone = (
        recheck(document(lines("a.py", 1, text)), workspace)[0].reason for text in ("one = 1", "four = 4")
    )
    assert "2 times elsewhere" in often
    assert "not in the file any more" in gone
