from hypothesis import given
from hypothesis import strategies as st

from tools.focus import MAX_LINES, focus


def lines_with(**words: int) -> list[str]:
    """A hundred lines of filler with words on given lines."""
    lines = [f"filler_{n} = {n}" for n in range(100)]
    for word, at in words.items():
        lines[at] = f"    {word} = True"
    return lines


def test_a_short_chunk_is_shown_whole() -> None:
    assert focus(["a", "b"], {}) == (0, 2)


def test_the_window_stands_around_the_words() -> None:
    start, end = focus(lines_with(cookie=60, domain=66), {"cooki": 2.0, "domain": 1.0})
    assert start < 60
    assert end > 66
    assert end - start == MAX_LINES


def test_the_beginning_is_shown_when_it_says_as_much() -> None:
    assert focus(lines_with(cookie=3), {"cooki": 1.0}) == (0, MAX_LINES)
    assert focus(lines_with(), {"cooki": 1.0}) == (0, MAX_LINES)


def test_a_rare_word_outweighs_several_common_ones() -> None:
    lines = lines_with(name=40, value=41, cookie=80)
    start, end = focus(lines, {"name": 0.5, "valu": 0.5, "cooki": 3.0})
    assert start <= 80 < end


def test_blank_lines_at_the_edges_are_left_out() -> None:
    lines = [""] * 40 + ["cookie = 1"] + [""] * 40
    assert focus(lines, {"cooki": 1.0}) == (40, 41)


@given(st.lists(st.text(max_size=12), min_size=1, max_size=80), st.integers(min_value=1, max_value=30))
def test_the_window_is_a_part_of_the_chunk(lines: list[str], size: int) -> None:
    start, end = focus(lines, {"cooki": 1.0}, size)
    assert 0 <= start < end <= len(lines)
    assert end - start <= size
