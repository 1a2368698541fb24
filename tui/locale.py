"""The language of the person's locale, for what is told without a question to take it from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

SpokenLanguage: TypeAlias = Literal["en", "es", "pt", "ja"]


def language_of(environment: Mapping[str, str]) -> SpokenLanguage:
    """The language of a locale, as far as there are phrases for it."""
    named = next(
        (environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), ""
    )
    start = named[:2].lower()
    return start if start == "es" or start == "pt" or start == "ja" else "en"
