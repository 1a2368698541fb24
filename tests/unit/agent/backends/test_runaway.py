from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from agent.backends.runaway import RepetitionGuard, Runaway

SENTENCE = "Wait, I should look at the file again before I answer the question of the person. "


def watch(pieces: Iterable[str]) -> None:
    guard = RepetitionGuard()
    for piece in pieces:
        guard.add(piece)


@pytest.mark.parametrize("unit", ["a", " ", "\n", "ok ", SENTENCE, SENTENCE * 3 + "Or not. ", "キャッシュ"])
def test_a_text_in_circles_is_running_away(unit: str):
    with pytest.raises(Runaway):
        watch([unit] * 3000)


def test_a_circle_that_takes_long_to_come_round_is_noticed():
    words = random.Random(7)
    paragraph = " ".join(f"word{words.randrange(10_000)}" for _ in range(150))
    with pytest.raises(Runaway):
        watch([paragraph, "\n"] * 8)


@pytest.mark.parametrize("path", ["agent/settings.py", "agent/context.py", "README.md"])
def test_real_text_is_not_running_away(path: str):
    text = (Path(__file__).parents[4] / path).read_text(encoding="utf-8")
    watch([text[at : at + 5] for at in range(0, len(text), 5)])


def test_a_draft_with_many_similar_citations_is_not_running_away():
    guard = RepetitionGuard()
    for at in range(40):
        guard.add(
            f'{{"text": "`name{at}` is set", "citations": [{{"evidence": "E{at % 7}", "first_line": {at}}}]}}, '
        )
