"""What in a question names a thing of the code, and of which kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.names import Name, is_source_path, named_things, without_names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("where is `save`?", Name("save", "symbol")),
        ("where is save_session?", Name("save_session", "symbol")),
        ("where is applyMiddleware?", Name("applyMiddleware", "symbol")),
        ("where is `run()`?", Name("run", "symbol")),
        ("where is run()?", Name("run", "symbol")),
        ("where is `println!`?", Name("println", "symbol")),
        ("where is `Vec<T>`?", Name("Vec", "symbol")),
        ("where is `@app.route`?", Name("app.route", "symbol")),
        ("where is Session.get_domain?", Name("Session.get_domain", "symbol")),
        ("where is std::fs::read?", Name("std::fs::read", "symbol")),
        ("where is SECRET_KEY read?", Name("SECRET_KEY", "setting")),
        ("where is --no-color read?", Name("--no-color", "flag")),
        ("where is `-v` read?", Name("-v", "flag")),
        ("where is /api/users/{id}?", Name("/api/users/{id}", "route")),
        ("what is in src/app.py?", Name("src/app.py", "path")),
        ("what is in `pyproject.toml`?", Name("pyproject.toml", "path")),
        ('where is "not found here" raised?', Name("not found here", "text")),
        ("where is “not found here” raised?", Name("not found here", "text")),
        ("¿dónde sale «no está»?", Name("no está", "text")),
        ("「見つかりません」はどこ？", Name("見つかりません", "text")),
        ("where is 'not found here' raised?", Name("not found here", "text")),
        ("save_sessionはどこ？", Name("save_session", "symbol")),
        ("¿quién llama a año_siguiente?", Name("año_siguiente", "symbol")),
    ],
)
def test_a_thing_is_named_for_certain(text: str, name: Name) -> None:
    assert named_things(text) == (name,)


@pytest.mark.parametrize(
    "text",
    [
        "how does it work, e.g. on read and/or write?",
        "don't tests' names matter?",
        "JSON over HTTP",
        "a/b testing",
    ],
)
def test_prose_names_nothing(text: str) -> None:
    assert named_things(text) == ()


def test_a_word_beside_function_may_be_a_name() -> None:
    assert named_things("what does the abort function do?", {"function"}) == (
        Name("abort", "symbol", certain=False),
    )


def test_a_capitalised_word_inside_a_sentence_may_be_a_name() -> None:
    assert named_things("How does Flask start?") == (Name("Flask", "symbol", certain=False),)


def test_certain_names_come_first() -> None:
    names = named_things("How does Flask use `run`?")

    assert [name.text for name in names] == ["run", "Flask"]


def test_the_last_part_of_a_qualified_name() -> None:
    assert Name("Session.get_domain", "symbol").last_part == "get_domain"
    assert Name("fs::read", "symbol").last_part == "read"


def test_named_things_are_replaced_by_a_placeholder() -> None:
    assert without_names("who calls `save` in src/app.py?") == "who calls § in §?"


@given(st.text(max_size=200))
def test_any_text_can_be_searched_for_names(text: str) -> None:
    assert all(name.text for name in named_things(text, {"function"}))
    without_names(text)


def test_files_that_hold_code_are_known_by_their_names() -> None:
    assert is_source_path("src/app.py")
    assert not is_source_path("assets/completions/tool.zsh.in")
