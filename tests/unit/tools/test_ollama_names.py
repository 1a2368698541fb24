from __future__ import annotations

import pytest

from tools.ollama_names import full_name, is_cloud_name, remote_reason


@pytest.mark.parametrize("name", ["qwen3.5:cloud", "gpt-oss:120b-cloud", "gpt-oss:20b:cloud", "X:120B-CLOUD"])
def test_a_cloud_name_is_recognised(name: str):
    assert is_cloud_name(name)


@pytest.mark.parametrize(
    "name", ["qwen3.5:4b", "cloudy:8b", "host:8080/cloud-x/model", "mycloud:latest", "cloud/x"]
)
def test_a_local_name_is_not_taken_for_a_cloud_one(name: str):
    assert not is_cloud_name(name)


def test_a_harmless_name_with_remote_fields_is_remote():
    assert remote_reason("my-helper:latest", {"remote_host": "https://ollama.com:443"})
    assert remote_reason("my-helper:latest", {"remote_model": "gpt-oss:120b"})
    assert remote_reason("my-helper:latest", {"remote_host": "", "remote_model": None}) == ""


def test_names_are_compared_without_case_and_with_the_usual_tag():
    assert full_name("Nomic-Embed-Text") == full_name("nomic-embed-text:latest")
    assert full_name("host:5000/me/model") == "host:5000/me/model:latest"
