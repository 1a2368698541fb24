"""What a claim names of the code: the tokens that the cited lines must hold (design.md §3, condition 4).

A token is text in backticks, a quoted string, an identifier by its shape (`_`, `.`, `::`, inner capitals), an
acronym, a proper name inside a sentence, or a number. Matching is by whole words, so `get` is not found in
`get_cookie`. Prose without any token names nothing: the caller refuses it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

TokenKind: TypeAlias = Literal["code", "quote", "identifier", "name", "number", "location", "lines"]


@dataclass(frozen=True, slots=True)
class CodeToken:
    """One thing that a claim names."""

    text: str
    kind: TokenKind


_QUOTES = (
    r"\"([^\"\n]{1,400})\"|“([^”\n]{1,400})”|«([^»\n]{1,400})»|「([^」\n]{1,400})」|『([^』\n]{1,400})』"
    r"|(?<![\w`])'([^'\n]{1,400})'(?![\w])|‘([^’\n]{1,400})’(?![\w])"
)
_QUOTED = re.compile(rf"(?P<fence>`+)(?P<code>.+?)(?P=fence)|{_QUOTES}", re.DOTALL)
"""Code in backticks or text in quotation marks: what opens first holds the other as it stands."""
_LOCATION = re.compile(r"(?P<path>[\w./\\@+-]*[\w])(?::|#L)(?P<first>\d+)(?:[-–]L?(?P<last>\d+))?")
_LINE_NUMBERS = re.compile(
    r"\b(?:lines?|l[ií]neas?|linhas?)\s+(?P<first>\d+)(?:\s*(?:[-–]|to|and|a|y|e|until|hasta|até)\s*(?P<last>\d+))?"
    r"|(?P<first_ja>\d+)(?:\s*[-–〜~]\s*(?P<last_ja>\d+))?\s*行",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|->|/|-|#)[^\W\d][\w$]*)*(?:\(\))?")
_NUMBER = re.compile(r"(?<![\w.])-?(?:0[xX][0-9A-Fa-f_]+|\d[\d_]*(?:[.,]\d+)*)(?:[eE][+-]?\d+)?(?:%|(?=\D|$))")
_COMMENT_MARKER = re.compile(r"^[ \t]*(?://+[!/]?|#+|\*+(?!/)|--|;+)[ \t]?", re.MULTILINE)
_SEPARATORS = re.compile(r"\.|::|->|#")
_INNER_CAPITAL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|^[A-Z][a-z]+[A-Z]")
_SENTENCE_END = re.compile(r"[.!?:;。！？：\n]\s*$|^\s*$|[-*•]\s*$|[¿¡(（]\s*$")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_ABBREVIATIONS = frozenset({"e.g", "i.e", "etc", "p.ej", "p.ex", "a.m", "p.m", "vs"})
_PLAIN_ACRONYMS = frozenset({"API", "ID", "OK", "I", "A"})


def code_tokens(claim: str) -> tuple[CodeToken, ...]:
    """Every token of a claim, in order of kind, each once."""
    return tuple(dict.fromkeys(_tokens(claim)))


def _tokens(claim: str) -> Iterator[CodeToken]:
    for match in _QUOTED.finditer(claim):
        text = next(group for group in reversed(match.groups()) if group is not None).strip()
        if text:
            yield CodeToken(text, "code" if match["fence"] else "quote")
    rest = _QUOTED.sub(lambda match: " \x00 " + " " * max(0, len(match[0]) - 3), claim)
    for match in _LOCATION.finditer(rest):
        yield CodeToken(match[0], "location")
    rest = _LOCATION.sub(lambda match: "\x00" * len(match[0]), rest)
    for match in _LINE_NUMBERS.finditer(rest):
        yield CodeToken(match[0], "lines")
    rest = _LINE_NUMBERS.sub(lambda match: "\x00" * len(match[0]), rest)
    yield from _words(rest, japanese=bool(_CJK.search(claim)))
    for match in _NUMBER.finditer(rest):
        yield CodeToken(match[0], "number")


def _words(prose: str, *, japanese: bool) -> Iterator[CodeToken]:
    for match in _IDENTIFIER.finditer(prose):
        word = match[0]
        if _CJK.search(word):
            yield from _latin_parts(word)
        elif _is_identifier(word):
            yield CodeToken(word, "identifier")
        elif _is_name(word, prose[: match.start()], japanese=japanese):
            yield CodeToken(word, "name")


def _latin_parts(word: str) -> Iterator[CodeToken]:
    """Latin words inside Japanese text: nobody writes those unless they name something."""
    for part in re.findall(r"[A-Za-z_][A-Za-z0-9_.]*", word):
        if len(part) > 1:
            yield CodeToken(part, "identifier" if _is_identifier(part) else "name")


def _is_identifier(word: str) -> bool:
    bare = word.removesuffix("()")
    if bare.lower() in _ABBREVIATIONS:
        return False
    marked = "_" in bare or "::" in bare or "->" in bare or "$" in bare or "." in bare or "#" in bare
    return marked or word.endswith("()") or ("/" in bare and "." in bare) or bool(_INNER_CAPITAL.search(bare))


def _is_name(word: str, before: str, *, japanese: bool) -> bool:
    if word in _PLAIN_ACRONYMS:
        return False
    if japanese:
        return len(word) > 1 and word.isascii()
    if len(word) >= 2 and word.isupper():
        return True
    return word[0].isupper() and not _SENTENCE_END.search(before.replace("\x00", "x"))


@dataclass(frozen=True, slots=True)
class Held:
    """The text that a claim may draw on: cited lines, and the header of the definition around them."""

    lines: str
    header: str
    paths: frozenset[str]
    ranges: tuple[tuple[str, int, int], ...] = ()
    """(path, first line, last line) of the citations."""

    @classmethod
    def joined(cls, parts: Iterable[Held]) -> Held:
        """All parts as one."""
        held = list(parts)
        return cls(
            "\n".join(part.lines for part in held),
            "\n".join(part.header for part in held),
            frozenset(path for part in held for path in part.paths),
            tuple(entry for part in held for entry in part.ranges),
        )

    def in_lines(self, token: CodeToken) -> bool:
        """True when the cited lines themselves hold the token."""
        return token.kind not in ("location", "lines") and _occurs(token, self.lines)

    def holds(self, token: CodeToken) -> bool:
        """True when the lines, their header or their path hold it."""
        if token.kind in ("location", "lines"):
            return self._in_range(token)
        if _occurs(token, self.lines) or _occurs(token, self.header) or self._is_cited_path(token.text):
            return True
        return self._parts_held(token)

    def _is_cited_path(self, text: str) -> bool:
        bare = text.strip("./")
        return any(path == bare or path.endswith("/" + bare) for path in self.paths)

    def _parts_held(self, token: CodeToken) -> bool:
        """`Class.method` and `a::b` are held when each part is."""
        if token.kind not in ("code", "identifier") or not re.fullmatch(r"[\w$]+(?:(?:\.|::|->|#)[\w$]+)+(?:\(\))?", token.text):
            return False
        both = f"{self.lines}\n{self.header}"
        parts = _SEPARATORS.split(token.text.removesuffix("()"))
        return all(_whole_word(part, both) for part in parts)

    def _in_range(self, token: CodeToken) -> bool:
        """Line numbers that a claim spells out lie inside a cited range, of the file it names if it names one."""
        if token.kind == "lines":
            match = _LINE_NUMBERS.fullmatch(token.text)
            numbers = [int(group) for group in match.groups() if group] if match else []
            return any(begin <= min(numbers) and max(numbers) <= end for _, begin, end in self.ranges if numbers)
        match = _LOCATION.fullmatch(token.text)
        if match is None:
            return False
        first, last = int(match["first"]), int(match["last"] or match["first"])
        bare = match["path"].strip("./")
        return any(
            (path == bare or path.endswith("/" + bare)) and begin <= first <= last <= end
            for path, begin, end in self.ranges
        )


def _occurs(token: CodeToken, text: str) -> bool:
    if token.kind == "number":
        return _number(token.text) in _numbers(text)
    if token.kind == "name":
        return _whole_word(token.text, text, ignore_case=True) or (
            token.text.isupper() and token.text.lower() in text.lower()
        )
    wanted = token.text.removesuffix("()")
    return _whole_word(wanted, text) or _squeezed(wanted, text)


def _whole_word(word: str, text: str, *, ignore_case: bool = False) -> bool:
    left = r"(?<![\w$])" if re.match(r"[\w$]", word) else ""
    right = r"(?![\w$])" if re.search(r"[\w$]\Z", word) else ""
    return bool(word) and re.search(left + re.escape(word) + right, text, re.IGNORECASE if ignore_case else 0) is not None


def _squeezed(wanted: str, text: str) -> bool:
    """The same text, where only white space and comment markers at line starts differ (prose that spans lines)."""
    words = wanted.split()
    if len(words) < 2:
        return False
    return any(_whole_word(" ".join(words), " ".join(view.split())) for view in (text, _COMMENT_MARKER.sub("", text)))


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_number(match[0]) for match in re.finditer(r"(?<![A-Za-z_])-?(?:0[xX][0-9A-Fa-f_]+|\d[\d_]*(?:[.,]\d+)*)", text))


def _number(text: str) -> str:
    bare = unicodedata.normalize("NFKC", text).rstrip("%").lstrip("-").replace("_", "").lower()
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+", bare):
        bare = bare.replace(",", "")
    return bare.replace(",", ".")
