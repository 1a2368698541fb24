"""Text → the terms that the keyword index holds and that queries ask for: one function for both sides.

Conventions owned here, so that the database needs no tokenizer of its own: identifiers are split into their parts
and each part is stemmed as English; an identifier of several parts is kept whole too (lower case, underscores
removed); accents are folded; Chinese, Japanese and Korean come as pairs of characters of the same script, a lone
ideograph as itself. Lone letters and digits are no terms. Whoever changes any of this raises `VERSION`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import cast

VERSION = 1
"""Part of what a file was indexed with: a file of another version is indexed again."""

_LONGEST_WORD = 200
"""Longer unbroken runs are encoded data, not names."""
_LONGEST_IDENTIFIER = 64
_LONGEST_STEMMED = 32

_WORD = re.compile(r"\w+")
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
# Japanese runs its scripts together; a pair across two scripts (noun + particle) would be noise with a high weight,
# and an ideograph without its hiragana ending is the stem of a verb.
_SCRIPT_RUN = re.compile(f"[{_HAN}]+|[{_HIRAGANA}]+|[{_KATAKANA}]+|[{_HANGUL}]+")
_ALL_HIRAGANA = re.compile(f"[{_HIRAGANA}]+")
_LONE_HAN = re.compile(f"[{_HAN}]")
# In order: plural of an acronym (URLs), acronym (HTTP of HTTPServer), word, number, letters of another alphabet.
_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\dA-Za-z_]+")

# Endings that some rule of the stemmer asks for. It leaves every other word alone, which is nearly half of them, and
# costs 60 µs a word: most of a first run's share of one process.
_INFLECTED = re.compile(r"(?:s|ed|ing|y|e|i|l|er|or|ic|nt|ism|ist|ion)\Z")

STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": """a about after all am an and any are as at be been before being between both but by can could did do does
        doing done each else ever every explain find for from get gets give given has have having he her here him his
        how i if in into is isn it its just let like look make makes many may me might more most much must my no nor
        not now of off on once one only onto or other our out over own please same shall she should show so some such
        tell than that the their them then there these they thing things this those through to too under until up us
        use used uses using very via want was way we were what when where whether which while who whom whose why will
        with within without would you your""",
        "es": """a al algo ante antes aquí cada como cómo con cual cuál cuáles cuando cuándo cuánto de del desde donde dónde
        durante e el él ella en entre era es esa ese eso esta está están este esto estos explica fue ha hace hacer hacia
        hasta hay la las le les lo los más me mi mientras muy no nos o para pero por porque puede pueden que qué quien
        quién se ser si sí sin sobre son su sus también tiene todo todos tras tu un una uno unos usa usan y ya""",
        "pt": """a à ao aos aquela aquele as às até com como da das de dela dele deles depois do dos e é ela ele eles em entre
        era essa esse esta está este eu faz fazer foi há isso isto já lhe mais mas me mesmo meu muito na não nas nem no
        nos o onde os ou para pela pelo pelos per por porque pode podem qual quais quando quanto que quem se sem ser seu
        seus são só sua também tem um uma usa usam você""",
        "ja": "何 誰 方法 場合 教 説明 どこ どの なぜ どう です ます",
    }.items()
}
"""Words that say nothing about what is asked, by language. Queries drop them, the index keeps them."""

_ALL_STOP_WORDS = frozenset(chain.from_iterable(STOP_WORDS.values()))


def terms(text: str) -> list[str]:
    """The terms of `text` in order, repeated as often as they occur.

    >>> terms("getCookieDomain")
    ['get', 'cooki', 'domain', 'getcookiedomain']
    """
    return list(chain.from_iterable(map(_terms_of_word, _WORD.findall(_normalised(text)))))


def content_terms(question: str) -> list[str]:
    """The terms of a question without its stop words, each once, in order; all of them when nothing else is left."""
    words = [word for word in _WORD.findall(_normalised(question)) if word.lower() not in _ALL_STOP_WORDS]
    found = chain.from_iterable(map(_terms_of_word, words))
    kept = dict.fromkeys(term for term in found if not _is_stop_term(term))
    return list(kept) or list(dict.fromkeys(terms(question)))


def split_identifier(word: str) -> list[str]:
    """The parts of one name, lower case: `getCookieDomain`, `get_cookie_domain` → get, cookie, domain."""
    return [part.lower() for part in _PART.findall(_folded(word))]


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The English stem of a lower-case word; what is not plain letters stays as it is."""
    plain = word.isascii() and word.isalpha() and len(word) <= _LONGEST_STEMMED
    if not plain or not _INFLECTED.search(word):
        return word
    # Not through `snowballstemmer.stemmer()`: that hands out another implementation where PyStemmer is installed, and
    # an index would then depend on what else is. A new object each time, since it holds state between threads.
    from snowballstemmer.english_stemmer import EnglishStemmer

    return cast(str, EnglishStemmer().stemWord(word))


@lru_cache(maxsize=1 << 17)
def _terms_of_word(word: str) -> tuple[str, ...]:
    if word.isascii():
        return tuple(_identifier_terms(word))
    # Names stand in Japanese text without a space around them.
    alphabetic = chain.from_iterable(map(_identifier_terms, _SCRIPT_RUN.sub(" ", word).split()))
    pairs = chain.from_iterable(map(_pairs, _SCRIPT_RUN.findall(word)))
    return (*alphabetic, *pairs)


def _identifier_terms(word: str) -> Iterator[str]:
    if len(word) > _LONGEST_WORD:
        return
    parts = split_identifier(word)
    for part in parts:
        if len(part) > 1:
            yield stem(part)
    if len(parts) > 1 and len(word) <= _LONGEST_IDENTIFIER:
        whole = "".join(parts)
        if len(whole) > 1:
            yield whole


def _pairs(run: str) -> list[str]:
    if len(run) == 1:
        return [run] if _LONE_HAN.match(run) else []
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _is_stop_term(term: str) -> bool:
    return term in _ALL_STOP_WORDS or _ALL_HIRAGANA.fullmatch(term) is not None


def _normalised(text: str) -> str:
    """Composed, full-width letters made plain: a decomposed accent would cut its word in two."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def _folded(word: str) -> str:
    """Without accents: people type `sesion` for `sesión`."""
    if word.isascii():
        return word
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter)
    )
