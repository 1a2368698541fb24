from __future__ import annotations

import math

import pytest

from evals.metrics import abstentions, citation_measures, estimate, retrieval_measures

ROW = {
    "id": "one",
    "kind": "issue",
    "gold": [{"path": "a.py", "start": 10, "end": 20}, {"path": "b.py", "start": 1, "end": 5}],
    "also_ok": [{"path": "c.py", "start": 1, "end": 9}],
}


def place(path: str, start: int = 1, end: int = 5) -> dict[str, object]:
    return {"path": path, "start": start, "end": end}


def test_all_gold_files_must_come_first_for_acc_and_any_right_file_for_hit() -> None:
    measured = retrieval_measures(ROW, [place("c.py"), place("a.py"), place("b.py")])

    assert (measured["file Acc@1"], measured["file hit@1"], measured["file hit@5"]) == (0.0, 1.0, 1.0)
    assert measured["nDCG@10"] == pytest.approx(1.0)


def test_files_count_where_they_first_occur() -> None:
    measured = retrieval_measures(ROW, [place("x.py"), place("x.py"), place("x.py", 9, 9), place("a.py")])

    assert measured["MRR"] == 0.5
    ideal = sum(1 / math.log2(rank + 2) for rank in range(3))
    assert measured["nDCG@10"] == pytest.approx(1 / math.log2(3) / ideal)


@pytest.mark.parametrize(("start", "end", "hit"), [(1, 9, 0.0), (1, 10, 1.0), (20, 30, 1.0), (21, 30, 0.0)])
def test_a_place_is_right_when_it_shares_a_line_with_gold(start: int, end: int, hit: float) -> None:
    assert retrieval_measures(ROW, [place("a.py", start, end)])["span hit@1"] == hit


def test_rows_about_whole_files_have_no_measures_of_places() -> None:
    assert "span hit@1" not in retrieval_measures(ROW | {"gold_level": "file"}, [place("a.py")])


def test_nothing_found_measures_nothing() -> None:
    assert set(retrieval_measures(ROW, []).values()) == {0.0}


def test_citations_are_on_gold_by_lines_or_by_file_where_gold_is_whole_files() -> None:
    beside = [place("a.py", 40, 41)]

    assert citation_measures(ROW, beside)["any gold cited"] == 0.0
    assert citation_measures(ROW | {"gold_level": "file"}, beside) == {
        "citations on gold": 1.0,
        "gold cited": 0.5,
        "any gold cited": 1.0,
    }


def test_the_interval_holds_the_mean_and_is_the_same_every_time() -> None:
    values = [1.0] * 30 + [0.0] * 10

    first = estimate(values)

    assert first == estimate(values)
    assert first.low < first.mean == 0.75 < first.high
    assert estimate([1.0] * 5) == estimate([1.0] * 5)


def test_abstention_is_right_on_absent_rows_only() -> None:
    rows = [{"id": "1", "kind": "absent"}, {"id": "2", "kind": "symbol"}, {"id": "3", "kind": "issue"}]
    predictions = {one: {"abstained": True} for one in ("1", "2")}

    assert abstentions(rows, predictions) == {
        "absent rows": (1, 1),
        "issue rows, wrongly": (0, 1),
        "question and symbol rows, wrongly": (1, 1),
    }
