"""A claim as its reader sees it: what it puts in code marks or quotation marks, and the prose around that.

Markup is taken off (HTML, emphasis, links), compatibility characters are folded (full-width letters read as plain
ones), and stray code marks still mark their word: nothing hides in how a thing is written. In `Reading.prose` each
marked text leaves a `MARK`.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

from agent.claim_words import name_words

MARK = "\x00"
"""Stands in the prose for what was taken out of it."""
MAX_CHARACTERS = 4_000
"""A claim that is longer is no claim that a person can check."""

_QUOTES = (
    r"\"([^\"\n]{1,400})\"|“([^”\n]{1,400})”|„([^“”\n]{1,400})[“”]|«([^»\n]{1,400})»|‹([^›\n]{1,400})›"
    r"|「([^」\n]{1,400})」|『([^』\n]{1,400})』|＂([^＂\n]{1,400})＂"
    r"|(?<![\w`])'([^'\n]{1,400})'(?![\w])|‘([^’\n]{1,400})’(?![\w])"
)
_MARKED = re.compile(
    rf"(?P<fence>(?<!`)`+(?!`)|(?<!~)~~~+(?!~))(?P<code>.+?)(?<![`~])(?P=fence)(?![`~])|{_QUOTES}", re.DOTALL
)
"""Code in backticks or text in quotation marks: what opens first holds the other as it stands."""
_CODE_TAG = re.compile(
    r"<(code|kbd|tt|samp|var|pre)\b[^<>]*>(?P<code>.*?)</\1\s*>", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(
    r"</?(?:a|b|i|u|s|p|br|em|strong|mark|small|big|sub|sup|span|div|font|del|ins|li|ul|ol|h[1-6]|code|kbd|tt|pre|wbr)\b[^<>]*>",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\(([^()\s]*)(?:\s[^()\n]*)?\)")
_EMPHASIS = re.compile(r"(?<!\*)(\*{1,3})(?=\S)(?P<inner>[^*\n]+?)(?<=\S)\1(?!\*)")
_STRAY = re.compile(r"(?<![\w$.])(?P<before>[\w$.]*)[`´]+(?P<after>[\w$.]*)")
_SPELLED_OUT = re.compile(r"(?<![\w$'’-])(?:[^\W\d_][-. ]){3,}[^\W\d_](?![\w$'’])")


@dataclass(frozen=True, slots=True)
class Reading:
    """One claim, taken apart."""

    code: tuple[str, ...]
    quotes: tuple[str, ...]
    names: tuple[str, ...]
    """Single words that are stressed or spelled out letter by letter."""
    prose: str


def unreadable(claim: str) -> str:
    """Why a claim cannot be checked as it stands (hidden characters, endless), or ""."""
    if len(claim) > MAX_CHARACTERS:
        return f"it is longer than {MAX_CHARACTERS} characters: say less at a time"
    if hidden := next((character for character in claim if _is_hidden(character)), ""):
        return f"it holds an invisible character (U+{ord(hidden):04X})"
    return ""


def _is_hidden(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cf", "Cs", "Co", "Cn", "Zl", "Zp") or (
        category == "Cc" and character not in "\n\r\t"
    )


def read(claim: str) -> Reading:
    """Take a claim apart."""
    code: list[str] = []
    quotes: list[str] = []
    names: list[str] = []

    def take_marked(match: re.Match[str]) -> str:
        text = next(group for group in reversed(match.groups()) if group is not None).strip()
        if text:
            (code if match["fence"] else quotes).append(text)
        return f" {MARK} "

    def take_code(match: re.Match[str]) -> str:
        text = _TAG.sub("", match["code"]).strip()
        if text:
            code.append(text)
        return f" {MARK} "

    def take_stray(match: re.Match[str]) -> str:
        code.extend(text for text in (match["before"].strip("."), match["after"].strip(".")) if text)
        return f" {MARK} "

    def take_stressed(match: re.Match[str]) -> str:
        inner = match["inner"]
        if _is_a_word(inner) and not _touches_a_word(match):
            names.append(inner)
        return inner

    def take_spelled_out(match: re.Match[str]) -> str:
        names.append(re.sub(r"[-. ]", "", match[0]))
        return f" {MARK} "

    prose = _MARKED.sub(take_marked, claim)
    prose = html.unescape(_COMMENT.sub("", prose)).replace("｀", "`")
    prose = _CODE_TAG.sub(take_code, prose)
    prose = _LINK.sub(r"\1 \2 ", _TAG.sub("", prose))
    prose = _STRAY.sub(take_stray, prose)
    prose = _EMPHASIS.sub(take_stressed, prose)
    prose = unicodedata.normalize("NFKC", prose).replace("−", "-")
    prose = _SPELLED_OUT.sub(take_spelled_out, prose)
    return Reading(tuple(code), tuple(quotes), tuple(names), prose)


def _is_a_word(text: str) -> bool:
    bare = text.strip(".,:;!?")
    return (
        bool(re.fullmatch(r"[^\W\d]\w*", bare))
        and bare.isascii()
        and bare.lower() not in name_words().stressed
    )


def _touches_a_word(match: re.Match[str]) -> bool:
    around = match.string[match.start() - 1 : match.start()] + match.string[match.end() : match.end() + 1]
    return bool(re.search(r"\w", around))
