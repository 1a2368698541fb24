"""What the program knows of each language that people ask in: how questions are put, and its few fixed phrases.

One file per language (`en.toml`…): `[question]` is for reading, `[answer]` for writing. Patterns are matched against
folded text: lower case, Latin accents removed (`question.fold`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal, TypeAlias

Language: TypeAlias = Literal["en", "es", "pt", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "es", "pt", "ja")


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language."""

    language: Language
    code_nouns: frozenset[str]
    """Words beside which a plain word is a name ("the `abort` function")."""
    asking: frozenset[str]
    """Words that only say what is wanted of a name ("who calls…"), and are none themselves."""
    intents: tuple[tuple[str, tuple[str, ...]], ...]
    """Intent and its patterns, the most telling first. `§` stands for a named thing."""
    follow_up: tuple[str, ...]
    """Patterns of a question that leans on the one before ("and who calls it?")."""
    joint: str
    """Pattern of what stands between two questions in one ("where is X, and who calls it?")."""
    answer: Mapping[str, str]
    numbers: tuple[str, ...]
    """"once", "twice", …: how often something happens, from one on; the last one stands for more."""

    def write(self, phrase: str, **parts: str) -> str:
        """The phrase with its parts filled in."""
        return re.sub(r"\{(\w+)\}", lambda hole: parts[hole[1]], self.answer[phrase])

    def joined(self, items: Sequence[str], last: Literal["and", "or"] = "and") -> str:
        """ "a, b and c"."""
        if len(items) < 2:
            return "".join(items)
        return self.answer["comma"].join(items[:-1]) + self.answer[last] + items[-1]

    def times(self, count: int) -> str:
        """How often, in a word: digits would read as a claim about the code."""
        return self.numbers[min(count, len(self.numbers)) - 1]


def load_phrases() -> dict[Language, Phrases]:
    """Every language, from the files beside this module."""
    return {language: _read(language) for language in LANGUAGES}


def _read(language: Language) -> Phrases:
    data: dict[str, Any] = tomllib.loads((files(__name__) / f"{language}.toml").read_text("utf-8"))
    question: dict[str, Any] = data["question"]
    answer: dict[str, Any] = dict(data["answer"])
    numbers = tuple(str(number) for number in answer.pop("numbers"))
    return Phrases(
        language=language,
        code_nouns=frozenset(str(question["code_nouns"]).split()),
        asking=frozenset(str(question["asking"]).split()),
        intents=tuple((intent["name"], tuple(intent["patterns"])) for intent in question["intent"]),
        follow_up=tuple(question["follow_up"]),
        joint=str(question["joint"]),
        answer={key: str(phrase) for key, phrase in answer.items()},
        numbers=numbers,
    )
