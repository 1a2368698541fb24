"""Which model is recommended for which machine."""

from __future__ import annotations

import pytest

from agent.backends.recommend import Machine, recommended, this_machine

GB = 10**9


@pytest.mark.parametrize(
    ("memory", "graphics", "model"),
    [
        (4, 0, "qwen3.5:2b"),
        (8, 0, "qwen3.5:4b"),
        (16, 0, "qwen3.5:4b"),
        (64, 0, "qwen3:30b"),
        (64, 2, "qwen3:30b"),
        (16, 8, "qwen3.5:4b"),
        (16, 12, "qwen3.5:4b"),
        (32, 16, "qwen3.5:9b"),
        (32, 24, "qwen3.5:9b"),
        (64, 32, "qwen3.6:27b"),
        (64, 48, "qwen3.6:35b"),
    ],
)
def test_the_largest_that_fits_is_recommended(memory: int, graphics: int, model: str) -> None:
    assert recommended(Machine(memory * GB, graphics * GB)).model == model


def test_a_larger_card_of_the_same_model_gets_a_longer_window() -> None:
    windows = [recommended(Machine(64 * GB, size * GB)).num_ctx for size in (16, 24)]
    assert windows == [32_768, 65_536]


def test_what_a_machine_of_16_gb_really_shows_counts_as_16() -> None:
    assert recommended(Machine(0, 15_360 * 1024**2)).model == "qwen3.5:9b"


def test_the_cards_that_the_tool_names_are_added_up() -> None:
    assert this_machine("12288\n12288\n").graphics in (24_576 * 1024**2, int(this_machine().memory * 0.67))


@pytest.mark.parametrize("told", ["", "No devices were found", "[N/A]"])
def test_without_a_card_the_processor_counts(told: str) -> None:
    assert this_machine(told).memory > 0
