"""The things of the code that a question names: symbols, settings, flags, routes, paths, quoted text.

A name is *certain* when nobody would write it so unless they meant that very thing (backticks, `_`, `::`, inner
capitals, quotes…); a plain word that may be a name ("the abort function", a capitalised word) is not, and whoever
looks it up ignores it when no definition has it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

NameKind: TypeAlias = Literal["symbol", "setting", "flag", "route", "path", "text"]

PLACEHOLDER = "§"
"""Stands for a named thing in what `without_names` returns."""


@dataclass(frozen=True, slots=True)
class Name:
    """One named thing."""

    text: str
    kind: NameKind
    certain: bool = True

    @property
    def last_part(self) -> str:
        """`get_cookie_domain` of `SessionInterface.get_cookie_domain`."""
        return re.split(r"\.|::|->|#", self.text)[-1]


@dataclass(frozen=True, slots=True)
class _Found:
    first: int
    last: int
    name: Name


_SUFFIXES = (
    "py|pyi|ts|tsx|js|jsx|mjs|cjs|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|sql|vue|svelte|html|css"
    "|md|rst|txt|toml|yaml|yml|json|ini|cfg|lock|ipynb|xml|proto"
)
_BACKTICKS = re.compile(r"(`+)(.+?)\1")
_QUOTED = re.compile(
    r"\"([^\"\n]{2,300})\"|“([^”\n]{2,300})”|«([^»\n]{2,300})»|「([^」\n]{2,300})」|『([^』\n]{2,300})』"
    r"|(?<![^\s(¿])'([^'\n]{2,300})'(?![\w])|‘([^’\n]{2,300})’(?!\w)"
)
_FLAG = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*")
_PATH = re.compile(
    rf"(?<![\w/.@:-])(?:\.{{0,2}}/)?(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.(?:{_SUFFIXES})(?![\w/-])", re.ASCII
)
_ROUTE = re.compile(r"(?<![\w/.:])/[A-Za-z][\w.~-]*(?:/[\w{}<>:.*~-]+)*/?", re.ASCII)
_SETTING = re.compile(r"(?<![\w$])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w)", re.ASCII)
_IDENTIFIER = r"[A-Za-z_$][\w$]*"
_QUALIFIED = re.compile(rf"(?<![\w$.]){_IDENTIFIER}(?:(?:\.|::|->|#){_IDENTIFIER})+(?:\(\))?!?", re.ASCII)
_MEMBER = re.compile(r"(?<![\w.)])\.[a-z]\w{2,}", re.ASCII)
_W = r"[\w\u00c0-\u024f]"
"""A letter, digit or underscore of a name in Latin script (`año_siguiente`), even where Japanese follows unspaced."""
_SHAPED = re.compile(
    rf"(?<![\w\u00c0-\u024f$@])@?(?:{_W}*[A-Za-z0-9\u00c0-\u024f]_{_W}+|_{_W}*[A-Za-z]{_W}*|[a-z]+[0-9]*[A-Z]{_W}*"
    rf"|[A-Z]{_W}*[a-z0-9][A-Z]{_W}*|[A-Z]{{2,}}[a-z]{_W}+|[A-Za-z_]{_W}*(?=\(\)))(?:\(\))?!?",
    re.ASCII,
)
_CAPITALISED = re.compile(r"(?<![\w§])[A-Z][a-z]\w+", re.ASCII)
_LATIN_WORD = re.compile(r"(?<![A-Za-z0-9_§-])[A-Za-z][A-Za-z0-9]{2,}(?![A-Za-z0-9_])", re.ASCII)
_SENTENCE_START = re.compile(r"(?:^|[.!?:;。！？：\n¿¡(])\s*$")
_JAPANESE = re.compile(r"[\u3040-\u30ff]")
_PROSE = frozenset({"e.g", "i.e", "etc", "vs", "p.ej", "p.ex", "Node.js", "Next.js", "Vue.js"})


def is_source_path(path: str) -> bool:
    """True for the file names that people write code in."""
    return _PATH.fullmatch(path) is not None


def named_things(question: str, code_nouns: Collection[str] = ()) -> tuple[Name, ...]:
    """Everything that the question names, certain ones first, each in the order it is said."""
    names = dict.fromkeys(found.name for found in _found(question, code_nouns))
    return tuple(sorted(names, key=lambda name: not name.certain))


def without_names(question: str) -> str:
    """The question with `§` for each thing that it names for certain."""
    rest = list(question)
    for found in _found(question, ()):
        if found.name.certain:
            rest[found.first : found.last] = [PLACEHOLDER, *[""] * (found.last - found.first - 1)]
    return "".join(rest)


def _found(question: str, code_nouns: Collection[str]) -> list[_Found]:
    masked = question
    found: list[_Found] = []
    for entry in _candidates(question):
        if "\0" not in masked[entry.first : entry.last]:
            found.append(entry)
            masked = masked[: entry.first] + "\0" * (entry.last - entry.first) + masked[entry.last :]
    found += _plain_words(masked, code_nouns)
    return sorted(found, key=lambda entry: entry.first)


def _candidates(question: str) -> Iterator[_Found]:
    """By how much a shape tells; a later one that overlaps an earlier one is not taken."""
    for pattern in (_BACKTICKS, _QUOTED):
        for match in pattern.finditer(question):
            text = next(group for group in reversed(match.groups()) if group is not None).strip()
            if text.strip("`"):
                kind = (
                    _kind(text)
                    if pattern is _BACKTICKS or _kind(text) in ("route", "path", "flag")
                    else "text"
                )
                yield _Found(match.start(), match.end(), Name(_bare(text, kind), kind))
    shapes: tuple[tuple[re.Pattern[str], NameKind], ...] = (
        (_FLAG, "flag"),
        (_PATH, "path"),
        (_ROUTE, "route"),
        (_SETTING, "setting"),
        (_QUALIFIED, "symbol"),
        (_SHAPED, "symbol"),
    )
    if re.fullmatch(_IDENTIFIER, alone := question.strip(" ?¿!.,:;"), re.ASCII):
        yield _Found(0, len(question), Name(alone, "symbol"))
    for pattern, kind in shapes:
        for match in pattern.finditer(question):
            if match[0].removesuffix("()") not in _PROSE:
                yield _Found(match.start(), match.end(), Name(_bare(match[0], kind), kind))
    for match in _MEMBER.finditer(question):
        yield _Found(match.start(), match.end(), Name(match[0][1:], "symbol", certain=False))


def _plain_words(masked: str, code_nouns: Collection[str]) -> Iterator[_Found]:
    """Words that may be names: beside a word like "function", capitalised inside a sentence, Latin in Japanese."""
    taken: set[int] = set()
    for match in _beside_nouns(masked, code_nouns):
        taken.add(match.start("word"))
        yield _Found(match.start("word"), match.end("word"), Name(match["word"], "symbol", certain=False))
    pattern = _LATIN_WORD if _JAPANESE.search(masked) else _CAPITALISED
    for match in pattern.finditer(masked):
        if match.start() in taken or match[0].isupper():
            continue
        if pattern is _LATIN_WORD or not _SENTENCE_START.search(masked[: match.start()]):
            yield _Found(match.start(), match.end(), Name(match[0], "symbol", certain=False))


def _beside_nouns(masked: str, code_nouns: Collection[str]) -> Iterator[re.Match[str]]:
    if not code_nouns:
        return
    nouns = "|".join(map(re.escape, sorted(code_nouns)))
    before = re.compile(rf"\b(?:the|an?)\s+(?P<word>[A-Za-z_]\w{{2,}})\s+(?:{nouns})\b", re.IGNORECASE)
    after = re.compile(
        rf"(?<!which )(?<!what )(?<!que )(?<!qué )(?<!cual )(?<!qual )\b(?:{nouns})\s+(?P<word>[A-Za-z_]\w{{2,}})(?=\s*(?:$|[?.,;!)]|\s\w))",
        re.IGNORECASE,
    )
    for pattern in (before, after):
        for match in pattern.finditer(masked):
            if match["word"].lower() not in code_nouns:
                yield match


def _kind(text: str) -> NameKind:
    """What a text in backticks is."""
    if re.fullmatch(r"-{1,2}[A-Za-z][\w-]*", text):
        return "flag"
    if _PATH.fullmatch(text):
        return "path"
    if text.startswith("/") and _ROUTE.fullmatch(text):
        return "route"
    if _SETTING.fullmatch(text):
        return "setting"
    if re.fullmatch(
        rf"[.@#&*]?{_IDENTIFIER}(?:(?:\.|::|->|#){_IDENTIFIER})*(?:<[^<>]*>)?(?:\(\))?!?", text, re.ASCII
    ):
        return "symbol"
    return "path" if re.fullmatch(r"[\w.@+-]+(?:/[\w.@+-]+)+/?", text, re.ASCII) else "text"


def _bare(text: str, kind: NameKind) -> str:
    if kind != "symbol":
        return text
    return re.sub(r"<[^<>]*>$", "", text.removesuffix("!").removesuffix("()")).lstrip(".@#&*") or text
