"""Tags → scopes: definitions nested as they are in the source, with qualified names, signatures and docstrings.

Names are joined by "." whatever the language: a Go method by its receiver's type, a Rust one by its `impl`'s, a
C++ one by namespace and class, `Cart.prototype.empty` by `Cart`. Packages and C# namespaces are left out: a file
declares them once, in words that no caller writes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from tree_sitter import Node

from tools.index.chunk import Definition
from tools.index.docstrings import from_attribute, from_comment, from_string
from tools.index.languages import Language
from tools.index.tags import Place, Tag, Tags, last_row_of

MAX_DEPTH = 40
"""Definitions nested deeper are left out: names grow with every level."""
MAX_SIGNATURE = 300
_LONG_ROWS = 3
"""From this many rows on a type alias or a macro has a chunk of its own."""

_CLASSES = frozenset({"class", "interface", "enum", "impl"})
_FUNCTIONS = frozenset({"function", "method", "test"})
_UNITS = frozenset({"function", "method", "class", "interface", "enum", "test", "block"})
_UNITS_WHEN_LONG = frozenset({"type", "macro"})
_MODULE_LEVEL_ONLY = frozenset({"variable", "constant", "wrapped", "prototype"})
_KINDS = {"wrapped": "function", "macro": "function", "prototype": "function", "block": "key"}
_NAMED_BY_TEXT = frozenset({"test", "suite", "key", "block"})

_PLAIN_NAME = re.compile(r"[\w$#?!=~]+\Z")
_GENERICS = re.compile(r"<[^<>]*>")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_OPERATOR = re.compile(r"(.*(?:::|^))(operator\W.*)", re.DOTALL)
_NO_SCOPES = frozenset({"", "prototype", "exports", "module", "this", "self", "window", "globalThis"})
_TEST_NAME = re.compile(r"(?i)test|bench|fuzz|example")
_TEST_MARK = re.compile(r"@(?:\w+\.)*\w*Test\b|#\[(?:\w+::)*test|\[(?:Fact|Theory|Test\w*)\b|@ParameterizedTest")


@dataclass(slots=True)
class Scope:
    """A definition, or what only gives its name to those inside (an `impl` block)."""

    kind: str
    """A definition's kind, or impl, suite."""
    name: str
    qualified_name: str
    start: int
    end: int
    first_row: int
    """Decorators and attributes included."""
    last_row: int
    top_row: int
    """The first row of the comment and attribute lines right above, else `first_row`."""
    signature: str
    docstring: str
    parent: Scope | None
    in_function: bool
    """Whether it is a function or lies in one: then nothing inside has a chunk of its own."""
    is_unit: bool
    """Whether it has a chunk of its own."""
    is_test: bool

    def definition(self) -> Definition:
        """The same as the index keeps it."""
        return Definition(
            self.name, self.qualified_name, self.kind, self.first_row + 1, self.last_row + 1, self.signature
        )


def nest(tags: Tags, language: Language, source: bytes, lines: list[str], *, is_test: bool) -> list[Scope]:
    """The scopes in the order of the source, parents before what they hold."""
    _adopt_outers(tags, source)
    notes = _Notes(tags, source, lines)
    scopes: list[Scope] = []
    open_scopes: list[Scope] = []
    for tag in tags.definitions:
        while open_scopes and open_scopes[-1].end <= tag.start:
            open_scopes.pop()
        if len(open_scopes) >= MAX_DEPTH:
            continue
        scope = _scope(tag, open_scopes[-1] if open_scopes else None, notes, is_test=is_test)
        if scope is not None:
            scopes.append(scope)
            open_scopes.append(scope)
    if language.name == "haskell":
        _join_equations(scopes)
    return scopes


def _adopt_outers(tags: Tags, source: bytes) -> None:
    """Give each definition that fills an `@outer` the outer's own beginning and end."""
    outers = sorted(tags.outers, key=lambda place: (place.start, -place.end))
    at = 0
    pending: Place | None = None
    for tag in tags.definitions:
        while at < len(outers) and outers[at].start <= tag.start:
            if pending is None or pending.end <= outers[at].start:
                pending = outers[at]
            at += 1
        if pending is None:
            continue
        if tag.end <= pending.end and not source[tag.end : pending.end].strip(b" \t\r\n;)"):
            tag.first_row, tag.last_row = pending.first_row, max(pending.last_row, tag.last_row)
            tag.outer_start, tag.end = pending.start, pending.end
            pending = None
        elif pending.start < tag.start:
            pending = None


def _scope(tag: Tag, parent: Scope | None, notes: _Notes, *, is_test: bool) -> Scope | None:
    """The scope of one tag, or None for what is local to a function."""
    kind, _, inline = tag.kind.partition(".")
    inside = parent is not None and parent.in_function
    if inside and kind in _MODULE_LEVEL_ONLY:
        return None
    unit = not inside and not inline and _has_chunk(kind, tag)
    final = _final_kind(kind, tag, parent)
    path, name = _names(tag, final)
    prefix = parent.qualified_name if parent is not None else ""
    qualified = ".".join(part for part in (prefix, *path, name) if part)
    above = notes.above(tag.first_row)
    return Scope(
        kind=final,
        name=name,
        qualified_name=qualified if final != "impl" else ".".join(part for part in (prefix, name) if part),
        start=tag.outer_start,
        end=tag.end,
        first_row=above.definition_row,
        last_row=tag.last_row,
        top_row=above.top_row,
        signature=notes.signature(tag, final),
        docstring=from_string(tag.doc) or notes.description(tag) or above.docstring,
        parent=parent,
        in_function=inside or final in _FUNCTIONS,
        is_unit=unit,
        is_test=final in _FUNCTIONS and (final == "test" or notes.marks_test(tag, name, above, is_test=is_test)),
    )


def _has_chunk(kind: str, tag: Tag) -> bool:
    if kind in _UNITS_WHEN_LONG:
        return tag.last_row - tag.first_row + 1 >= _LONG_ROWS
    return kind in _UNITS or kind == "wrapped"


def _final_kind(kind: str, tag: Tag, parent: Scope | None) -> str:
    """The kind that the index stores, by where the definition stands."""
    kind = _KINDS.get(kind, kind)
    in_class = parent is not None and parent.kind in _CLASSES
    if kind == "function" and (in_class or tag.scope):
        return "method"
    if kind == "function" and "::" in tag.name:
        return "method"
    if kind in ("variable", "constant") and in_class:
        kind = "field"
    if kind in ("variable", "field") and len(tag.name) > 1 and tag.name.isupper():
        return "constant"
    return kind


def _names(tag: Tag, kind: str) -> tuple[list[str], str]:
    """What the name says of its scopes, and the name itself."""
    if kind in _NAMED_BY_TEXT or tag.name[:1] in "[\"'`":
        return [], " ".join(tag.name.strip("\"'`: ").split())[:120]
    if _PLAIN_NAME.match(tag.name) and not tag.scope:
        return [], tag.name.lstrip(":")
    if kind == "impl":
        return [], _type_name(tag.name)
    operator = _OPERATOR.match(tag.name)
    written, name = (operator[1], operator[2]) if operator else (tag.name, "")
    parts = [part for part in re.split(r"::|->|[.:]", _without_generics(written)) if part not in _NO_SCOPES]
    if not name:
        name = parts.pop() if parts else tag.name
    scope = [_type_name(tag.scope)] if tag.scope else []
    return [*scope, *(part.strip() for part in parts)], name.strip()


def _without_generics(name: str) -> str:
    while (shorter := _GENERICS.sub("", name)) != name:
        name = shorter
    return name


def _type_name(written: str) -> str:
    """The bare name of a type: `*Engine`, `Pair[T]`, `fmt::Display<'a>` → Engine, Pair, Display."""
    base = _without_generics(written).split("[")[0].split("(")[0].rsplit("::", 1)[-1].rsplit(".", 1)[-1]
    found = _IDENTIFIER.findall(base) or _IDENTIFIER.findall(written)
    return found[-1] if found else written.strip()


def _join_equations(scopes: list[Scope]) -> None:
    """In Haskell a function's equations follow one another: one chunk for all of them."""
    for one, following in pairwise(list(scopes)):
        if one.qualified_name == following.qualified_name and following.top_row <= one.last_row + 1:
            following.top_row, following.first_row = one.top_row, one.first_row
            following.docstring = one.docstring or following.docstring
            one.is_unit = False
            scopes.remove(one)


@dataclass(frozen=True, slots=True)
class _Above:
    """The lines right above a definition that belong to it."""

    top_row: int
    definition_row: int
    """The first row of attributes among them, else the definition's own."""
    docstring: str
    attributes: str


class _Notes:
    """Comments, attributes and lines of one source, to be asked about one definition at a time."""

    def __init__(self, tags: Tags, source: bytes, lines: list[str]) -> None:
        self._source = source
        self._lines = lines
        self._row_starts = [0]
        for line_end in re.finditer(b"\n", source):
            self._row_starts.append(line_end.end())
        self._ending: dict[int, tuple[int, str, bool]] = {}
        for capture in ("comment", "attribute"):
            for node in tags.uses.pop(capture, ()):
                self._note(node, is_attribute=capture == "attribute")

    def _note(self, node: Node, *, is_attribute: bool) -> None:
        row = node.start_point.row
        start = node.start_byte
        if not self._source[self.row_start(row) : start].strip():
            text = self._source[start : node.end_byte].decode("utf-8", "replace")
            self._ending[last_row_of(node)] = (row, text, is_attribute)

    def row_start(self, row: int) -> int:
        """The byte at which a row begins."""
        return self._row_starts[row]

    def above(self, row: int) -> _Above:
        """What touches the definition that begins on `row`."""
        top = definition_row = row
        comments: list[str] = []
        attributes: list[str] = []
        while (noted := self._ending.get(top - 1)) is not None:
            top, text, is_attribute = noted
            if is_attribute:
                definition_row = top
            (attributes if is_attribute else comments).append(text)
        docs = [doc for text in attributes if (doc := from_attribute(text))]
        docstring = docs[0] if docs else from_comment("\n".join(reversed(comments))) if comments else ""
        return _Above(top, definition_row, docstring, "\n".join(attributes))

    def description(self, tag: Tag) -> str:
        """A string that opens the definition itself (GraphQL), or ""."""
        if self._source[tag.start : tag.start + 1] != b'"' or tag.name_start == tag.start:
            return ""
        before = self._source[tag.start : tag.name_start].decode("utf-8", "replace")
        return from_string(before[: before.rfind('"') + 1])

    def signature(self, tag: Tag, kind: str) -> str:
        """The header on one line: up to the body, or the line with the name."""
        start = tag.start
        line_start = self.row_start(tag.name_row)
        if self._source[start : start + 1] in (b"@", b"[", b"#", b'"') and start < line_start:
            start = line_start
        elif not re.search(rb"[{};]", self._source[self._line_start_of(start) : start]):
            start = self._line_start_of(start)
        if tag.body_start > start:
            end = tag.body_start
        elif kind in _FUNCTIONS:
            end = tag.end
        else:
            end = self._source.find(b"\n", tag.name_start)
        end = min(end if end >= 0 else len(self._source), start + 4 * MAX_SIGNATURE)
        return _one_line(self._source[start:end].decode("utf-8", "replace"))

    def _line_start_of(self, byte: int) -> int:
        return self._source.rfind(b"\n", 0, byte) + 1

    def marks_test(self, tag: Tag, name: str, above: _Above, *, is_test: bool) -> bool:
        """Whether the definition is a test: by its name in a test file, or by its attribute anywhere."""
        if is_test and (_TEST_NAME.match(name) or name.lower().endswith("test")):
            return True
        head = self._source[tag.start : tag.name_start].decode("utf-8", "replace")[:400]
        return _TEST_MARK.search(above.attributes or head) is not None


def _one_line(header: str) -> str:
    text = " ".join(header.split())
    for ending in ("{", "=>", "=", ":", " do"):
        text = text.removesuffix(ending).rstrip()
    return text if len(text) <= MAX_SIGNATURE else text[: MAX_SIGNATURE - 1] + "…"
