"""Tags → scopes: definitions nested as they are in the source, with qualified names, signatures and docstrings.

Names are joined by "." whatever the language: a Go method by its receiver's type, a Rust one by its `impl`'s, a
C++ one by namespace and class, `Cart.prototype.empty` by `Cart`. Packages and C# namespaces are left out: a file
declares them once, in words that no caller writes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from tools.index.chunk import Definition
from tools.index.docstrings import from_string
from tools.index.headers import Headers
from tools.index.languages import Language
from tools.index.tags import Place, Tag, Tags

MAX_DEPTH = 40
"""Definitions nested deeper are left out: names grow with every level."""
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
_TYPE_WORDS = re.compile(r"&\s*(?:'\w+)?|\b(?:mut|dyn|const|impl|ref)\b")
_OPERATOR = re.compile(r"(.*(?:::|^))(operator\W.*)", re.DOTALL)
_NO_SCOPES = frozenset({"", "prototype", "exports", "module", "this", "self", "window", "globalThis"})


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
    name_row: int
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


def nest(tags: Tags, language: Language, source: bytes, *, is_test: bool) -> list[Scope]:
    """The scopes in the order of the source, parents before what they hold."""
    _adopt_outers(tags, source)
    headers = Headers(tags, source)
    scopes: list[Scope] = []
    around: list[tuple[Tag, Scope]] = []
    for tag in tags.definitions:
        while around and not _holds(around[-1][0], tag):
            around.pop()
        if len(around) >= MAX_DEPTH:
            continue
        scope = _scope(tag, around[-1][1] if around else None, headers, is_test=is_test)
        if scope is not None:
            scopes.append(scope)
            around.append((tag, scope))
    if language.name == "haskell":
        _join_equations(scopes)
    return scopes


def _holds(one: Tag, inner: Tag) -> bool:
    """Whether `inner`, which begins no earlier, lies in `one`; two names of one statement lie side by side."""
    return inner.start < one.end and (one.start, one.end) != (inner.start, inner.end)


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


def _scope(tag: Tag, parent: Scope | None, headers: Headers, *, is_test: bool) -> Scope | None:
    """The scope of one tag, or None for what is local to a function."""
    kind, _, inline = tag.kind.partition(".")
    inside = parent is not None and parent.in_function
    if inside and kind in _MODULE_LEVEL_ONLY:
        return None
    unit = not inside and not inline and _has_chunk(kind, tag)
    path, name = _names(tag, kind)
    final = _final_kind(kind, name, path, parent)
    prefix = _prefix(final, parent)
    qualified = ".".join(part for part in (prefix, *path, name) if part)
    above = headers.above(tag.first_row)
    return Scope(
        kind=final,
        name=name,
        qualified_name=qualified if final != "impl" else ".".join(part for part in (prefix, name) if part),
        start=tag.outer_start,
        end=tag.end,
        first_row=above.definition_row,
        last_row=tag.last_row,
        name_row=tag.name_row,
        top_row=above.top_row,
        signature=headers.signature(tag),
        docstring=from_string(tag.doc) or headers.description(tag) or above.docstring,
        parent=parent,
        in_function=inside or final in _FUNCTIONS,
        is_unit=unit,
        is_test=final in _FUNCTIONS
        and (final == "test" or headers.marks_test(tag, name, above, is_test=is_test)),
    )


def _prefix(kind: str, parent: Scope | None) -> str:
    """The qualified name around; a field that a constructor's parameter declares belongs to the class."""
    if kind == "field" and parent is not None and parent.kind in _FUNCTIONS:
        parent = parent.parent
    return parent.qualified_name if parent is not None else ""


def _has_chunk(kind: str, tag: Tag) -> bool:
    if kind in _UNITS_WHEN_LONG:
        return tag.last_row - tag.first_row + 1 >= _LONG_ROWS
    return kind in _UNITS or kind == "wrapped"


def _final_kind(kind: str, name: str, path: list[str], parent: Scope | None) -> str:
    """The kind that the index stores, by where the definition stands."""
    kind = _KINDS.get(kind, kind)
    in_class = parent is not None and parent.kind in _CLASSES
    if kind == "function" and (in_class or path):
        return "method"
    if kind == "method" and parent is None and not path:
        return "function"  # Ruby's `def` outside of any class
    if kind in ("variable", "constant") and in_class:
        kind = "field"
    if kind in ("variable", "field") and len(name) > 1 and name.isupper():
        return "constant"
    return kind


def _names(tag: Tag, kind: str) -> tuple[list[str], str]:
    """What the name says of its scopes, and the name itself."""
    if kind in _NAMED_BY_TEXT or tag.name[:1] in "[\"'`":
        return [], " ".join(tag.name.strip("\"'`: ").split())[:120] or kind
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
    written = _TYPE_WORDS.sub(" ", written)
    base = _without_generics(written).split("[")[0].split("(")[0].rsplit("::", 1)[-1].rsplit(".", 1)[-1]
    found = _IDENTIFIER.findall(base) or _IDENTIFIER.findall(written)
    return found[-1] if found else written.strip()


def _join_equations(scopes: list[Scope]) -> None:
    """In Haskell a function's equations follow one another: one chunk for all of them."""
    for one, following in pairwise(list(scopes)):
        if one.qualified_name == following.qualified_name and following.top_row <= one.last_row + 1:
            following.top_row, following.first_row = one.top_row, one.first_row
            following.docstring = one.docstring or following.docstring
            following.signature = one.signature
            one.is_unit = False
            scopes.remove(one)
