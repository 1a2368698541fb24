"""`--changed-since`: only files that differ from a revision are searched, by every way of looking."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator
from support.git_repositories import git, new_repository, write_files
from support.program import called

SCHEMA = json.loads((files("tui.schemas") / "search.schema.json").read_text("utf-8"))
COOKIE = (
    "def {name}_cookie_domain():\n    '''Where the session cookie domain is decided.'''\n    return 'x'\n"
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    root = new_repository(
        folder / "work", {"old.py": COOKIE.format(name="old"), "b.py": COOKIE.format(name="b")}
    )
    write_files(root, {"b.py": COOKIE.format(name="better")})
    git(root, "commit", "-q", "-a", "-m", "Better", committed_at="2090-01-01T00:00:00Z")
    write_files(root, {"new.py": COOKIE.format(name="new")})
    return root


@pytest.mark.parametrize(
    ("revision", "query", "paths"),
    [
        ("HEAD~1", "session cookie domain", {"b.py", "new.py"}),
        ("HEAD", "session cookie domain", {"new.py"}),
        ("HEAD", "old_cookie_domain", {"new.py"}),
    ],
)
def test_a_search_stays_within_what_changed(shop, tmp_path, revision, query, paths) -> None:
    done = called("search", query, "--changed-since", revision, "--json", home=tmp_path, here=shop)
    assert {one["path"] for one in json.loads(done.stdout)["results"]} == paths


def test_an_answer_searches_what_changed_and_says_so(shop, tmp_path) -> None:
    asked = ("ask", "where is the session cookie domain decided?", "--changed-since", "HEAD", "--json")
    answer = json.loads(called(*asked, home=tmp_path, here=shop).stdout)
    cited = {one["path"] for claim in answer["observed"] for one in claim["citations"]}
    assert cited == {"new.py"}
    assert "only the files that differ from `HEAD` were searched: 1" in answer["index"]["notes"]


@pytest.mark.parametrize("revision", ["nowhere", "--output=x"])
def test_a_revision_that_is_not_there_is_said(shop, tmp_path, revision) -> None:
    done = called("search", "x", f"--changed-since={revision}", home=tmp_path, here=shop)
    assert done.returncode == 2
    assert "no commit, tag or branch of that name" in done.stderr
    assert not (shop / "x").exists()


def test_each_result_can_tell_the_commit_that_changed_it_last(shop, tmp_path) -> None:
    asked = ("search", "cookie domain", "--last-commit")
    results = json.loads(called(*asked, "--json", home=tmp_path, here=shop).stdout)["results"]
    told = {one["path"]: one.get("last_commit", {}).get("subject") for one in results}
    assert told == {"b.py": "Better", "old.py": "first", "new.py": None}
    lines = called(*asked, home=tmp_path, here=shop).stdout
    assert f"by Ada, {git(shop, 'rev-parse', 'HEAD')[:10]}: Better" in lines


def test_commits_are_a_kind_that_can_be_searched_for(shop, tmp_path) -> None:
    done = called("search", "better cookie", "--kind", "commit", "--json", home=tmp_path, here=shop)
    document = json.loads(done.stdout)
    Draft202012Validator(SCHEMA).validate(document)
    assert [one["subject"] for one in document["commits"]] == ["Better"]
    assert document["results"] == []
    assert "Better" in called("search", "better", "--kind", "commit", home=tmp_path, here=shop).stdout
