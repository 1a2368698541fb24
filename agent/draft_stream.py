"""A draft while it is written: each claim comes out as soon as its object is closed.

Only a preview: the whole reply is read again at its end (`read_draft`), so what this misses (a reply that is begun
anew, a fence, odd text before the object) comes later and is not lost. Claims are held back until the draft has said
that there is evidence: those of one that says the opposite come at its end.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from agent.drafts import DraftClaim, claim_of

_CLAIMS = {"observed": False, "recommendations": True}
"""The lists that hold claims, and whether these are advice."""
_INSIDE_THE_DRAFT, _INSIDE_A_LIST = 1, 2


@dataclass(frozen=True, slots=True)
class StreamedClaim:
    """One whole claim of a draft that is still being written."""

    claim: DraftClaim
    recommendation: bool


class DraftStream:
    """Follows one draft piece by piece: braces, strings and the keys of the outermost object, nothing else."""

    def __init__(self) -> None:
        self._text = ""
        self._read = 0
        self._depth = 0
        self._string_start = -1
        self._escaped = False
        self._last_string = ""
        self._key = ""
        self._claim_start = -1
        self._held: list[StreamedClaim] = []
        self._has_evidence: bool | None = None

    def take(self, piece: str) -> list[StreamedClaim]:
        """The claims that `piece` closes, and those that it sets free."""
        self._text += piece
        while self._read < len(self._text):
            self._step(self._text[self._read])
            self._read += 1
        if self._has_evidence is not True:
            return []
        closed, self._held = self._held, []
        return closed

    def _step(self, character: str) -> None:
        if self._string_start >= 0:
            self._inside_a_string(character)
            return
        match character:
            case '"' if self._depth:
                self._string_start = self._read
            case ":" if self._depth == _INSIDE_THE_DRAFT:
                self._key = self._last_string
            case "t" | "f" if self._depth == _INSIDE_THE_DRAFT and self._key == "no_evidence":
                self._has_evidence = character == "f" and self._has_evidence is not False
                self._key = ""
            case "{" | "[" if self._depth or character == "{":
                if self._depth == _INSIDE_A_LIST and character == "{" and self._key in _CLAIMS:
                    self._claim_start = self._read
                self._depth += 1
            case "}" | "]" if self._depth:
                self._depth -= 1
                if self._depth == _INSIDE_A_LIST and self._claim_start >= 0:
                    self._close_claim()
            case _:
                pass

    def _inside_a_string(self, character: str) -> None:
        if self._escaped:
            self._escaped = False
        elif character == "\\":
            self._escaped = True
        elif character == '"':
            self._last_string = self._text[self._string_start + 1 : self._read]
            self._string_start = -1

    def _close_claim(self) -> None:
        source, self._claim_start = self._text[self._claim_start : self._read + 1], -1
        try:
            claim = claim_of(json.loads(source))
        except (ValueError, RecursionError):
            return
        if claim is not None:
            self._held.append(StreamedClaim(claim, _CLAIMS[self._key]))
