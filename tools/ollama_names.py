"""What an Ollama model's name and its entry in the server's list tell: which model it is, and where it really runs.

A cloud model looks local: the server forwards the whole conversation. Its name says so, or the fields that a copy
under a harmless name keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def full_name(name: str) -> str:
    """As the server compares names: case apart, and a missing tag is `latest`."""
    lowered = name.lower()
    return lowered if ":" in lowered.rpartition("/")[2] else f"{lowered}:latest"


def is_cloud_name(name: str) -> bool:
    """Whether a name alone says that the model runs elsewhere: `qwen3.5:cloud`, `gpt-oss:120b-cloud`."""
    tag = name.rpartition(":")[2].lower()
    return "/" not in tag and (tag == "cloud" or tag.endswith("-cloud"))


def remote_reason(name: str, fields: Mapping[str, Any]) -> str:
    """Why a model is not local, by its name and by the fields that the server tells of it; else ""."""
    place = fields.get("remote_host") or fields.get("remote_model")
    if place:
        return f"it runs on `{place}`"
    return "its name says that it runs in a cloud" if is_cloud_name(name) else ""
