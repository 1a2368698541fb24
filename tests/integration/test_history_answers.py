"""Questions about what changed, and the history in an explanation: real repositories, from the question to the citation."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.git_repositories import git, new_repository, write_files
from support.program import called

BUGS = Path(__file__).parents[2] / "evals" / "bugs"
TRACE = BUGS / "traces" / "python-none-from-lookup.txt"


@pytest.fixture(scope="module")
def auth(tmp_path_factory):
    root = new_repository(
        tmp_path_factory.mktemp("auth") / "work",
        {
            "auth/tokens.py": "def refresh_token(token):\n    return token\n",
            "cart.py": "def total(cart): ...\n",
        },
    )
    write_files(root, {"auth/tokens.py": "def refresh_token(token):\n    return renew(token)\n"})
    git(root, "commit", "-q", "-a", "-m", "Renew the token when it is refreshed")
    return root


def answered(root, home, *arguments):
    done = called(*arguments, "--json", "--backend", "extractive", home=home, here=root)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        ("what changed in token refresh lately?", "Changed in `auth/tokens.py` on "),
        ("¿Quién cambió refresh_token?", "Cambiado en `auth/tokens.py` el "),
        ("o que mudou recentemente em `auth/tokens.py`?", "Mudado em `auth/tokens.py` em "),
        ("最近 refresh_token で何が変わりましたか？", "`auth/tokens.py`は"),
    ],
)
def test_what_changed_is_answered_by_commit_and_by_lines(auth, tmp_path, question, begin):
    answer = answered(auth, tmp_path, "ask", question)
    sha = git(auth, "rev-parse", "HEAD")
    first = answer["observed"][0]
    assert answer["withheld"] == []
    assert first["text"].startswith(begin)
    assert first["citations"] == [
        {
            "kind": "commit",
            "sha": sha,
            "subject": "Renew the token when it is refreshed",
            "date": git(auth, "log", "-1", "--format=%aI"),
            "text": "-    return token\n+    return renew(token)",
        }
    ]
    cited = [one for claim in answer["observed"] for one in claim["citations"]]
    assert any(one["kind"] == "lines" and one["path"] == "auth/tokens.py" for one in cited)


def test_an_old_answer_about_a_commit_is_checked_again(auth, tmp_path):
    answer = answered(auth, tmp_path, "ask", "what changed in token refresh lately?")
    (tmp_path / "answer.json").write_text(json.dumps(answer))
    done = called("verify", str(tmp_path / "answer.json"), home=tmp_path, here=auth)
    assert done.returncode == 0, done.stdout
    other = new_repository(tmp_path / "other", {"a.py": ""})
    done = called("verify", str(tmp_path / "answer.json"), home=tmp_path, here=other)
    assert "the repository has no such commit" in done.stdout


def test_nothing_is_said_of_a_history_that_is_not_there(auth, tmp_path):
    assert (
        answered(auth, tmp_path, "ask", "what changed in the quantum blockchain lately?")["status"]
        == "no_evidence"
    )
    shutil.copytree(auth, tmp_path / "plain", ignore=shutil.ignore_patterns(".git"))
    answer = answered(tmp_path / "plain", tmp_path, "ask", "what changed in token refresh lately?")
    assert answer["status"] == "no_evidence"
    assert "not a git repository" in answer["searched"][-1]["error"]


def test_an_explanation_tells_which_commit_brought_the_line(tmp_path):
    root = tmp_path / "payroll"
    shutil.copytree(BUGS / "projects" / "python-none-from-lookup", root)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Look people up by login")
    answer = answered(root, tmp_path, "explain", str(TRACE))
    (lately,) = [
        claim for claim in answer["observed"] if claim["text"].startswith("What changed lately there")
    ]
    assert "brought this line" in lately["text"]
    assert lately["citations"][0]["sha"] == git(root, "rev-parse", "HEAD")
    assert "+        return self._by_login.get(login)" in lately["citations"][0]["text"]

    source = root / "staff" / "directory.py"
    source.write_text(source.read_text().replace("_by_login.get(login)", "_by_login.get(login, None)"))
    answer = answered(root, tmp_path, "explain", str(TRACE))
    texts = [claim["text"] for claim in answer["observed"]]
    assert any("is not committed yet" in text for text in texts)
    assert answer["withheld"] == []
