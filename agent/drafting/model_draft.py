"""A test file as a model writes it, asked for by JSON schema. Nothing in it is run or verified yet."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from agent.drafts import DraftClaim, claim_of, draft_schema
from agent.messages import JsonSchema

_MAX_TEXT = 12_000
_MAX_PINS = 20
_FENCED = re.compile(r"\A\s*```\w*\n(.*?)\n?```\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Pin:
    """What a model says that one of its tests pins down."""

    test: str
    claim: DraftClaim


@dataclass(frozen=True, slots=True)
class ModelDraft:
    """One file."""

    text: str
    pins: tuple[Pin, ...] = ()


def model_draft_schema(evidence_ids: Sequence[str]) -> JsonSchema:
    """The text of a file, and a cited statement for each test."""
    claim: JsonSchema = draft_schema(evidence_ids)["properties"]["observed"]["items"]
    pin = {
        "type": "object",
        "properties": {"test": {"type": "string", "maxLength": 200}, **claim["properties"]},
        "required": ["test", *claim["required"]],
    }
    return {
        "type": "object",
        "properties": {
            "file": {"type": "string", "maxLength": _MAX_TEXT},
            "pins": {"type": "array", "items": pin, "maxItems": _MAX_PINS},
        },
        "required": ["file", "pins"],
    }


def read_model_draft(content: str) -> ModelDraft | None:
    """The draft in a reply; None for what holds no file."""
    try:
        value: Any = json.loads(content[content.find("{") : content.rfind("}") + 1])
    except (ValueError, RecursionError):
        return None
    text = cast(dict[str, Any], value).get("file") if isinstance(value, dict) else None
    if not isinstance(text, str) or not text.strip():
        return None
    text = text.replace("\r\n", "\n")
    fenced = _FENCED.match(text)
    whole = (fenced[1] if fenced else text).rstrip("\n") + "\n"
    return ModelDraft(whole, tuple(_pins(cast(dict[str, Any], value).get("pins"))))


def _pins(value: object) -> list[Pin]:
    found: list[Pin] = []
    for entry in cast(list[Any], value) if isinstance(value, list) else ():
        claim = claim_of(entry)
        test = cast(dict[str, Any], entry).get("test") if isinstance(entry, dict) else None
        if claim is not None and isinstance(test, str):
            found.append(Pin(test, claim))
    return found
