from __future__ import annotations

import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snowballstemmer.english_stemmer import EnglishStemmer

from tools.index.words import STOP_WORDS, content_terms, split_identifier, stem, terms


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("getCookieDomain", ["get", "cookie", "domain"]),
        ("get_cookie_domain", ["get", "cookie", "domain"]),
        ("HTTPServer2", ["http", "server", "2"]),
        ("parseURLs", ["parse", "urls"]),
        ("SESSION_COOKIE_NAME", ["session", "cookie", "name"]),
        ("__init__", ["init"]),
        ("x86_64", ["x", "86", "64"]),
        ("$scope", ["scope"]),
        ("_", []),
    ],
)
def test_a_name_is_split_where_its_case_or_its_underscores_say(name: str, parts: list[str]) -> None:
    assert split_identifier(name) == parts


def test_a_name_of_several_parts_is_a_term_of_its_own_too() -> None:
    assert terms("getCookieDomain") == ["get", "cooki", "domain", "getcookiedomain"]
    assert terms("get_cookie_domain") == terms("getCookieDomain")
    assert terms("cookies") == ["cooki"]


def test_words_of_one_stem_are_one_term() -> None:
    assert len({stem(word) for word in ("index", "indexes", "indexed", "indexing")}) == 1
    assert terms("sessions") == terms("session")


@given(
    st.text(string.ascii_lowercase, min_size=1, max_size=12),
    st.sampled_from(
        ["", "s", "ed", "ing", "ly", "ness", "ization", "fulness", "ability", "ement", "ogy", "ee", "y"]
    ),
)
def test_stems_are_those_of_the_snowball_stemmer(start: str, ending: str) -> None:
    assert stem(start + ending) == EnglishStemmer().stemWord(start + ending)


def test_lone_letters_and_digits_are_no_terms() -> None:
    assert terms("for i in x: y = 7") == ["for", "in"]


def test_numbers_of_several_digits_are_terms() -> None:
    assert terms("abort(404)") == ["abort", "404"]


def test_accents_make_no_difference() -> None:
    assert terms("sesión") == terms("sesion") == terms("sesio\u0301n")


def test_full_width_letters_are_plain_ones() -> None:
    assert terms("ＨＴＴＰ") == ["http"]


def test_japanese_comes_as_pairs_within_one_script() -> None:
    assert terms("関数がクッキーを読む") == ["関数", "クッ", "ッキ", "キー", "読"]


def test_a_japanese_question_keeps_its_nouns_and_loses_its_particles() -> None:
    assert content_terms("どの関数がクッキーを読み込みますか") == ["関数", "クッ", "ッキ", "キー", "読", "込"]


def test_names_inside_japanese_text_are_found() -> None:
    found = content_terms("get_cookie_domainはどこで定義されていますか")
    assert found == ["cooki", "domain", "getcookiedomain", "定義"]


def test_chinese_and_korean_come_as_pairs() -> None:
    assert terms("设置会话") == ["设置", "置会", "会话"]
    assert terms("세션쿠키") == ["세션", "션쿠", "쿠키"]


def test_a_question_is_asked_without_its_stop_words_and_each_word_once() -> None:
    assert content_terms("Where is the cookie domain of the cookie set?") == ["cooki", "domain", "set"]
    assert content_terms("¿Dónde se configura el dominio?") == ["configura", "dominio"]
    assert content_terms("Onde é configurado o domínio?") == ["configurado", "dominio"]


def test_a_question_of_stop_words_only_is_asked_with_them() -> None:
    assert content_terms("what is it") == ["what", "is", "it"]


def test_encoded_data_gives_no_terms() -> None:
    assert terms("QUJD" * 100) == []


def test_stop_words_are_lower_case() -> None:
    assert all(word == word.lower() for words in STOP_WORDS.values() for word in words)


@given(st.text())
def test_terms_hold_no_space_and_nothing_of_a_query_language(text: str) -> None:
    for term in terms(text):
        assert term
        assert not set(term) & set(string.whitespace + string.punctuation + "\0")


@given(st.text())
def test_terms_are_terms_of_themselves(text: str) -> None:
    """What comes out once can be looked up as it is: joined by spaces, nothing is cut differently."""
    assert len(" ".join(terms(text)).split()) == len(terms(text))


def test_a_megabyte_of_known_words_takes_well_under_a_second() -> None:
    text = "def get_cookie_domain(self, app):\n    return app.config['SESSION_COOKIE_DOMAIN']\n" * 12_000
    terms(text[:1000])
    started = time.process_time()
    terms(text)
    assert len(text) / (time.process_time() - started) > 1_500_000
