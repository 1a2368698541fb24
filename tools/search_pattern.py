"""What `grep_symbol` looks for: a name as a whole word, or a piece of text, as one regular expression.

The expression is read alike by ripgrep and by `re`: only escaped text, `\\b`, `\\s+` and alternation are used. So a
line found in a file's raw bytes is held against the same expression once its secrets are masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

MAX_CHARACTERS = 1_000
"""Of an expression, as `ripgrep.py` takes them."""

_META = re.compile(r"[\\.+*?()|\[\]{}^$]")
_SEPARATOR = re.compile(r"::|->|[.#/\\]")
_KEYWORD = re.compile(
    r"(?:(?:async|export|pub|public|private|static|abstract)\s+)*(?:def|class|func|fn|function|struct|interface|trait|type|enum|impl)\s+(?=\S+$)"
)


@dataclass(frozen=True)
class Pattern:
    """One regular expression, and how it reads in a result."""

    regex: str
    described: str
    ignore_case: bool = False

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.regex, re.IGNORECASE if self.ignore_case else 0)

    def find(self, line: str) -> int | None:
        """Where in the line it occurs first, or None."""
        match = self._compiled.search(line)
        return match.start() if match else None

    @property
    def is_searchable(self) -> bool:
        """It is part of one line, and not too long."""
        return len(self.regex) <= MAX_CHARACTERS and "\n" not in self.regex and "\0" not in self.regex

    def any_case(self) -> Pattern:
        return Pattern(self.regex, f"{self.described}, upper and lower case alike", True)


@dataclass(frozen=True)
class Symbol:
    """A name as a person or a model writes it: `Class.method`, `module::func`, `func()`, `def func`."""

    written: str

    @cached_property
    def parts(self) -> tuple[str, ...]:
        bare = _KEYWORD.sub("", self.written.strip().strip("`")).removesuffix("()")
        return tuple(part for part in _SEPARATOR.split(bare) if part)

    @property
    def name(self) -> str:
        """The last part: the name that uses are written with."""
        return self.parts[-1] if self.parts else ""

    @property
    def qualified_name(self) -> str:
        """All parts, joined as the catalog joins them."""
        return ".".join(self.parts)

    @property
    def is_name(self) -> bool:
        """False for what can only be text: several words, or nothing but punctuation."""
        return (
            bool(self.parts)
            and not re.search(r"\s", "".join(self.parts))
            and re.search(r"\w", self.name) is not None
        )

    def pattern(self) -> Pattern:
        return Pattern(_word(self.name), f"the name `{self.name}`")


def exact(text: str) -> Pattern:
    """The text as it stands."""
    return Pattern(_escaped(text), "exactly")


def whole(text: str) -> Pattern:
    """The text as it stands, not as part of a longer word."""
    return Pattern(_word(text), f"the text `{text}`")


def windows(text: str) -> Iterator[Pattern]:
    """Runs of the text's words, long ones first: a message stands in the source with placeholders and line breaks."""
    words = text.split()
    for size in (6, 4, 3) if len(words) > 4 else (3, 2):
        runs = [words[at : at + size] for at in range(len(words) - size + 1)]
        written = [r"\s+".join(map(_escaped, run)) for run in runs if sum(map(len, run)) >= 3 * size]
        written = [one for one in written if len(one) <= MAX_CHARACTERS // 2]
        if written and size < len(words):
            stride = 1 + sum(len(one) + 1 for one in written) // MAX_CHARACTERS
            alternatives = "|".join(written[::stride])
            if len(alternatives) <= MAX_CHARACTERS:
                yield Pattern(alternatives, f"any {size} words in a row of", ignore_case=True)


def shared_words(text: str, line: str) -> int:
    """How many different words of the text the line holds."""
    return len(
        {word.lower() for word in re.findall(r"\w{2,}", text)}
        & {word.lower() for word in re.findall(r"\w{2,}", line)}
    )


def _word(text: str) -> str:
    before = r"\b" if re.match(r"\w", text) else ""
    after = r"\b" if re.search(r"\w\Z", text) else ""
    return f"{before}{_escaped(text)}{after}"


def _escaped(text: str) -> str:
    """With regex characters escaped; `re.escape` escapes more than ripgrep's engine takes."""
    return _META.sub(r"\\\g<0>", text)
