"""Everyday words of programming in Spanish, Portuguese and Japanese → the English words that code uses.

The table is `glossary.tsv` beside this module, one idea a row. Spanish and Portuguese are matched by stem, so that
every inflection counts; Japanese by the longest entry that starts at each place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Protocol, cast

import snowballstemmer

COLUMNS = {"en": 1, "es": 2, "pt": 3, "ja": 4}
STEMMERS = {"en": "english", "es": "spanish", "pt": "portuguese"}
JOINING_WORDS = frozenset(["de", "del", "la", "el", "da", "do"])
"""Left out inside entries of several words, on both sides ("base de datos" is found by "base", "datos")."""
KANJI = re.compile(r"[㐀-䶿一-鿿々]")
KATAKANA = re.compile(r"[゠-ヿ]")


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Translation:
    """English for `length` words (Japanese: characters) from `start`."""

    start: int
    length: int
    english: tuple[str, ...]


class Glossary:
    """The table for one language. "en" gives the other forms of an English word (`configuration` → `config`)."""

    def __init__(self, language: str) -> None:
        self._stem = _stemmer(language)
        self._english: dict[tuple[str, ...], list[str]] = {}
        for english, foreign in _rows(language):
            key = tuple(foreign) if language == "ja" else self._key(foreign.split())
            known = self._english.setdefault(key, [])
            known.extend(word for word in english if word not in known)
        self._longest = max(map(len, self._english), default=0)

    def words(self, words: Sequence[str]) -> list[Translation]:
        """Translate words in order, the longest entry first; words without an entry are left out."""
        keys = [self._stem(word) for word in words]
        content = [place for place, word in enumerate(words) if word.casefold() not in JOINING_WORDS]
        found: list[Translation] = []
        here = 0
        while here < len(content):
            for length in range(min(self._longest, len(content) - here), 0, -1):
                places = content[here : here + length]
                english = self._english.get(tuple(keys[place] for place in places))
                if english and places[-1] - places[0] < 2 * length:
                    found.append(Translation(places[0], places[-1] - places[0] + 1, tuple(english)))
                    here += length - 1
                    break
            here += 1
        return found

    def japanese(self, text: str) -> list[Translation]:
        """Translate the entries found in running Japanese text, from left to right, the longest first."""
        found: list[Translation] = []
        here = 0
        while here < len(text):
            for length in range(min(self._longest, len(text) - here), 0, -1):
                english = self._english.get(tuple(text[here : here + length]))
                if english and not _is_cut_out(text, here, length):
                    found.append(Translation(here, length, tuple(english)))
                    here += length - 1
                    break
            here += 1
        return found

    def _key(self, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(self._stem(word) for word in words if word.casefold() not in JOINING_WORDS)


def _rows(language: str) -> Iterator[tuple[list[str], str]]:
    table = files("tools.index").joinpath("glossary.tsv").read_text(encoding="utf-8")
    for line in table.splitlines():
        if line.startswith("#"):
            continue
        cells = [[entry.strip() for entry in cell.split(",") if entry.strip()] for cell in line.split("\t")]
        english = cells[0] + cells[1]
        if language == "en":
            for form in english:
                yield [other for other in english if other != form], form
            continue
        for foreign in cells[COLUMNS[language]]:
            yield english, foreign


def _stemmer(language: str) -> Callable[[str], str]:
    if language not in STEMMERS:
        return str.casefold
    stemmer = cast("_Stemmer", snowballstemmer.stemmer(STEMMERS[language]))
    return lambda word: _plain(stemmer.stemWord(word.casefold()))


def _plain(word: str) -> str:
    """Without accents, which people leave out and put in as they please."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def _is_cut_out(text: str, start: int, length: int) -> bool:
    """A single kanji inside a longer word means something else; a katakana entry must begin where a word begins."""
    before, after = text[start - 1 : start], text[start + length : start + length + 1]
    if length == 1 and KANJI.match(text[start]):
        return bool(KANJI.match(before) or KANJI.match(after))
    return length <= 2 and bool(
        KATAKANA.match(text[start]) and (KATAKANA.match(before) or KATAKANA.match(after))
    )
