"""Which language a question is in."""

from __future__ import annotations

import pytest

from tools.index.stopwords import is_stop_word, language_of_question


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Where is the session cookie signed?", "en"),
        ("Engine", "en"),
        ("", "en"),
        ("session cookie signing", "en"),
        ("¿Dónde se firma la cookie de sesión?", "es"),
        ("donde se firma la cookie", "es"),
        ("Onde o cookie de sessão é assinado?", "pt"),
        ("onde fica a fila de mensagens", "pt"),
        ("セッションクッキーはどこで署名されますか", "ja"),
        ("Flask の session はどこ", "ja"),
        ("где подписывается cookie", "other"),
        ("会话在哪里签名", "other"),
    ],
)
def test_the_language_is_told_by_script_and_small_words(question: str, language: str) -> None:
    assert language_of_question(question) == language


def test_words_of_asking_carry_no_content() -> None:
    assert is_stop_word("Where", "en")
    assert is_stop_word("implemented", "en")
    assert is_stop_word("Dónde", "es")
    assert not is_stop_word("cookie", "es")
