"""What a person meets who has never used the program: odd input, full disks, two commands at once, empty folders."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.program import PROGRAM, called, environment

from tools.index.location import index_folder
from tools.index.lock import WriterLock

FULL = Path("/dev/full")


@pytest.fixture
def data(home):
    return home / "data" / "codewitness"


def asked(workspace, home, *, stdin):
    return subprocess.run(
        [PROGRAM, "ask", "-"],
        cwd=workspace,
        env=environment(home),
        input=stdin,
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("stdin", "told"),
    [
        (b"\xff\xfeabc", b"the question is not UTF-8 text"),
        (b"a" * 3_000_000, b"the question is too long"),
        ("é".encode() * 100_000, b"the question is too long"),
    ],
    ids=["not text", "megabytes", "cut inside a letter"],
)
def test_a_question_that_is_none_is_refused_as_such(workspace, home, stdin, told):
    done = asked(workspace, home, stdin=stdin)
    assert done.returncode == 2
    assert told in done.stderr


def test_a_long_question_is_still_searched_for(workspace, home):
    question = "Where is gross_price defined? " + "It matters to me. " * 200
    done = called("ask", "-", home=home, here=workspace, stdin=question)
    assert "semantic_search Where is gross_price defined?" in done.stderr
    assert "sent back" not in done.stderr


if sys.platform == "linux":

    @pytest.mark.parametrize(
        "arguments", [["--version"], ["--help"], ["config", "show", "--json"]], ids=" ".join
    )
    def test_a_full_stdout_is_four_and_told(home, tmp_path, arguments):
        with FULL.open("w") as full:
            done = subprocess.run(
                [PROGRAM, *arguments],
                cwd=tmp_path,
                env=environment(home),
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert done.returncode == 4
        assert b"could not write the answer\n  cause: no space left on device" in done.stderr
        assert b"Traceback" not in done.stderr


def test_a_question_waits_for_the_first_index_that_another_process_builds(workspace, home, data):
    home.mkdir()
    with WriterLock(index_folder(workspace, data)) as other:
        second = subprocess.Popen(
            [PROGRAM, "ask", "Where is gross_price defined?"],
            cwd=workspace,
            env=environment(home),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert second.stderr is not None
        while "waiting for pid" not in (line := second.stderr.readline()):
            assert line
        other.release()
        stdout, _ = second.communicate(timeout=60)
    assert second.returncode == 0
    assert "src/shop/prices.py" in stdout


def test_a_search_uses_an_index_that_is_being_written_as_it_stands_and_says_so(workspace, home, data):
    assert called("search", "gross_price", home=home, here=workspace).returncode == 0
    with WriterLock(index_folder(workspace, data)):
        done = called("search", "gross_price", home=home, here=workspace)
    assert done.returncode == 0
    assert "the index was used as it stood" in done.stderr


@pytest.mark.parametrize(
    ("flag", "legal"), [("language", "markdown, python"), ("kind", "class, "), ("area", "config, docs")]
)
def test_a_filter_that_nothing_passes_names_those_that_something_does(workspace, home, flag, legal):
    done = called("search", "gross_price", f"--{flag}", "banana", home=home, here=workspace)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"there is no {flag} `banana`" in done.stderr
    assert legal in done.stderr


def test_a_follow_up_on_nothing_says_that_it_begins_anew(workspace, home):
    first, second = (
        called("ask", "--continue", "Where is gross_price defined?", home=home, here=workspace)
        for _ in range(2)
    )
    assert "no earlier question" in first.stderr
    assert "no earlier question" not in second.stderr


def test_a_file_is_explained_from_the_folder_one_stands_in(workspace, home):
    def explained(path, *more):
        return called("index", "--explain", path, *more, home=home, here=workspace / "src")

    assert "`src/shop/prices.py` is not indexed yet" in explained("shop/prices.py").stdout
    assert "`src/shop/prices.py`" in explained("src/shop/prices.py").stdout
    assert "`README.md`" in explained("../README.md").stdout
    missing = explained("shop/nothing.py")
    assert (missing.returncode, "not found" in missing.stdout) == (1, True)


def test_looking_leaves_nothing_behind_and_deleting_leaves_nothing_to_delete(workspace, home, data):
    for look in (["--status"], ["--explain", "README.md"], ["--delete"]):
        assert called("index", *look, home=home, here=workspace).returncode == 0
    assert not data.exists()
    called("index", home=home, here=workspace)
    first, second = (called("index", "--delete", home=home, here=workspace) for _ in range(2))
    assert "deleted the index" in first.stdout
    assert "there was no index" in second.stdout
    assert [path for path in data.iterdir() if path.is_dir()] == []


def test_verify_sums_up_and_suggests_that_the_answer_belongs_elsewhere(workspace, home, tmp_path):
    answer = called("ask", "--json", "Where is gross_price defined?", home=home, here=workspace).stdout
    (tmp_path / "answer.json").write_text(answer)
    count = sum(len(claim["citations"]) for claim in json.loads(answer)["observed"])
    here = called("verify", "../answer.json", home=home, here=workspace)
    assert here.stdout.splitlines()[-1] == f"{count} citation{'s' if count > 1 else ''}: {count} hold"
    elsewhere = called("verify", "answer.json", home=home, here=tmp_path)
    assert elsewhere.returncode == 1
    assert "may belong to another workspace" in elsewhere.stderr


@pytest.mark.parametrize(
    ("backend", "code"), [({"BASE_URL": "http://127.0.0.1:9"}, 3), ({"BASE_URL": "http://example.com"}, 2)]
)
def test_a_backend_that_cannot_answer_is_told_before_anything_is_indexed(
    workspace, home, data, backend, code
):
    variables = {f"CODEWITNESS_MODEL__{name}": value for name, value in backend.items()}
    done = called("ask", "x", "--backend", "ollama", home=home, here=workspace, variables=variables)
    assert done.returncode == code
    assert "reading files" not in done.stderr
    assert not list(data.rglob("catalog.db"))


def test_settings_are_listed_even_when_one_of_them_is_wrong(workspace, home):
    wrong = {"CODEWITNESS_INDEX__EMBEDER": "x"}
    done = called("config", "show", home=home, here=workspace, variables=wrong)
    assert done.returncode == 2
    assert "did you mean `index.embedder`" in done.stderr
    assert "index.embedder" in done.stdout
