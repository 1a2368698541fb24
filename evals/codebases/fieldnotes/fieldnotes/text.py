"""Words and lines."""

from __future__ import annotations

import re

_NOT_WORD = re.compile(r"[^a-z0-9]+")


def slugify(title: str) -> str:
    """A title as part of an address.

    >>> slugify("Heron at the River")
    'heron-at-the-river'
    """
    return _NOT_WORD.sub("-", title.lower()).strip("-")


def initials(name: str) -> str:
    """The first letters of a name, each with a dot.

    >>> initials("Ada King Lovelace")
    'A.K.L.'
    """
    return "".join(f"{part[0].upper()}." for part in name.split())


def word_counts(text: str) -> dict[str, int]:
    """How often each word occurs, whatever its case.

    >>> word_counts("Tern, tern and gull")
    {'tern': 2, 'and': 1, 'gull': 1}
    """
    counts: dict[str, int] = {}
    for word in _NOT_WORD.split(text.lower()):
        if word:
            counts[word] = counts.get(word, 0) + 1
    return counts


def shorten(text: str, width: int = 20, mark: str = "...") -> str:
    """The text, cut at a word where it is wider than `width`.

    >>> shorten("a grey heron by the old mill", 16)
    'a grey heron...'
    """
    if len(text) <= width:
        return text
    room = width - len(mark)
    head = text[:room].rstrip()
    if " " in head and text[len(head)] != " ":
        head = head[: head.rindex(" ")]
    return head + mark


def plural(count: int, noun: str, many: str | None = None) -> str:
    """A count with its noun.

    >>> plural(2, "gull")
    '2 gulls'
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count} {many or noun + 's'}"


def mask(secret: str, keep: int = 2) -> str:
    """All but the last `keep` letters as stars; what is no longer than that is hidden altogether."""
    if len(secret) <= keep:
        return "*" * len(secret)
    return "*" * (len(secret) - keep) + secret[-keep:]


def indent(lines: list[str], by: int = 2) -> list[str]:
    """The lines, those that are not blank moved to the right."""
    return [" " * by + line if line.strip() else "" for line in lines]
