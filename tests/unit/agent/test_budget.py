from __future__ import annotations

from agent.budget import Budget
from agent.messages import Turn


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
