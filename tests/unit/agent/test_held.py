from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.claim_words import name_words
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


@pytest.mark.parametrize(
    ("claim", "lines", "header"),
    [
        ("`Store.find`", "def find(self):", "Store.find\nclass Store:"),
        ("`Store.find`", "class Store:\n    def find(self):", ""),
        ("`Store.Find`", "func (s *Store) Find() {", ""),
        ("`sessions.find`", "def find():", ""),
        ("It is kept in SQLite.", "import sqlite3", ""),
        ("It makes a JWT.", "def decodeJwt():", ""),
        ("It hashes with SHA-256.", "hashlib.sha256()", ""),
        ("Redis keeps it.", "self.redis_pool", ""),
        ("`type: json`", '"type": "json"', ""),
    ],
)
def test_a_name_is_held_in_the_ways_that_people_write_it(claim: str, lines: str, header: str) -> None:
    assert not Held(lines, header, frozenset({"auth/sessions.py"})).absent(claim)


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("`Session.revoke`", "session = Session()\nself.revoke(token)"),
        ("It speaks an API of JWT.", "jwtless = 1"),
        ("It is on the ID.", "idle = valid"),
        ("It uses IDLE.", "idlewild = 1"),
        ("`find.create`", "find = 1\ncreate = 2"),
    ],
)
def test_parts_that_stand_there_apart_do_not_make_a_name(claim: str, lines: str) -> None:
    tokens = code_tokens(claim)
    held = Held(lines, "", frozenset({"a.py"}))
    assert not tokens or held.absent(claim) == [token.text for token in tokens]


@pytest.mark.parametrize(
    "claim",
    ["`self`", "`return`", "`def`", "`(`", "`.`", "`the`", "`b`", "the 1 of them", "`def self return`"],
)
def test_what_any_line_may_hold_names_nothing(claim: str) -> None:
    assert not Held("def self return (self): return the b . ( 1", "", frozenset()).is_named_in(claim)


def test_a_short_name_or_a_value_is_enough_beside_the_name_of_its_definition() -> None:
    held = Held("return rv or None", "def get_domain(self):", frozenset())
    assert held.is_named_in("`get_domain` returns `rv`.")
    assert held.is_named_in("`get_domain` returns `None`.")
    assert not held.is_named_in("It returns `rv`.")
    assert not held.is_named_in("`get_domain` has a `return`.")


def test_a_cited_path_is_held_by_its_end_and_by_nothing_less() -> None:
    held = Held("x", "", frozenset({"src/auth/sessions.py"}))
    assert not held.absent("`sessions.py` and `auth/sessions.py` and `./src/auth/sessions.py`")
    assert held.absent("`essions.py`")
    assert held.absent("`..sessions.py`")


# -- properties --------------------------------------------------------------------------------------------------

_CODE = "def load(row, token):\n    value_of = row.fetch(token)\n    return value_of or 417"
_PROSE = st.sampled_from(
    ["It calls", "then", "which gives", "and keeps", "Se usa", "instead of", "because of"]
)
_HELD_NAMES = st.sampled_from(sorted({*re.findall(r"\w{3,}", _CODE), "row.fetch(token)", "value_of or 417"}))
_ODD_NAMES = st.from_regex(
    r"[a-z]{3,8}_[a-z]{3,8}|[a-z]{2,6}[A-Z][a-z]{2,6}|[a-z]{3,6}\.[a-z]{3,6}\(\)|[1-9]\d{1,5}", fullmatch=True
)
_MARKS = st.sampled_from(["{}", "`{}`", "``{}``", "**{}**", "<code>{}</code>", '"{}"', "[{}](#x)", "({})"])


def _said(words: list[tuple[str, str]]) -> str:
    return " ".join(f"{prose} {name}" for prose, name in words)


@given(st.lists(st.tuples(_PROSE, _HELD_NAMES.map("`{}`".format)), min_size=1, max_size=5))
def test_what_is_copied_from_the_lines_is_always_held(words: list[tuple[str, str]]) -> None:
    assert not Held(_CODE, "", frozenset()).absent(_said(words))


@given(
    st.lists(st.tuples(_PROSE, _HELD_NAMES.map("`{}`".format)), max_size=3),
    st.tuples(_PROSE, _ODD_NAMES.filter(lambda name: name not in _CODE), _MARKS),
)
def test_one_name_or_number_that_is_not_there_fells_any_claim(
    words: list[tuple[str, str]], odd: tuple[str, str, str]
) -> None:
    prose, name, marks = odd
    assert Held(_CODE, "", frozenset()).absent(_said([*words, (prose, marks.format(name))]))


@given(
    st.sampled_from(sorted(name_words().technologies)),
    st.sampled_from([str.lower, str.upper, str.capitalize]),
    _MARKS,
)
def test_a_product_that_is_not_there_is_seen_in_any_spelling(
    name: str, spelled: type[str], marks: str
) -> None:
    assert Held(_CODE, "", frozenset()).absent(f"`row.fetch` is kept in {marks.format(spelled(name))} now.")


@given(st.from_regex(r"[a-z]{3,8}_[a-z]{3,8}", fullmatch=True))
def test_an_identifier_in_backticks_is_held_exactly_when_it_stands_there_as_a_whole_word(name: str) -> None:
    token = CodeToken(name, "code")
    assert Held(f"x = {name}(1)", "", frozenset()).holds(token)
    assert not Held(f"x = {name}s(1)", "", frozenset()).holds(token)
    assert not Held(f"x = my_{name}(1)", "", frozenset()).holds(token)
