"""`codewitness eval` on a snapshot of a few files."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tui.cli import run
from tui.exits import ExitCode

SCHEMA = json.loads(files("tui.schemas").joinpath("eval.schema.json").read_text(encoding="utf-8"))
COMMIT = "0" * 40


def row(name: str, kind: str, query: str, **more: object) -> dict[str, object]:
    return {
        "id": name,
        "repo": "own/shop",
        "commit": COMMIT,
        "kind": kind,
        "query": query,
        "gold": [],
        **more,
    }


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    snapshot = tmp_path / "corpus" / f"own+shop@{COMMIT[:12]}"
    snapshot.mkdir(parents=True)
    (snapshot / "cart.py").write_text(
        'def total_price(items):\n    """Sum the prices of a cart."""\n    return sum(one.price for one in items)\n',
        encoding="utf-8",
    )
    (snapshot / "mail.py").write_text("def send_receipt(address):\n    return address\n", encoding="utf-8")
    gold = [{"path": "cart.py", "start": 1, "end": 3}]
    rows = [
        row("there", "question", "Where are the prices of a cart summed?", gold=gold),
        row("absent", "absent", "How are websocket frames compressed?"),
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return path


def arguments(kind: str, questions: Path, *more: str) -> list[str]:
    folder = questions.parent
    out = ["--corpus", str(folder / "corpus"), "--out", str(folder / "out" / f"{kind}.jsonl")]
    return ["eval", kind, str(questions), *out, *more]


def test_retrieval_is_measured_beside_its_floor(questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments("retrieval", questions, "--no-vectors", "--json")) == ExitCode.ANSWERED

    document = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMA).validate(document)
    whole = document["groups"][0]
    assert whole["measures"]["file Acc@1"]["mean"] == whole["floor"]["file Acc@1"]["mean"] == 1.0
    assert document["abstained"]["absent rows"] == {"rows": 1, "abstained": 1}


def test_the_same_questions_give_the_same_predictions(questions: Path) -> None:
    out = questions.parent / "out" / "retrieval.jsonl"
    run(arguments("retrieval", questions, "--no-vectors", "-q"))
    first = out.read_bytes()
    out.unlink()

    run(arguments("retrieval", questions, "--no-vectors", "-q"))

    assert out.read_bytes() == first


def test_answers_are_measured_and_each_citation_is_checked(
    questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments("answers", questions, "--json")) == ExitCode.ANSWERED

    document = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMA).validate(document)
    assert document["groups"][0]["measures"]["any gold cited"]["mean"] == 1.0
    assert document["counts"]["citations"] > 0
    assert document["counts"]["invalid citations"] == 0


def test_a_set_whose_snapshots_are_missing_is_a_clear_error(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "corpus" / f"own+shop@{COMMIT[:12]}").rename(tmp_path / "elsewhere")

    assert run(arguments("retrieval", questions, "--no-vectors")) == ExitCode.COULD_NOT_SEARCH
    assert "--corpus" in capsys.readouterr().err


def test_eval_alone_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval"]) == ExitCode.USAGE
    assert "eval retrieval" in capsys.readouterr().err
