"""What no cited line can prove, so that a claim may not say it: that tests pass, or what a file tells an assistant to do.

Only prose counts: a docstring that is quoted with "all tests pass" is no claim that they do, and an injected
instruction may be reported as a quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.claim_text import MARK, read
from agent.claim_words import sayings

_LINES_AROUND = 3
"""How near an instruction lines have to be to count as a part of it."""
_QUOTED_WORDS = 3


def verdict_said(claim: str) -> str:
    """The verdict on tests that a claim gives ("passed", "failed"), or ""."""
    prose = _prose(claim)
    if _says(sayings().tests_passed, prose):
        return "passed"
    return "failed" if _says(sayings().tests_failed, prose) else ""


def repeats_an_instruction(claim: str) -> bool:
    """True when the claim itself speaks to an assistant."""
    return _says(sayings().instructions, _prose(claim))


def beside_an_instruction(lines: tuple[str, ...], first: int, last: int) -> bool:
    """True when lines `first` to `last` of a file are a part of text that speaks to an assistant."""
    around = lines[max(0, first - 1 - _LINES_AROUND) : last + _LINES_AROUND]
    return _says(sayings().instructions, " ".join(" ".join(around).lower().split()))


def quotes_words(claim: str) -> bool:
    """True when the claim quotes a phrase in quotation marks."""
    return any(len(quote.split()) >= _QUOTED_WORDS or not quote.isascii() for quote in read(claim).quotes)


def _prose(claim: str) -> str:
    return " ".join(re.sub(f"{MARK}+", "¤", read(claim).prose).lower().split())


def _says(patterns: Iterable[re.Pattern[str]], prose: str) -> bool:
    return any(pattern.search(prose) for pattern in patterns)
