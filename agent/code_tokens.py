"""What a claim names of the code: the tokens that the cited lines must hold (design.md §3, condition 4).

A token is text in backticks, a quoted string, an identifier by its shape (`_`, `.`, `::`, inner capitals), an
acronym, a proper or product name, a flag, route, path, address or version, or a number. Whether lines hold one is
`agent/held.py`. Prose without any token names nothing: the caller refuses it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent.claim_numbers import Number, numbers_said
from agent.claim_text import MARK, read
from agent.claim_words import NameWords, name_words, number_words

TokenKind: TypeAlias = Literal["code", "quote", "identifier", "name", "exact", "number", "location", "lines"]


@dataclass(frozen=True, slots=True)
class CodeToken:
    """One thing that a claim names."""

    text: str
    kind: TokenKind
    number: Number | None = None
    """What a token of kind `number` says."""


LOCATION = re.compile(
    r"(?<![\w./\\@+-])(?P<path>[\w./\\@+-]*[\w])(?::|#L)(?P<first>\d{1,9})(?:[-–]L?(?P<last>\d{1,9}))?"
)
LINE_NUMBERS = re.compile(
    r"\b(?:lines?|l[ií]neas?|linhas?)\s+(?P<first>\d{1,9})(?:\s*(?:[-–]|to|and|a|y|e|until|hasta|até)\s*(?P<last>\d{1,9}))?"
    r"|(?P<first_ja>\d{1,9})(?:\s*[-–〜~]\s*(?P<last_ja>\d{1,9}))?\s*行",
    re.IGNORECASE,
)
_EXACT = re.compile(
    r"(?<![\w+.-])[A-Za-z][\w+.-]*://[^\s<>\"'`、。）)]+[\w/]"  # a URL
    r"|\bwww\.[^\s<>\"'`]+\w"
    r"|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # an e-mail address
    r"|(?<![\w-])--?[A-Za-z][\w-]*"  # a flag
    r"|(?<![\w/.<])~?/[\w{}<>:*.~-]+(?:/[\w{}<>:*.~-]+)*"  # a route or an absolute path
    r"|(?<![\w./])\.[A-Za-z]\w{2,}(?:\.\w+)*"  # a dot file or a suffix
    r"|(?<![\w./-])\w[\w.-]*(?:/[\w.-]*\w){2,}"  # a path of three parts
    r"|\bx(?:-\w+)+"  # a header of HTTP
    r"|\b\d{4}-\d{2}-\d{2}\b"  # a date
    r"|\bv\d+(?:\.\d+)*\b",  # a version
    re.ASCII,
)
_PATTERNS: tuple[tuple[TokenKind, re.Pattern[str]], ...] = (
    ("location", LOCATION),
    ("lines", LINE_NUMBERS),
    ("exact", _EXACT),
)
_IDENTIFIER = re.compile(
    r"[^\W\d][\w$\u0300-\u036f]*(?:(?:\.|::|->|/|-|#)[^\W\d][\w$\u0300-\u036f]*)*(?:\(\))?"
)
_INNER_CAPITAL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|^[A-Z][a-z]+[A-Z]|-[A-Z]")
_LETTERS_AND_DIGITS = re.compile(r"(?=.*[A-Za-z])(?=.*\d)[A-Za-z\d-]{2,}")
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？\n]|[¿¡])[\s*_•>#-]*$")
_APPOSITION = re.compile(r",\s+(?:an?|the|una?|el|la|uma?|o)\s")
_SUPPLIED = ("-backed", "-powered", "-hosted", "-compatible")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_ABBREVIATIONS = frozenset({"e.g", "i.e", "etc", "p.ej", "p.ex", "a.m", "p.m", "vs", "and/or", "y/o", "e/ou"})


def code_tokens(claim: str) -> tuple[CodeToken, ...]:
    """Every token of a claim, in order of kind, each once."""
    return tuple(dict.fromkeys(_tokens(claim)))


def _tokens(claim: str) -> Iterator[CodeToken]:
    reading = read(claim)
    yield from (CodeToken(text, "code") for text in reading.code)
    yield from (CodeToken(text, "quote") for text in reading.quotes)
    yield from (CodeToken(text, "name") for text in reading.names)
    rest = reading.prose
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(rest):
            yield CodeToken(match[0], kind)
        rest = pattern.sub(lambda match: MARK * len(match[0]), rest)
    yield from _words(rest)
    yield from (CodeToken(number.text, "number", number) for number in numbers_said(rest))


def _words(prose: str) -> Iterator[CodeToken]:
    words, japanese, foreign = name_words(), bool(_CJK.search(prose)), _is_foreign_prose(prose)
    for match in _IDENTIFIER.finditer(prose):
        word = match[0]
        if _CJK.search(word):
            yield from _names_in_japanese(word, words)
        elif not foreign and _has_odd_letters(word):
            yield CodeToken(word, "exact")
        elif _is_identifier(word):
            yield CodeToken(word, "identifier")
        elif _is_name(word, prose[: match.start()], prose[match.end() :], words, japanese=japanese):
            yield CodeToken(word, "name")
        else:
            parts = re.split(r"[-/.]", word)
            yield from (CodeToken(part, "name") for part in parts if _is_technology(part, words))


def _is_technology(word: str, words: NameWords) -> bool:
    plain = "".join(sign for sign in unicodedata.normalize("NFD", word) if sign.isascii())
    return plain.lower() in words.technologies


def _names_in_japanese(word: str, words: NameWords) -> Iterator[CodeToken]:
    """Latin words inside Japanese text: nobody writes those unless they name something. And products in katakana."""
    for part in re.findall(r"[A-Za-z_][A-Za-z0-9_.]*", word):
        if len(part) > 1:
            yield CodeToken(part, "identifier" if _is_identifier(part) else "name")
    yield from (CodeToken(name, "name") for name in words.katakana if _stands_alone(name, word))
    if odd := re.search(r"[^\W\d_]", re.sub(r"[A-Za-zÀ-ſ\u3005-\u30ff\u3400-\u9fff]", "", word)):
        yield CodeToken(odd[0], "exact")


def _stands_alone(katakana: str, text: str) -> bool:
    return re.search(rf"(?<![ァ-ヿ]){katakana}(?![ァ-ヿ])", text) is not None


def _is_foreign_prose(prose: str) -> bool:
    """True for text whose words are mostly in a script of neither Latin nor Japanese letters."""
    letters = [sign for sign in prose if sign.isalpha()]
    return 2 * sum(map(_is_odd, letters)) > len(letters)


def _has_odd_letters(word: str) -> bool:
    return any(map(_is_odd, unicodedata.normalize("NFC", word)))


def _is_odd(sign: str) -> bool:
    """Letters and marks that no word of the languages we write has: another script's, or look-alikes of Latin ones."""
    if sign.isascii():
        return False
    plain = unicodedata.normalize("NFD", sign)[0]
    if plain.isascii() and plain.isalpha():
        return ord(sign) >= 0x180 or sign in "ıſ"
    return unicodedata.category(sign)[0] in "LM" and sign not in "ªºßæøœÆØŒþðđł々ー" and not _CJK.match(sign)


def _is_identifier(word: str) -> bool:
    bare = word.removesuffix("()")
    if bare.lower() in _ABBREVIATIONS:
        return False
    marked = "_" in bare or "::" in bare or "->" in bare or "$" in bare or "." in bare or "#" in bare
    return marked or word.endswith("()") or ("/" in bare and "." in bare) or bool(_INNER_CAPITAL.search(bare))


def _is_name(word: str, before: str, after: str, words: NameWords, *, japanese: bool) -> bool:
    if (word == word.upper() and word in words.plain_acronyms) or word.lower() in words.openers:
        return False
    if _is_technology(word, words) or _LETTERS_AND_DIGITS.fullmatch(word):
        return True
    if japanese:
        return len(word) > 1 and word.isascii()
    if len(word) >= 2 and word.isupper():
        return True
    if _SENTENCE_START.search(before):
        return _is_a_bare_subject(word, after, words)
    return word[0].isupper()


def _is_a_bare_subject(word: str, after: str, words: NameWords) -> bool:
    """A noun that opens a sentence without an article, as its subject: "Vortexa stores…", "Vortexa, a cache, …"."""
    if word.lower().endswith(words.abstract_endings) or word.lower() in number_words().values:
        return False
    if _APPOSITION.match(after) or (word[0].isupper() and word.endswith(_SUPPLIED)):
        return True
    following = re.match(r"(?:'s|’s)?\s+([^\W\d_]+)", after)
    return following is not None and following[1] in words.verbs
