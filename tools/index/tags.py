"""Source text → tags: what the queries of `queries/` find in its syntax tree. The tree itself is dropped.

Conventions of a query file, in order of its patterns (the first that names a place wins):
- `@function @method @class @interface @enum @type @constant @variable @field @module @key` span a definition, with
  its `@name`, and where there are such a `@body` (the signature ends there) and a `@scope` (a Go receiver).
- `.inline` after these: a definition that never has a chunk of its own (a prototype, a member of an interface).
- `@impl` opens a scope that is no definition, `@test` and `@suite` are named by a string, `@wrapped` is a function
  inside a call and counts at module level only, like `@prototype`; `@macro` and `@type` have a chunk only when long;
  `@block` is a `@key` with a chunk of its own.
- `@outer` is what belongs to the next definition when that one fills it: decorators, `export`, `template <…>`.
- `@import` is a whole import statement, `@skip` a place whose names mean nothing; `_` begins a helper's name.
- After the line `;; references`: `@call` and `@name` may be locals (`@local` where they are bound), `.member` and
  `@member` never are; `@ignore`; `@comment` and `@attribute` lines belong to the definition right below.

tree-sitter counts bytes and rows from 0; whoever makes lines of them adds 1.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor, Tree
from tree_sitter_language_pack import get_language

from tools.index.languages import Language

PARSE_SECONDS = 5.0
"""Usual sources need milliseconds; what takes this long is built to."""
MAX_NAME = 200
_SMALL_TREE = 20_000
_SAMPLES = 64
_MAX_STEPS = 250_000_000
_READ_BYTES = 32_768
_REFERENCES = ";; references"
_SPECIAL = frozenset({"name", "body", "scope"})


class NotParsed(Exception):
    """The text is not worth more time; the message says why."""


@dataclass(slots=True)
class Tag:
    """A place that defines something."""

    kind: str
    """As captured, with `.inline`."""
    name: str
    scope: str
    start: int
    end: int
    first_row: int
    last_row: int
    outer_start: int
    """Byte where its `@outer` begins, else `start`."""
    name_start: int
    name_end: int
    name_row: int
    body_start: int
    """Byte where the body begins, or -1."""
    doc: str
    """The string that opens the body, where that is the language's docstring, with its quotes."""


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of the source."""

    start: int
    end: int
    first_row: int
    last_row: int


@dataclass(slots=True)
class Tags:
    """All that the queries found, each list in the order of the source."""

    tree: Tree
    definitions: list[Tag] = field(default_factory=list[Tag])
    outers: list[Place] = field(default_factory=list[Place])
    imports: list[Place] = field(default_factory=list[Place])
    skips: list[Place] = field(default_factory=list[Place])
    uses: dict[str, list[Node]] = field(default_factory=dict[str, list[Node]])
    """Capture name → nodes: call, call.member, member, name, local, ignore, comment, attribute."""


def source_of(lines: Sequence[str]) -> bytes:
    """What the parser reads: rows are lines less one; NULs, which end a source for it, are spaces."""
    return "\n".join(lines).replace("\0", " ").encode("utf-8", "replace")


def parse(language: Language, source: bytes, *, seconds: float = PARSE_SECONDS) -> Tree:
    """The syntax tree. Raises NotParsed."""
    deadline = time.monotonic() + seconds
    parser = Parser(_grammar(language.grammar))  # its own: after a timeout a parser would resume the old text
    try:
        return parser.parse(
            lambda offset, _: source[offset : offset + _READ_BYTES],
            encoding="utf8",
            progress_callback=lambda _offset, _error: time.monotonic() > deadline,
        )
    except ValueError as error:
        raise NotParsed("the parser timed out") from error


def find_tags(language: Language, source: bytes) -> Tags:
    """Parse and run the language's queries. Raises NotParsed."""
    definitions, references = _queries(language)
    tags = Tags(parse(language, source))
    root = tags.tree.root_node
    _refuse_costly(root)
    best: dict[int, tuple[int, Tag]] = {}
    for pattern, captures in QueryCursor(definitions).matches(root):
        _read_match(tags, best, pattern, captures, language, source)
    tags.definitions = sorted((tag for _, tag in best.values()), key=lambda tag: (tag.start, -tag.end))
    tags.uses = QueryCursor(references).captures(root)
    return tags


def _refuse_costly(root: Node) -> None:
    """Refuse a tree on which queries would take minutes, as far as samples of it tell.

    A query looks from each node to its next named sibling (4 ns a step), past all the brackets that a broken
    source leaves lying side by side, and climbs. It cannot be given a time limit: with a progress callback
    tree-sitter 0.26.1 crashes the process.
    """
    count = root.descendant_count
    if count < _SMALL_TREE:
        return
    cursor = root.walk()
    steps = 0
    for sample in range(_SAMPLES):
        cursor.goto_descendant(count * sample // _SAMPLES)
        steps += cursor.depth
        if cursor.goto_parent() and (parent := cursor.node) is not None:
            steps += max(0, parent.child_count - 2 * parent.named_child_count)
    if count * steps / _SAMPLES > _MAX_STEPS:
        raise NotParsed("too deeply nested")


def _read_match(
    tags: Tags,
    best: dict[int, tuple[int, Tag]],
    pattern: int,
    captures: dict[str, list[Node]],
    language: Language,
    source: bytes,
) -> None:
    """File one match; of two that name the same place the earlier pattern stays."""
    for capture, nodes in captures.items():
        if capture in _SPECIAL or capture.startswith("_"):
            continue
        if capture == "outer":
            tags.outers.extend(map(_place, nodes))
        elif capture == "import":
            tags.imports.extend(map(_place, nodes))
        elif capture == "skip":
            tags.skips.extend(map(_place, nodes))
        elif names := captures.get("name"):
            known = best.get(names[0].start_byte)
            if known is None or pattern < known[0]:
                tag = _tag(capture, nodes[0], names, captures, language, source)
                best[names[0].start_byte] = (pattern, tag)


def _place(node: Node) -> Place:
    return Place(node.start_byte, node.end_byte, node.start_point.row, last_row_of(node))


def _tag(
    kind: str,
    node: Node,
    names: list[Node],
    captures: dict[str, list[Node]],
    language: Language,
    source: bytes,
) -> Tag:
    scope = captures.get("scope")
    body = captures["body"][0] if "body" in captures else None
    end, last_row = node.end_byte, last_row_of(node)
    if body is not None and body.end_byte > end:  # Dart: the body is the signature's sibling
        end, last_row = body.end_byte, last_row_of(body)
    last_row -= (
        source.count(b"\n", len(source[:end].rstrip()), end - 1) if source[end - 1 : end].isspace() else 0
    )
    return Tag(
        kind=kind,
        name=".".join(_text(source, name) for name in names)[:MAX_NAME],
        scope=_text(source, scope[0]) if scope else "",
        start=node.start_byte,
        end=end,
        first_row=node.start_point.row,
        last_row=last_row,
        outer_start=node.start_byte,
        name_start=names[0].start_byte,
        name_end=names[0].end_byte,
        name_row=names[0].start_point.row,
        body_start=body.start_byte if body is not None else -1,
        doc=_opening_string(body, source) if language.name == "python" and body is not None else "",
    )


def _opening_string(body: Node, source: bytes) -> str:
    """A Python body's docstring as written, or ""."""
    first = next((child for child in body.named_children[:20] if child.type != "comment"), None)
    return _text(source, first) if first is not None and first.type.endswith("string") else ""


def last_row_of(node: Node) -> int:
    """The row of the node's last character; some nodes end after their newline, on a row that is not theirs."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point.row else row


def _text(source: bytes, node: Node) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


# Grammars and compiled queries never change while the program runs, and compiling one takes up to 20 ms.
@cache
def _grammar(name: str) -> Grammar:
    return get_language(name)  # pyright: ignore[reportArgumentType]


@cache
def _queries(language: Language) -> tuple[Query, Query]:
    """The language's query files, joined and compiled: definitions, references."""
    folder = resources.files("tools.index") / "queries"
    parts = [
        (folder / f"{name}.scm").read_text(encoding="utf-8").partition(_REFERENCES)
        for name in language.queries
    ]
    grammar = _grammar(language.grammar)
    definitions, references = ("\n".join(part[side] for part in parts) for side in (0, 2))
    return Query(grammar, definitions), Query(grammar, references)
