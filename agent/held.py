"""What cited lines hold of the tokens that a claim names. Matching is by whole words: `get` is not in `get_cookie`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.claim_numbers import can_be_counted, holds_number
from agent.claim_text import read
from agent.claim_words import name_words
from agent.code_tokens import LINE_NUMBERS, LOCATION, CodeToken, code_tokens

_COMMENT_MARKER = re.compile(r"^[ \t]*(?://+[!/]?|#+|\*+(?!/)|--|;+)[ \t]?", re.MULTILINE)
_SEPARATORS = re.compile(r"\.|::|->|#")
_DOTTED = re.compile(r"[\w$]+(?:(?:\.|::|->|#)[\w$]+)+(?:\(\))?")
_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_DEFINING = (
    r"(?:class|struct|enum|trait|impl(?:<[^>]*>)?|interface|type|typedef|object|record|protocol|module|mod|namespace|package"
    r"|func|function|fun|def|fn|const|let|var|static|extension)"
)
_VALUES = frozenset({"none", "null", "nil", "true", "false", "undefined"})
_LONG_NUMBER = re.compile(r"\d{3}")
_SHORTEST_TELLING_WORD = 3


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

    def absent(self, claim: str) -> list[str]:
        """What the claim names and nothing here holds."""
        tokens = code_tokens(claim)
        first_name = next(
            (token.text.removesuffix("()") for token in tokens if token.kind in ("code", "identifier")), ""
        )
        missing = (
            token for token in tokens if not self.holds(token) and not self._counts(token, claim, first_name)
        )
        return list(dict.fromkeys(token.text for token in missing))

    def is_named_in(self, claim: str) -> bool:
        """True when the claim names something of the lines that tells them from others.

        A keyword or a name of one or two letters does not; such a short name is enough together with one that the
        header holds.
        """
        tokens = [token for token in code_tokens(claim) if token.kind not in ("location", "lines")]
        if any(_tells(token) and self.in_lines(token) for token in tokens):
            return True
        short = any(_is_a_name(token) and self.in_lines(token) for token in tokens)
        return short and any(
            _tells(token) and token.kind != "number" and self.holds(token) for token in tokens
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
        return token.kind in ("code", "identifier") and self._is_member(token.text.removesuffix("()"))

    def _counts(self, token: CodeToken, claim: str, first_name: str) -> bool:
        return token.number is not None and can_be_counted(
            token.number, read(claim).prose, first_name, self.lines
        )

    def _is_cited_path(self, text: str) -> bool:
        bare = text.removeprefix("./").strip("/")
        return any(path == bare or path.endswith("/" + bare) for path in self.paths if bare)

    def _is_member(self, text: str) -> bool:
        """`Class.method` and `module::name` are held where each part is, and what stands before is defined there."""
        if not _DOTTED.fullmatch(text):
            return False
        *owners, member = _SEPARATORS.split(text)
        both = f"{self.lines}\n{self.header}"
        return _whole_word(member, both) and all(self._owns(owner, both) for owner in owners)

    def _owns(self, owner: str, both: str) -> bool:
        name = re.escape(owner)
        defined = rf"\b{_DEFINING}\s+(?:\([^)]*\)\s*)?{name}(?![\w$])|\bfunc\s*\(\s*\w*\s*\*?{name}(?:\[[^\]]*\])?\s*\)"
        if re.search(defined, both) or re.search(
            rf"^(?:[\w$]+\.)*{name}(?:\.[\w$]+)*$", self.header, re.MULTILINE
        ):
            return True
        return any(owner in re.split(r"[/.]", path) for path in self.paths)

    def _in_range(self, token: CodeToken) -> bool:
        """Line numbers that a claim spells out lie inside a cited range, of the file it names if it names one."""
        if token.kind == "lines":
            match = LINE_NUMBERS.fullmatch(token.text)
            numbers = [int(group) for group in match.groups() if group] if match else []
            return any(
                begin <= min(numbers) and max(numbers) <= end for _, begin, end in self.ranges if numbers
            )
        match = LOCATION.fullmatch(token.text)
        if match is None:
            return False
        first, last = int(match["first"]), int(match["last"] or match["first"])
        bare = match["path"].removeprefix("./")
        return any(
            (path == bare or path.endswith("/" + bare)) and begin <= first <= last <= end
            for path, begin, end in self.ranges
        )


def _tells(token: CodeToken) -> bool:
    """Whether finding the token somewhere says that the claim is about that place."""
    if token.kind == "number":
        return bool(_LONG_NUMBER.search(token.text))
    return any(
        len(word) >= _SHORTEST_TELLING_WORD and word.lower() not in name_words().trivial
        for word in re.findall(r"[\w$]+", token.text)
    )


def _is_a_name(token: CodeToken) -> bool:
    """Whether it is a name of any length, or a value like `None`, that a definition's name can be told with."""
    bare = token.text.removesuffix("()")
    if token.kind not in ("code", "identifier") or not bare.isidentifier():
        return False
    return bare.lower() in _VALUES or bare.lower() not in name_words().trivial


def _occurs(token: CodeToken, text: str) -> bool:
    if token.number is not None:
        return holds_number(text, token.number) or _whole_word(token.text, text, ignore_case=True)
    if token.kind == "name":
        return _named(token.text, text)
    wanted = token.text.removesuffix("()")
    if _whole_word(wanted, text) or _squeezed(wanted, text):
        return True
    return (
        token.kind == "identifier"
        and wanted.isalpha()
        and _whole_word(rf"{wanted}", re.sub(r"\d+\b", "", text), ignore_case=True)
    )


def _named(name: str, text: str) -> bool:
    """A proper name is held as a word in any spelling of case and hyphens, or as a part of an identifier."""
    wanted = _plain(name)
    words: Sequence[str] = re.findall(r"[\w$-]+", text)
    if any(_plain(word) in (wanted, wanted + "s", wanted.removesuffix("s")) for word in words):
        return True
    parts = {part.lower() for word in words for part in _NAME_PART.findall(word)}
    return not parts.isdisjoint({wanted, wanted + "s", wanted.removesuffix("s")})


def _plain(word: str) -> str:
    return re.sub(r"[-_$]", "", word).lower()


def _whole_word(word: str, text: str, *, ignore_case: bool = False) -> bool:
    left = r"(?<![\w$])" if re.match(r"[\w$]", word) else ""
    right = r"(?![\w$])" if re.search(r"[\w$]\Z", word) else ""
    return (
        bool(word)
        and re.search(left + re.escape(word) + right, text, re.IGNORECASE if ignore_case else 0) is not None
    )


def _squeezed(wanted: str, text: str) -> bool:
    """The same text, where only white space, comment markers at line starts (prose that spans lines) or quotes differ."""
    words = wanted.split()
    if len(words) < 2:
        return False
    views = (text, _COMMENT_MARKER.sub("", text))
    if any(_whole_word(" ".join(words), " ".join(view.split())) for view in views):
        return True
    return _whole_word(_unquoted(" ".join(words)), _unquoted(" ".join(text.split())))


def _unquoted(text: str) -> str:
    return text.replace('"', "").replace("'", "")
