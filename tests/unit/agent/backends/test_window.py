from __future__ import annotations

import pytest
from support.model_runs import QUESTION, TOOLS, after_call

from agent.backends.window import Window
from agent.context import DoesNotFit
from agent.messages import Message


@pytest.mark.parametrize(
    ("tokens", "counts"),
    [(4096, (2050, 2051)), (8192, (4098, 4099)), (16384, (8194, 8195)), (32768, (16386, 16387))],
)
def test_the_exact_counts_of_a_prompt_that_lost_its_middle_are_known(tokens: int, counts: tuple[int, int]):
    window = Window(tokens, 512)
    assert all(window.was_cut(tokens * 0.9, count) for count in counts)
    assert not any(window.was_cut(tokens * 0.9, count) for count in (counts[0] - 1, counts[1] + 1))


def test_an_exact_count_that_agrees_with_a_calibrated_estimate_is_no_alarm():
    window = Window(8192, 512)
    window.learn(1000, 1000)
    assert not window.was_cut(4098, 4098)
    assert window.was_cut(7000, 4098)


def test_dropped_messages_show_near_the_windows_end_only_and_only_once_calibrated():
    window = Window(8192, 512)
    assert not window.was_cut(7000, 3000)
    window.learn(1000, 1000)
    assert window.was_cut(7000, 3000)
    assert not window.was_cut(7000, 6500)
    assert not window.was_cut(3000, 200), "an old server counts only what it had not cached"


def test_the_first_count_sets_the_scale_and_later_ones_only_raise_it():
    messages = [
        *QUESTION,
        *after_call(0, "x = 1\n" * 900),
        *after_call(1, "y = 2\n" * 900),
        *after_call(2, "z"),
    ]
    window = Window(6000, 500)
    assert window.fit(messages, ()) == messages
    window.learn(1000, 2000)
    shrunk = window.fit(messages, ())
    assert shrunk != messages
    window.learn(1000, 500)
    assert window.fit(messages, ()) == shrunk


def test_a_window_only_narrows():
    window = Window(8192, 512)
    window.narrow(0)
    window.narrow(16384)
    assert window.tokens == 8192
    window.narrow(4096)
    assert window.tokens == 4096


def test_a_reply_never_takes_more_than_half_of_the_window():
    window = Window(8192, 6000)
    assert window.reply_tokens == 4096


def test_what_cannot_shrink_is_not_sent_again():
    window = Window(8192, 512)
    with pytest.raises(DoesNotFit):
        window.must_fit_less([*QUESTION], TOOLS, 9000, 8192)


def test_the_sizes_that_a_server_tells_are_used():
    messages = list(QUESTION)
    for number in range(8):
        messages += after_call(number, "x = 1\n" * 200)
    window = Window(16384, 512)
    estimate = window.estimate(messages, ())
    window.must_fit_less(messages, (), 9000, 4096)
    assert window.estimate(window.fit(messages, ()), ()) * 9000 / estimate < 4096 - 512


def test_tools_take_their_part_of_the_room():
    message = Message("user", "word " * 480)
    window = Window(2048, 1024)
    assert window.fit([message], ()) == [message]
    with pytest.raises(DoesNotFit):
        window.fit([message], TOOLS * 10)
