from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.code_tokens import CodeToken, code_tokens
from agent.held import Held

LINES = '''def get_cookie_domain(self, app: Flask) -> str | None:
    """The value of the ``Domain`` parameter on the session cookie. If not set,
    browsers will only send the cookie to the exact domain it was set from.
    """
    rv = app.config["SESSION_COOKIE_DOMAIN"]
    return rv if rv else None  # 34_560_000 seconds, 0.5'''
HEADER = "SessionInterface.get_cookie_domain\nclass SessionInterface:"
HELD = Held(LINES, HEADER, frozenset({"src/flask/sessions.py"}), (("src/flask/sessions.py", 185, 190),))


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("It calls `get_cookie_domain` first.", [("get_cookie_domain", "code")]),
        ('It raises "no such file" then.', [("no such file", "quote")]),
        ("Lanza «no existe» siempre.", [("no existe", "quote")]),
        ('It says "the `Domain` of it" there.', [("the `Domain` of it", "quote")]),
        ('It calls `raise X("no")` then.', [('raise X("no")', "code")]),
        ("It reads `a`'s value and `b`'s.", [("a", "code"), ("b", "code")]),
        ("「見つからない」を返す", [("見つからない", "quote")]),
        ("The value comes from SESSION_COOKIE_DOMAIN here.", [("SESSION_COOKIE_DOMAIN", "identifier")]),
        ("Uses app.config for this.", [("app.config", "identifier")]),
        ("Uses std::fs for this.", [("std::fs", "identifier")]),
        ("The getCookie call.", [("getCookie", "identifier")]),
        ("The run() call.", [("run()", "identifier")]),
        ("It is stored in Redis.", [("Redis", "name")]),
        ("It speaks JWT.", [("JWT", "name")]),
        ("It waits 30 seconds.", [("30 seconds", "number")]),
        ("See sessions.py:185-190 there.", [("sessions.py:185-190", "location")]),
        ("See line 42 there.", [("line 42", "lines")]),
        ("ドメインは get_cookie_domain で決まる", [("get_cookie_domain", "identifier")]),
        ("値は Redis に保存される", [("Redis", "name")]),
        ("値はRedisに保存される", [("Redis", "name")]),
        ("Sessions are kept, e.g. for a user.", []),
        ("Nothing of the code is named here.", []),
        ("It doesn't and can't.", []),
    ],
)
def test_a_claim_names(claim: str, expected: list[tuple[str, str]]) -> None:
    assert [(token.text, token.kind) for token in code_tokens(claim)] == expected


@pytest.mark.parametrize(
    "claim",
    [
        "`get_cookie_domain`",
        "`get_cookie_domain()`",
        "`SessionInterface.get_cookie_domain`",
        "`sessions.py` and `src/flask/sessions.py`",
        '"browsers will only send the cookie to the exact domain"',
        '"If not set, browsers will only send the cookie"',
        "`return rv if rv else None`",
        "It is Flask that decides",
        "34560000 or 34,560,000 of them",
        "0.5 and 0,5",
        "lines 185-190 and line 186",
        "sessions.py:186",
        "行 は 186 行",
    ],
)
def test_what_the_lines_their_header_or_path_hold_is_held(claim: str) -> None:
    assert code_tokens(claim)
    assert all(HELD.holds(token) for token in code_tokens(claim))


@pytest.mark.parametrize(
    "claim",
    [
        "`get_cookie`",
        "`get_cookie_domains`",
        "`OtherInterface.get_cookie_domain`",
        "`SessionInterface.get_cookie_path`",
        "`return rv`` or `return rv or None`",
        "`app.py` in it",
        "stored in Redis",
        "kept for 30 seconds",
        "kept for 185 seconds",
        "line 191",
        "sessions.py:180-190",
        "config.py:186",
        '"exact domains"',
        "`session_cookie_domain`",
    ],
)
def test_what_they_do_not_hold_is_not_held(claim: str) -> None:
    assert not all(HELD.holds(token) for token in code_tokens(claim))


def test_a_location_does_not_count_as_something_the_lines_hold() -> None:
    assert not any(HELD.in_lines(token) for token in code_tokens("See sessions.py:186 and line 187"))


def test_a_header_word_is_held_but_not_by_the_lines_themselves() -> None:
    token = CodeToken("SessionInterface", "identifier")
    assert HELD.holds(token)
    assert not HELD.in_lines(token)


def test_prose_that_spans_comment_lines_is_found() -> None:
    held = Held("// The quick fox\n// jumps over", "", frozenset())
    assert held.holds(CodeToken("quick fox jumps", "quote"))


@given(st.text(max_size=300))
def test_any_text_can_be_taken_apart(claim: str) -> None:
    for token in code_tokens(claim):
        assert token.text
        HELD.holds(token)


@given(st.from_regex(r"[a-z]{3,8}_[a-z]{3,8}", fullmatch=True))
def test_an_identifier_in_backticks_is_held_exactly_when_it_stands_there_as_a_whole_word(name: str) -> None:
    token = CodeToken(name, "code")
    assert Held(f"x = {name}(1)", "", frozenset()).holds(token)
    assert not Held(f"x = {name}s(1)", "", frozenset()).holds(token)
    assert not Held(f"x = my_{name}(1)", "", frozenset()).holds(token)
