from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.show import hidden_characters, show, show_name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\nb", "a\nb"),
        ("a\r\nb", "a\nb"),
        ("a\tb", "a    b"),
        ("\x1b[31mred", "␛[31mred"),
        ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
        ("a\rb", "a␍b"),
        ("\x7f", "␡"),
        ("\x9b31m", "<U+009B>31m"),
        ("a\u202eb", "a<U+202E>b"),
        ("a\u200bb", "a<U+200B>b"),
        ("\U000e0041", "<U+E0041>"),
        ("\udc80", "<U+DC80>"),
        ("line\u2028line", "line<U+2028>line"),
        ("[@click=app.quit]x[/]", "[@click=app.quit]x[/]"),
        ("日本語 ñ é", "日本語 ñ é"),
    ],
)
def test_acting_and_hidden_characters_become_visible(text: str, shown: str) -> None:
    assert show(text) == shown


@pytest.mark.parametrize(
    "emoji", ["👨\u200d👩\u200d👧", "❤\ufe0f", "1\ufe0f\u20e3", "👩🏽\u200d💻", "🏳\ufe0f\u200d🌈"]
)
def test_joiners_inside_emoji_stay(emoji: str) -> None:
    assert show(f"a {emoji} b") == f"a {emoji} b"
    assert hidden_characters(emoji) == 0


def test_joiners_outside_emoji_become_visible() -> None:
    assert show("pass\u200dword ❤\ufe0f") == "pass<U+200D>word ❤\ufe0f"


def test_a_name_stays_on_one_line() -> None:
    assert show_name("a\nb\tc\r\n") == "a␤b␉c␍␤"


def test_towers_of_combining_marks_are_cut_to_eight() -> None:
    assert show("e" + "\u0301" * 50 + "x") == "e" + "\u0301" * 8 + "x"


def test_hidden_characters_are_counted() -> None:
    assert hidden_characters("a\u200bb\u202e\U000e0041") == 3
    assert hidden_characters("plain\x1b\n") == 0


@given(st.text())
def test_nothing_that_acts_on_a_terminal_is_left(text: str) -> None:
    for shown in (show(text), show_name(text)):
        assert not any(ord(character) < 32 and character != "\n" for character in shown)
        assert not any(0x7F <= ord(character) < 0xA0 for character in shown)
        assert not any(0xD800 <= ord(character) <= 0xDFFF for character in shown)
    assert "\n" not in show_name(text)


@given(st.text(alphabet="a\x1b[]0;\u202e"), st.integers(0, 20))
def test_cutting_a_text_anywhere_changes_nothing(text: str, at: int) -> None:
    assert show(text[:at]) + show(text[at:]) == show(text)


def test_showing_is_fast() -> None:
    text = "def f(x): return x[1]  # é\n" * 40_000
    started = time.process_time()
    show(text)
    assert time.process_time() - started < 1
