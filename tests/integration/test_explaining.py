"""`explain` on real bugs with their real tracebacks: from the text to the lines at fault, without a model."""

import json
from pathlib import Path

import pytest
from support.program import called, codewitness

from evals.explain import explained

BUGS = Path(__file__).parents[2] / "evals" / "bugs"
ROWS = {row["id"]: row for row in map(json.loads, (BUGS / "bugs.jsonl").read_text("utf-8").splitlines())}


@pytest.mark.parametrize(
    "bug",
    [
        "python-none-from-lookup",
        "python-missing-await",
        "python-text-from-json",
        "python-chained-config",
        "typescript-undefined-price",
        "go-nil-map",
        "rust-refcell-borrow",
        "java-null-return",
    ],
)
async def test_the_line_at_fault_is_named_though_another_one_failed(bug, tmp_path):
    scored = await explained(ROWS[bug], BUGS, tmp_path)
    assert scored.names_line
    assert scored.invalid == ()
    assert scored.answer.status == "answered"
    assert scored.answer.withheld == ()


def test_every_bug_has_its_project_and_its_traceback():
    for row in ROWS.values():
        source = (BUGS / "projects" / row["id"] / row["path"]).read_text("utf-8").split("\n")
        assert row["function"] in "\n".join(source[row["first_line"] - 1 : row["last_line"]])
        assert all(row["first_line"] <= line <= row["last_line"] for line in row["true_lines"])
        assert (BUGS / "traces" / f"{row['id']}.txt").read_text("utf-8").strip()


@pytest.fixture
def payroll(tmp_path):
    import shutil

    shutil.copytree(BUGS / "projects" / "python-none-from-lookup", tmp_path / "payroll")
    return tmp_path / "payroll"


TRACE = BUGS / "traces" / "python-none-from-lookup.txt"


def test_a_piped_traceback_is_explained_in_the_fixed_order(payroll, tmp_path):
    done = codewitness("explain", home=tmp_path / "home", here=payroll, stdin=TRACE.read_text("utf-8"))
    assert done.returncode == 0, done.stderr
    parts = ["What failed", "Path of calls", "Why: ", "Same pattern elsewhere", "Tests: ", "Recommendations"]
    places = [done.stdout.index(part) for part in parts]
    assert places == sorted(places)
    assert "staff/directory.py:22" in done.stdout
    assert "reported: AttributeError: 'NoneType' object has no attribute 'salary'" in done.stderr


def test_the_language_is_that_of_the_words_around_the_traceback(payroll, tmp_path):
    for words, begin in (
        ("Hola, el servicio se cae cada noche con este error, ¿por qué pasa?", "Qué falló"),
        ("O serviço cai toda noite com este erro, por que isso acontece?", "O que falhou"),
        ("毎晩このエラーで止まります。なぜでしょうか。", "失敗した箇所"),
    ):
        text = f"{words}\n\n{TRACE.read_text('utf-8')}"
        done = called("explain", "-", home=tmp_path / "home", here=payroll, stdin=text)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(begin)


def test_json_holds_the_same_answer(payroll, tmp_path):
    done = called("explain", str(TRACE), "--json", home=tmp_path / "home", here=payroll)
    document = json.loads(done.stdout)
    assert document["schema"] == "codewitness.answer/1"
    assert document["status"] == "answered"
    assert "AttributeError" in document["question"]
    assert document["recommendations"]


def test_a_traceback_of_another_codebase_has_no_evidence(payroll, tmp_path):
    text = 'Traceback (most recent call last):\n  File "/x/zebra.py", line 3, in quux\n    grault()\nValueError: waldo\n'
    done = called("explain", home=tmp_path / "home", here=payroll, stdin=text)
    assert done.returncode == 1
    assert "No evidence found" in done.stdout


def test_what_cannot_be_read_is_said_by_name(payroll, tmp_path):
    missing = called("explain", "nothing.txt", home=tmp_path / "home", here=payroll)
    assert missing.returncode == 2
    assert "`nothing.txt` cannot be read" in missing.stderr
    empty = called("explain", "-", home=tmp_path / "home", here=payroll, stdin="\n")
    assert empty.returncode == 2
    assert "stdin was empty" in empty.stderr
