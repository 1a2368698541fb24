"""Questions taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.index.query import Analyst, Question, is_identifier

ANALYST = Analyst()


def concepts(text: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    return {concept.word: concept.alternatives for concept in ANALYST.analyse(text).concepts}


@pytest.mark.parametrize(
    "word", ["getCookie", "get_cookie", "os.path", "a::b", "run()", "--show-capture", "HTTPServer", ".refine"]
)
def test_identifiers_are_told_from_words(word: str) -> None:
    assert is_identifier(word)


@pytest.mark.parametrize("word", ["cookie", "Engine", "HTTP", "e.g", "don", "__"])
def test_words_are_no_identifiers(word: str) -> None:
    assert not is_identifier(word)


def test_names_are_taken_from_backticks_and_from_prose() -> None:
    question = ANALYST.analyse("Where is `Blueprint` defined, and who calls add_url_rule() or app.run?")
    assert question.names == ("Blueprint", "add_url_rule", "app.run")
    assert question.asks_definition


@pytest.mark.parametrize(
    "question",
    [
        "Where is an address validated and who calls it?",
        "¿Dónde se valida una dirección y quién la llama?",
        "Onde é validado um endereço e quem chama essa função?",
    ],
)
def test_who_uses_what_is_found_is_no_part_of_what_is_looked_for(question: str) -> None:
    assert len(concepts(question)) == 2


def test_a_question_about_deployment_asks_for_the_configuration() -> None:
    assert ANALYST.analyse("How is the settle job deployed?").areas == {"config"}
    assert ANALYST.analyse("How many replicas of dispatch run?").areas == {"config"}
    assert ANALYST.analyse("How is the settle job started?").areas == frozenset()


def test_a_whole_question_of_one_word_may_be_a_name() -> None:
    assert ANALYST.analyse("Engine").loose_names == ("Engine",)
    assert ANALYST.analyse("Where does the Engine start?").loose_names == ("Engine",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('Who says "session or parent must be provided"?', "session or parent must be provided"),
        ("Quem escreve «arquivo não foi encontrado»?", "arquivo não foi encontrado"),
        ("it fails with\nValueError: no such column in table", "no such column in table"),
    ],
)
def test_quoted_messages_are_kept_literally(text: str, message: str) -> None:
    assert ANALYST.analyse(text).messages == (message,)


def test_a_short_quotation_is_a_term_and_an_apostrophe_is_no_quote() -> None:
    assert ANALYST.analyse("what is the 'raw body' and why doesn't the parser's buffer grow").messages == ()


def test_paths_are_paths_and_not_names() -> None:
    question = ANALYST.analyse("What does src/flask/app.py do with pytest.ini?")
    assert question.paths == ("src/flask/app.py", "pytest.ini")
    assert question.names == ()


@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ("Which test covers the router?", {"tests"}),
        ("Is it documented in the changelog?", {"docs"}),
        ("How does pytest collect test functions?", set[str]()),
        ("It fails, for example with a trailing slash", set[str]()),
    ],
)
def test_an_area_is_asked_for_by_name(text: str, areas: set[str]) -> None:
    assert ANALYST.analyse(text).areas == areas


def test_content_words_become_concepts_with_other_forms() -> None:
    found = concepts("How is the configuration of the server loaded?")
    assert list(found) == ["configuration", "server", "loaded"]
    assert found["configuration"][0] == ("configur",)
    assert ("config",) in found["configuration"]


def test_a_spanish_question_is_asked_in_english_terms() -> None:
    found = concepts("¿Dónde se firma la cookie de sesión?")
    assert ("sign",) in found["firma"]
    assert ("session",) in found["sesión"]
    assert "Dónde" not in found


def test_an_untranslated_foreign_word_counts_only_as_a_borrowed_name() -> None:
    question = ANALYST.analyse("¿Cómo se alborotan los mensajes de RabbitMQ con webhooks?")
    must = {concept.word: concept.must_count for concept in question.concepts}
    assert must == {"mensajes": True, "alborotan": False, "RabbitMQ": True, "webhooks": True}


def test_a_japanese_question_is_asked_in_english_terms() -> None:
    found = concepts("セッションの署名はRedisでどこで検証されますか")
    assert ("session",) in found["セッション"]
    assert ("sign",) in found["署名"]
    assert found["Redis"] == (("redi",),)


@given(text=st.text(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_can_be_taken_apart(text: str) -> None:
    question = ANALYST.analyse(text)
    assert isinstance(question, Question)
    assert all(concept.alternatives and all(concept.alternatives) for concept in question.concepts)


def test_the_heading_of_a_report_counts_more_than_its_body() -> None:
    body = "\n".join(f"I tried version {n} of the unrelated thing on my laptop." for n in range(12))
    report = Analyst().analyse(f"Cookie domain ignored\n<!-- describe the penguin -->\n{body}\n")
    emphasis = {concept.word: concept.emphasis for concept in report.concepts}

    assert emphasis["Cookie"] == 1.0
    assert 0.15 < emphasis["laptop"] < 1.0
    assert "penguin" not in emphasis


def test_a_short_question_counts_the_same_throughout() -> None:
    asked = Analyst().analyse("how is the cookie domain\nignored by the laptop?")

    assert {concept.emphasis for concept in asked.concepts} == {1.0}
