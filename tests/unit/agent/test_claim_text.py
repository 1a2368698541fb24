from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.claim_text import MAX_CHARACTERS, read, unreadable


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u00ad", "\u202e", "\ufeff", "\u2066", "\x07", "\x00", "\ud800", "\u2028", "\ue000"]
)
def test_invisible_characters_make_a_claim_unreadable(hidden: str) -> None:
    assert f"U+{ord(hidden):04X}" in unreadable(f"`na{hidden}me` is set.")


@pytest.mark.parametrize("claim", ["`name` is set.", "名前\n\tを設定", "¿Qué? – «sí»", "a … b ✓ 👍"])
def test_what_a_reader_sees_is_readable(claim: str) -> None:
    assert unreadable(claim) == ""


def test_an_endless_claim_is_not_looked_at() -> None:
    assert "longer" in unreadable("`a` " * MAX_CHARACTERS)


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        ("calls `purge` now", "purge"),
        ("calls ``a ` b`` now", "a ` b"),
        ("calls ~~~purge the rows~~~ now", "purge the rows"),
        ("calls <code>purge</code> now", "purge"),
        ("calls <kbd class='x'>purge</kbd> now", "purge"),
        ("calls `purge now", "purge"),
        ("calls ｀purge｀ now", "purge"),
        ("calls ´purge´ now", "purge"),
    ],
)
def test_code_marks_of_every_make_mark_code(claim: str, code: str) -> None:
    assert code in read(claim).code


@pytest.mark.parametrize(
    ("claim", "prose"),
    [
        ("in re<b></b>dis now", "in redis now"),
        ("in re**di**s now", "in redis now"),
        ("in &#114;edis now", "in redis now"),
        ("in ｒｅｄｉｓ now", "in redis now"),
        ("in 𝐫𝐞𝐝𝐢𝐬 now", "in redis now"),
        ("in [redis](#x) now", "in redis #x  now"),
        ("in re<!-- x -->dis now", "in redis now"),
        ("a Map<K, V> now", "a Map<K, V> now"),
    ],
)
def test_markup_hides_nothing(claim: str, prose: str) -> None:
    assert read(claim).prose == prose


@pytest.mark.parametrize(
    ("claim", "names"),
    [
        ("**purge** it", ("purge",)),
        ("**never** it", ()),
        ("r-e-d-i-s", ("redis",)),
        ("r e d i s", ("redis",)),
    ],
)
def test_stressed_and_spelled_out_words_are_names(claim: str, names: tuple[str, ...]) -> None:
    assert read(claim).names == names


@pytest.mark.parametrize("claim", ["``", "` `", "`", "``` ```", '""', "«»"])
def test_empty_marks_mark_nothing(claim: str) -> None:
    reading = read(claim)
    assert not any(text.strip("` ") for text in reading.code)
    assert reading.quotes == ()


@given(st.text(st.sampled_from("`*<>code/~\"'[]()&# \nxé"), max_size=80))
def test_any_marks_can_be_read(claim: str) -> None:
    reading = read(claim)
    assert all((*reading.code, *reading.quotes, *reading.names))
    assert "´" not in reading.prose
