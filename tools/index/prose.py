"""Documents → sections: Markdown, reStructuredText and AsciiDoc by headings, plain text by blank lines.

A section reaches to the next heading of any level; its qualified name holds the headings above it. A heading with
nothing below it joins the section that follows. `#` inside a code fence or a literal block is no heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.index.chunk import Definition, Kind
from tools.index.layout import Unit

MAX_TITLE = 120
PARAGRAPH_LINES = 40
"""Paragraphs without headings are gathered up to so many lines."""

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_ATX_END = re.compile(r"(?:\A|[ \t])#+\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
_NOT_SETEXT = re.compile(r" {0,3}(?:[-*+>|]|\d+[.)]|#|:|<|\||$)|\t| {4}")
_ADOC = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_ADOC_FENCE = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|/{4,}|\+{4,}|```+)\s*\Z")
_RST_RULE = re.compile(r"([=\-`:'\"~^_*+#<>.])\1{2,}[ \t]*\Z")

_LINK = re.compile(r"!?\[([^\]\[]{0,200})\]\([^()]{0,500}\)")
_MARKUP = re.compile(r"<[^<>]{0,200}>|[`*]|:\w+:(?=`)")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: the line its section begins on, and how deep it is (1 is the document's title)."""

    line: int
    level: int
    title: str


def sections(language: str, lines: Sequence[str]) -> tuple[list[Unit], list[Definition]]:
    """The units of a document, and its headings as definitions that reach to the next of their level."""
    headings = list(_headings(language, lines))
    if not headings:
        return blocks(lines, "documentation"), []
    units: list[Unit] = []
    definitions: list[Definition] = []
    for at, (heading, path) in enumerate(_with_paths(headings)):
        following = headings[at + 1].line if at + 1 < len(headings) else len(lines) + 1
        units.append(Unit(heading.line, following - 1, "documentation", heading.title, path))
        end = next(
            (later.line for later in headings[at + 1 :] if later.level <= heading.level), len(lines) + 1
        )
        if heading.title:
            definitions.append(
                Definition(heading.title, path, "heading", heading.line, end - 1, heading.title)
            )
    return _join_empty(units, lines), definitions


def blocks(lines: Sequence[str], kind: Kind, first: int = 1, last: int | None = None) -> list[Unit]:
    """Paragraphs, gathered until `PARAGRAPH_LINES` are full; the split ends each with its blank lines."""
    last = len(lines) if last is None else last
    units: list[Unit] = []
    start = first
    for line in range(first + 1, last + 1):
        begins = lines[line - 1].strip() and not lines[line - 2].strip()
        if begins and _paragraph_end(lines, line, last) - start >= PARAGRAPH_LINES:
            units.append(Unit(start, line - 1, kind))
            start = line
    if start <= last:
        units.append(Unit(start, last, kind))
    return units


def _paragraph_end(lines: Sequence[str], line: int, last: int) -> int:
    limit = min(last, line + PARAGRAPH_LINES)
    while line < limit and lines[line].strip():
        line += 1
    return line


def _with_paths(headings: Sequence[Heading]) -> Iterator[tuple[Heading, str]]:
    above: list[Heading] = []
    for heading in headings:
        above = [one for one in above if one.level < heading.level]
        above.append(heading)
        yield heading, ".".join(one.title for one in above if one.title)


def _join_empty(units: list[Unit], lines: Sequence[str]) -> list[Unit]:
    """A heading without text of its own begins the section below it."""
    joined: list[Unit] = []
    start: int | None = None
    for unit in units:
        first = unit.first if start is None else start
        body = [line for line in lines[unit.first : unit.last] if re.search(r"\w", line)]
        if not body and unit is not units[-1] and unit.last - first < PARAGRAPH_LINES:
            start = first
            continue
        unit.first, start = first, None
        joined.append(unit)
    return joined


def _headings(language: str, lines: Sequence[str]) -> Iterator[Heading]:
    if language == "markdown":
        return _markdown(lines)
    if language == "asciidoc":
        return _asciidoc(lines)
    if language == "rst":
        return _rst(lines)
    return iter(())


def _markdown(lines: Sequence[str]) -> Iterator[Heading]:
    fence = ""
    first = _after_front_matter(lines)
    for number in range(first, len(lines) + 1):
        line = lines[number - 1]
        mark = _FENCE.match(line)
        if mark is not None:
            fence = _toggled(fence, mark[1], line)
        elif not fence:
            atx = _ATX.match(line)
            if atx is not None:
                yield Heading(number, len(atx[1]), _title(_ATX_END.sub("", line[atx.end() : 1000].strip())))
            elif number > first and _SETEXT.match(line[:1000]) and _can_be_title(lines, number - 1):
                yield Heading(number - 1, 1 if "=" in line else 2, _title(lines[number - 2]))


def _toggled(fence: str, mark: str, line: str) -> str:
    """A fence is closed by one as long of the same letter, with nothing after it."""
    if not fence:
        return mark
    closes = mark[0] == fence[0] and len(mark) >= len(fence) and not line.strip().strip(mark[0])
    return "" if closes else fence


def _can_be_title(lines: Sequence[str], number: int) -> bool:
    line = lines[number - 1]
    alone = number == 1 or not lines[number - 2].strip()
    return alone and bool(line.strip()) and len(line) <= 200 and not _NOT_SETEXT.match(line)


def _after_front_matter(lines: Sequence[str]) -> int:
    if not lines or lines[0].strip() != "---":
        return 1
    end = next((at for at, line in enumerate(lines[1:200], 2) if line.strip() in ("---", "...")), 0)
    return end + 1


def _asciidoc(lines: Sequence[str]) -> Iterator[Heading]:
    fence = ""
    for number, line in enumerate(lines, 1):
        mark = _ADOC_FENCE.match(line[:200])
        if mark is not None:
            fence = "" if mark[1] == fence else fence or mark[1]
        elif not fence and (heading := _ADOC.match(line[:1000])):
            yield Heading(number, len(heading[1]), _title(heading[2]))


def _rst(lines: Sequence[str]) -> Iterator[Heading]:
    """A title is underlined, and may be overlined; styles rank in the order in which they are met."""
    styles: list[tuple[str, bool]] = []
    number = 2
    while number <= len(lines):
        rule, title = lines[number - 1], lines[number - 2]
        if not _is_rst_title(rule, title):
            number += 1
            continue
        over = number > 2 and lines[number - 3].rstrip() == rule.rstrip()
        style = (rule[0], over)
        if style not in styles:
            styles.append(style)
        yield Heading(number - 2 if over else number - 1, styles.index(style) + 1, _title(title))
        number += 2


def _is_rst_title(rule: str, title: str) -> bool:
    if not _RST_RULE.match(rule[:300]) or not title.strip() or _RST_RULE.match(title[:300]):
        return False
    indented = title[:1] in " \t" and title.strip()[:1] in ".:-*"
    return not indented and len(rule.rstrip()) >= min(len(title.strip()), 4)


def _title(text: str) -> str:
    bare = _MARKUP.sub("", _LINK.sub(r"\1", text[:1000]))
    return " ".join(bare.split())[:MAX_TITLE]
