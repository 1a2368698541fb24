from __future__ import annotations

import pytest

from agent.backends.model_choice import ranked
from agent.backends.ollama_models import InstalledModel

GB = 10**9
TOOLS = ("completion", "tools")


def model(name: str, size_gb: float, billions: float = 0.0) -> InstalledModel:
    return InstalledModel(name, int(size_gb * GB), TOOLS, billions)


def order(*models: InstalledModel, memory_gb: int = 32) -> list[str]:
    return [each.name for each in ranked(models, memory_gb * GB)]


def test_families_come_in_the_documented_order():
    names = ("llama3.1:8b", "qwen3:8b", "qwen3-coder:30b", "qwen3.5:4b")
    assert order(*(model(name, 5, 8) for name in names)) == list(reversed(names))


@pytest.mark.parametrize(
    "newer", ["qwen3.6:27b", "qwen3.8:27b", "qwen4:9b", "hf.co/someone/qwen3.5-9b:Q4_K_M"]
)
def test_later_qwens_count_as_the_first_family(newer: str):
    assert order(model("qwen3-coder:30b", 18, 30), model(newer, 17, 27))[0] == newer


def test_the_larger_of_two_that_fit_comes_first():
    assert order(model("qwen3.5:4b", 3.4, 4.7), model("qwen3.5:9b", 6.6, 9.7)) == ["qwen3.5:9b", "qwen3.5:4b"]


def test_what_does_not_fit_into_memory_comes_last_the_smallest_of_it_first():
    models = (model("qwen3.5:122b", 81, 122), model("qwen3.5:35b", 24, 35), model("llama3.1:8b", 5, 8))
    assert order(*models, memory_gb=16) == ["llama3.1:8b", "qwen3.5:35b", "qwen3.5:122b"]


def test_a_very_small_model_comes_after_a_capable_one_of_a_later_family():
    assert order(model("qwen3.5:0.8b", 1.0, 0.9), model("mistral:7b", 4.1, 7.2)) == [
        "mistral:7b",
        "qwen3.5:0.8b",
    ]


def test_size_on_disk_tells_a_very_small_model_where_the_parameters_are_not_told():
    assert order(model("qwen3.5:0.8b", 1.0), model("mistral:7b", 4.1)) == ["mistral:7b", "qwen3.5:0.8b"]


def test_remote_models_and_those_that_do_not_chat_are_left_out():
    remote = InstalledModel("my-helper:latest", 384, TOOLS, remote="it runs on `https://ollama.com`")
    embeds = InstalledModel("bge-m3:latest", 3 * GB, ("embedding",))
    unknown = InstalledModel("qwen3:8b", 5 * GB, None)
    assert order(remote, embeds, unknown) == ["qwen3:8b"]
