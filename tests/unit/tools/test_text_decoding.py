from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.text_decoding import NotText, decode, newline_of, split_lines

JAPANESE = "# 設定ファイルを読み込む関数です。\n# 例外が発生した場合は再送出する\n"
RUSSIAN = "# Функция читает файл настроек\n# и возвращает словарь\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("\n", [""]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb\n", ["a\rb"]),
        ("a\r", ["a\r"]),
        ("a\r\r\n", ["a\r"]),
        ("a\fb\vc\x1cd\n", ["a\fb\vc\x1cd"]),
        ("a\u2028b\u2029c\u0085d\n", ["a\u2028b\u2029c\u0085d"]),
    ],
)
def test_only_a_newline_ends_a_line(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@given(st.text(alphabet="ab\r\n\f\u2028"))
def test_a_text_has_as_many_lines_as_newlines_and_an_unfinished_rest(text: str) -> None:
    assert len(split_lines(text)) == text.count("\n") + (not text.endswith("\n") and text != "")


@pytest.mark.parametrize(
    ("text", "newline"),
    [("", "\n"), ("a\nb", "\n"), ("a\r\nb\r\n", "\r\n"), ("a\r\nb\n", "mixed"), ("a\rb", "\n")],
)
def test_the_line_ending_is_told(text: str, newline: str) -> None:
    assert newline_of(text) == newline


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"x = 1\n", "utf-8"),
        ("x = 'é'\n".encode(), "utf-8"),
        (codecs.BOM_UTF8 + b"x", "utf-8-sig"),
        (codecs.BOM_UTF16_LE + "é\n".encode("utf-16-le"), "utf-16"),
        (codecs.BOM_UTF16_BE + "é\n".encode("utf-16-be"), "utf-16"),
        (codecs.BOM_UTF32_LE + "é\n".encode("utf-32-le"), "utf-32"),
        (codecs.BOM_UTF32_BE + "é\n".encode("utf-32-be"), "utf-32"),
        ("# Größe\nname = 'José'\n".encode("latin-1"), "latin-1"),
        (JAPANESE.encode("shift_jis"), "cp932"),
        (JAPANESE.encode("euc_jp"), "euc_jp"),
        (RUSSIAN.encode("cp1251"), "cp1251"),
    ],
)
def test_each_encoding_is_recognised(data: bytes, encoding: str) -> None:
    assert decode(data).encoding == encoding


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "shift_jis", "euc_jp"])
def test_a_text_comes_back_as_it_was_written(encoding: str) -> None:
    assert decode(JAPANESE.encode(encoding)).text == JAPANESE


@pytest.mark.parametrize(
    "sentence",
    [
        "Größe über Äpfel, Müller läuft schön durch die Straße, Füße, süß, groß",
        "déjà été élève où très près à côté même forêt âme île hôtel août",
        "La función configuración devuelve los parámetros según el año; también añade la sesión",
        "Função que lê a configuração, não há exceção, então é possível à operação",
    ],
)
def test_western_european_text_is_not_mistaken_for_an_asian_encoding(sentence: str) -> None:
    assert decode(sentence.encode("latin-1")).text == sentence


def test_a_guess_that_fails_later_in_the_file_falls_back_to_latin_1() -> None:
    data = JAPANESE.encode("shift_jis") * 400 + b"\xff\xff\n"
    assert decode(data).encoding == "latin-1"


def test_a_nul_byte_early_on_means_binary() -> None:
    with pytest.raises(NotText, match="binary"):
        decode(b"\x7fELF\0\0\0")


def test_a_nul_byte_far_down_is_text() -> None:
    assert decode(b"x" * 9000 + b"\0").text.endswith("\0")


def test_bytes_that_break_the_encoding_of_their_own_mark_are_no_text() -> None:
    with pytest.raises(NotText, match="utf-16"):
        decode(codecs.BOM_UTF16_LE + b"abc")


@given(st.binary(max_size=400))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        decoded = decode(data)
    except NotText:
        return
    assert isinstance(decoded.text, str)
