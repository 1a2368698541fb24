"""The phrases of every language are whole: the same ones, with the same parts."""

from __future__ import annotations

import re

import pytest

from agent.code_tokens import code_tokens
from agent.phrases import LANGUAGES, Language, load_phrases

PHRASES = load_phrases()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_phrase_with_its_parts(language: Language) -> None:
    english = {key: set(re.findall(r"{\w+}", text)) for key, text in PHRASES["en"].answer.items()}

    assert {key: set(re.findall(r"{\w+}", text)) for key, text in PHRASES[language].answer.items()} == english
    assert {name for name, _ in PHRASES[language].intents} == {name for name, _ in PHRASES["en"].intents}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phrase_names_nothing_of_the_code_by_itself(language: Language) -> None:
    """What a phrase itself says would have to stand in the cited lines."""
    for text in PHRASES[language].answer.values():
        filled = re.sub(r"{\w+}", " `x` ", text)  # code that touches code would run together
        assert {token.text for token in code_tokens(filled)} <= {"x"}, text
    for word in PHRASES[language].numbers:
        assert all(token.number and token.number.may_be_counted for token in code_tokens(word))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pattern_is_a_regular_expression(language: Language) -> None:
    patterns = [*PHRASES[language].follow_up, *(one for _, many in PHRASES[language].intents for one in many)]

    assert all(re.compile(pattern) for pattern in patterns)


def test_parts_are_filled_in_once() -> None:
    assert PHRASES["en"].write("documented", text="`{text} {name}`") == "It is documented as: `{text} {name}`"


def test_things_are_joined_as_people_do() -> None:
    english = PHRASES["en"]

    assert english.joined([]) == ""
    assert english.joined(["a"]) == "a"
    assert english.joined(["a", "b", "c"]) == "a, b and c"
    assert PHRASES["ja"].joined(["a", "b"]) == "a、b"


def test_counts_are_words() -> None:
    assert PHRASES["en"].times(1) == "once"
    assert PHRASES["es"].times(3) == "tres veces"
    assert PHRASES["en"].times(500) == "many times"
