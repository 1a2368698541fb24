"""Drafts: an answer as a model wrote it, asked for by JSON schema. Nothing in it is verified."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from agent.messages import JsonSchema


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """A statement as the model wrote it, with the evidence ids it names (`E3` or `E3:41-52`)."""

    text: str
    citations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer as the model wrote it: nothing in it is verified."""

    observed: tuple[DraftClaim, ...] = ()
    recommendations: tuple[DraftClaim, ...] = ()
    steps: tuple[str, ...] = ()
    files_to_review: tuple[str, ...] = ()
    """Paths; the reasons that people read are the program's own."""
    no_evidence: bool = False


_TELLING = frozenset({"no_evidence", "observed", "recommendations"})
"""An object that holds none of these is an answer to something else."""
_MAX_TEXT, _MAX_CITATIONS, _MAX_CLAIMS, _MAX_ADVICE = 500, 4, 12, 6
"""A schema without limits lets a small model run away inside one string or one list (seen) and never close its claim."""


def draft_schema(evidence_ids: Sequence[str]) -> JsonSchema:
    """The JSON schema of a draft. Each citation is `{"evidence": id, "first_line", "last_line"}`, the ids an enum."""
    citation = {
        "type": "object",
        "properties": {
            "evidence": {"type": "string", "enum": list(evidence_ids)},
            "first_line": {"type": "integer"},
            "last_line": {"type": "integer"},
        },
        "required": ["evidence"],
    }
    claim = {
        "type": "object",
        "properties": {
            "text": {"type": "string", "maxLength": _MAX_TEXT},
            "citations": {"type": "array", "items": citation, "minItems": 1, "maxItems": _MAX_CITATIONS},
        },
        "required": ["text", "citations"],
    }
    return {
        "type": "object",
        "properties": {
            "no_evidence": {"type": "boolean"},
            "observed": {"type": "array", "items": claim, "maxItems": _MAX_CLAIMS},
            "recommendations": {"type": "array", "items": claim, "maxItems": _MAX_ADVICE},
            "steps": {"type": "array", "items": {"type": "string"}},
            "files_to_review": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["no_evidence", "observed"],
    }


def read_draft(content: str) -> Draft | None:
    """The draft in a model's reply; None for what is no JSON object, or none of a draft. Wrong parts are left out."""
    try:
        value = json.loads(_json_part(content))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    fields = cast(dict[str, Any], value)
    if fields.keys().isdisjoint(_TELLING):
        return None
    return Draft(
        observed=_claims(fields.get("observed")),
        recommendations=_claims(fields.get("recommendations")),
        steps=_texts(fields.get("steps")),
        files_to_review=_texts(fields.get("files_to_review")),
        no_evidence=fields.get("no_evidence") is True,
    )


def _json_part(content: str) -> str:
    """From the first brace to the last: some servers wrap the object in a code fence."""
    first, last = content.find("{"), content.rfind("}")
    return content[first : last + 1] if 0 <= first < last else content


def claim_of(value: object) -> DraftClaim | None:
    """One claim as a model wrote it; None for anything without a text."""
    if not isinstance(value, dict):
        return None
    fields = cast(dict[str, Any], value)
    text = fields.get("text")
    return DraftClaim(text, _references(fields.get("citations"))) if isinstance(text, str) else None


def _claims(value: object) -> tuple[DraftClaim, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(claim for claim in map(claim_of, cast(list[object], value)) if claim is not None)


def _references(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(filter(None, map(_reference, cast(list[object], value))))


def _reference(entry: object) -> str:
    """`E3` or `E3:41-52`, from an object or from a string."""
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict):
        return ""
    fields = cast(dict[str, Any], entry)
    evidence, first, last = fields.get("evidence"), fields.get("first_line"), fields.get("last_line")
    if not isinstance(evidence, str):
        return ""
    if not isinstance(first, int) or isinstance(first, bool):
        return evidence
    return f"{evidence}:{first}-{last if isinstance(last, int) else first}"


def _texts(value: object) -> tuple[str, ...]:
    return (
        tuple(entry for entry in cast(list[object], value) if isinstance(entry, str))
        if isinstance(value, list)
        else ()
    )
