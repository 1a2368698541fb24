from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.code_tokens import CodeToken, code_tokens


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
    ("claim", "expected"),
    [
        ("Redis stores it.", ["Redis"]),
        ("Vortexa stores it.", ["Vortexa"]),
        ("Vortexa, a cache, has it.", ["Vortexa"]),
        ("Vortexa guarda la sesión.", ["Vortexa"]),
        ("It is external (Redis).", ["Redis"]),
        ("It is shared: Vortexa replicates it.", ["Vortexa"]),
        ("It is kept in redis.", ["redis"]),
        ("Se guarda en redis.", ["redis"]),
        ("It is hashed with sha256.", ["sha256"]),
        ("行はレディスに保存される", ["レディス"]),
        ("Everything is kept here: The rows too.", []),
        ("Sessions are kept, and passwords too.", []),
        ("Authentication is needed.", []),
        ("Se guarda aquí.", []),
        ("Nada é guardado.", []),
        ("トークンはデータベースに保存される", []),
        ("It answers over HTTP.", []),
    ],
)
def test_names_are_known_without_a_capital_inside_a_sentence(claim: str, expected: list[str]) -> None:
    assert [token.text for token in code_tokens(claim)] == expected


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("It goes to https://x.example/v2 now.", "https://x.example/v2"),
        ("It is sent by a@b.example now.", "a@b.example"),
        ("It takes --force too.", "--force"),
        ("It guards /v1/refunds too.", "/v1/refunds"),
        ("It reads .env first.", ".env"),
        ("It stands in cmd/gate/main first.", "cmd/gate/main"),
        ("It is so since 2021-07-01 only.", "2021-07-01"),
        ("It speaks v2.1 now.", "v2.1"),
        ("It goes to r\u0435dis.", "r\u0435dis"),
        ("It goes to кафка.", "кафка"),
        ("It goes to re\u0301dis.", "r\u00e9dis"),
        ("It sets x-rate-limit now.", "x-rate-limit"),
    ],
)
def test_what_has_to_stand_there_exactly(claim: str, expected: str) -> None:
    assert expected in [token.text for token in code_tokens(claim)]


def test_a_claim_in_another_script_is_prose_as_well() -> None:
    assert code_tokens("Функция `find` возвращает сессию") == (CodeToken("find", "code"),)


@pytest.mark.parametrize(
    "claim", ["read/write and/or both", "a two-way door", "It isn't a user's choice.", "créé à São Paulo's"]
)
def test_everyday_spellings_are_prose(claim: str) -> None:
    assert not [token for token in code_tokens(claim) if token.kind in ("exact", "identifier")]


@given(st.text(max_size=300))
def test_any_text_can_be_taken_apart(claim: str) -> None:
    assert all(token.text for token in code_tokens(claim))
