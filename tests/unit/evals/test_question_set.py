from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.question_set import QuestionSetInvalid, code_digest, read_rows, require_snapshots, write_rows

ROWS = [{"id": name, "repo": "o/r", "commit": "0" * 40, "kind": "symbol", "query": "q"} for name in "abc"]


def test_a_stopped_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text('{"id": "a", "made_with": "code", "ranked": []}\n{"id": "b", "made', encoding="utf-8")
    asked: list[str] = []

    def ask(rows):
        for row in rows:
            asked.append(row["id"])
            yield {"id": row["id"], "ranked": []}

    answered = write_rows(out, ROWS, "code", ask)

    assert asked == ["b", "c"]
    assert sorted(answered) == ["a", "b", "c"]
    assert [json.loads(line)["id"] for line in out.read_text(encoding="utf-8").splitlines()] == [
        "a",
        "b",
        "c",
    ]


def test_what_other_code_has_predicted_is_asked_again(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text('{"id": "a", "made_with": "older", "ranked": []}\n', encoding="utf-8")

    answered = write_rows(out, ROWS, "newer", lambda rows: ({"id": row["id"]} for row in rows))

    assert {row["made_with"] for row in answered.values()} == {"newer"}


def test_other_code_has_another_digest() -> None:
    assert code_digest("evals") == code_digest("evals") != code_digest("evals", "tools.index")


@pytest.mark.parametrize("text", ["", "{", '{"id": "a"}', "[1]"])
def test_a_set_that_is_none_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(QuestionSetInvalid):
        read_rows(path)


def test_a_missing_snapshot_is_named(tmp_path: Path) -> None:
    with pytest.raises(QuestionSetInvalid) as told:
        require_snapshots(ROWS, tmp_path)

    assert "o+r@000000000000" in told.value.cause
