"""The table of everyday words, and how it is matched."""

from __future__ import annotations

from importlib.resources import files

import pytest

from tools.index.glossary import Glossary


def english(language: str, text: str) -> dict[str, tuple[str, ...]]:
    glossary = Glossary(language)
    if language == "ja":
        return {text[each.start : each.start + each.length]: each.english for each in glossary.japanese(text)}
    words = text.split()
    return {
        " ".join(words[each.start : each.start + each.length]): each.english for each in glossary.words(words)
    }


@pytest.mark.parametrize("form", ["servidor", "servidores", "Servidor"])
def test_spanish_is_matched_in_every_inflection(form: str) -> None:
    assert english("es", form) == {form: ("server",)}


def test_accents_may_be_left_out() -> None:
    assert english("es", "sesion") == {"sesion": ("session",)}
    assert english("pt", "requisicao") == {"requisicao": english("pt", "requisição")["requisição"]}


def test_entries_of_several_words_win_over_their_parts() -> None:
    assert english("es", "la base de datos nueva") == {"base de datos": ("database", "db"), "nueva": ("new",)}
    assert "expressão regular" in english("pt", "uma expressão regular")


def test_japanese_takes_the_longest_entry() -> None:
    found = english("ja", "環境変数から設定を読み込む")
    assert found["環境変数"] == ("environment variable", "env")
    assert "変数" not in found
    assert "config" in found["設定"]


def test_a_kanji_inside_a_longer_word_is_not_taken_for_a_word() -> None:
    assert "木" not in english("ja", "木曜日")


def test_an_english_word_has_its_other_forms() -> None:
    assert "config" in english("en", "configuration")["configuration"]


def test_the_table_is_well_formed() -> None:
    lines = files("tools.index").joinpath("glossary.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    assert len(rows) >= 500
    assert all(len(row) == 5 and row[0] and any(row[2:]) for row in rows)
    assert [row[0] for row in rows] == sorted({row[0] for row in rows})
