from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from agent.budget import Budget, TimeIsUp
from agent.messages import Piece, TextDelta, Turn


class Clock:
    """A clock that a test moves by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_each_limit_names_itself_when_it_is_reached() -> None:
    clock = Clock()
    turns, seconds, tokens = Budget(max_turns=1), Budget(max_seconds=5, clock=clock), Budget(max_tokens=30)
    assert [budget.spent() for budget in (turns, seconds, tokens)] == ["", "", ""]
    turns.charge(Turn())
    clock.now += 5
    tokens.charge(Turn(prompt_tokens=20, output_tokens=10))
    assert [budget.spent() for budget in (turns, seconds, tokens)] == ["turns", "seconds", "tokens"]
    assert seconds.seconds == 5


def test_what_is_left_is_never_less_than_nothing() -> None:
    clock = Clock()
    budget = Budget(max_turns=2, max_seconds=6, max_tokens=30, clock=clock)
    assert (budget.turns_left, budget.seconds_left, budget.tokens_left) == (2, 4.0, 30)
    budget.charge(Turn(prompt_tokens=20, output_tokens=4))
    clock.now += 2
    assert (budget.turns_left, budget.seconds_left, budget.tokens_left) == (1, 2.0, 6)
    budget.charge(Turn(prompt_tokens=20))
    clock.now += 9
    assert (budget.turns_left, budget.seconds_left, budget.tokens_left) == (0, 0.0, 0)


@pytest.mark.parametrize(("looked_up", "left"), [(3, 9), (8, 4), (20, 4)])
def test_a_third_of_the_seconds_is_the_answers_whatever_the_look_ups_took(looked_up: int, left: int) -> None:
    clock = Clock()
    budget = Budget(max_seconds=12, clock=clock)
    clock.now += looked_up
    assert bool(budget.spent()) == (looked_up >= 8)
    budget.begin_answer()
    assert budget.seconds_left == pytest.approx(left)


async def test_a_reply_that_never_ends_is_closed_when_time_is_up() -> None:
    clock, closed = Clock(), asyncio.Event()

    async def endless() -> AsyncGenerator[Piece, None]:
        try:
            while True:
                clock.now += 1
                yield TextDelta("x")
        finally:
            closed.set()

    budget = Budget(max_seconds=6, clock=clock)
    pieces = budget.in_time(endless())
    heard = [await anext(pieces) for _ in range(4)]
    with pytest.raises(TimeIsUp):
        await anext(pieces)
    assert (len(heard), closed.is_set(), budget.turns) == (4, True, 1)


async def test_a_reply_that_is_never_begun_is_closed_when_time_is_up() -> None:
    closed = asyncio.Event()

    async def silent() -> AsyncGenerator[Piece, None]:
        try:
            await asyncio.Event().wait()
            yield Turn()
        finally:
            closed.set()

    with pytest.raises(TimeIsUp):
        await anext(Budget(max_seconds=0.03).in_time(silent()))
    assert closed.is_set()


async def test_a_timeout_of_the_replys_own_is_not_the_budgets() -> None:
    async def failing() -> AsyncGenerator[Piece, None]:
        raise TimeoutError
        yield Turn()

    with pytest.raises(TimeoutError):
        await anext(Budget().in_time(failing()))
