"""What stands above and at the head of a definition: comments, attributes, its signature, whether it is a test."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from tools.index.docstrings import from_attribute, from_comment, from_string
from tools.index.tags import Tag, Tags, last_row_of

MAX_SIGNATURE = 300

_TEST_MARK = re.compile(
    r"@(?:\w+\.)*\w*Test\b|#\[(?:\w+::)*test|\[(?:Fact|Theory|Test\w*)\b|@ParameterizedTest"
)
_TEST_NAME = re.compile(r"_*(?:[tT]est|[bB]ench)|(?:Fuzz|Example)(?:[A-Z_]|\Z)")
_LINE_COMMENT = re.compile(r"\s(?:#|//)\s[^\n]*")


@dataclass(frozen=True, slots=True)
class Above:
    """The lines right above a definition that belong to it."""

    top_row: int
    definition_row: int
    """The first row of attributes among them, else the definition's own."""
    docstring: str
    attributes: str


class Headers:
    """The heads of one source, to be asked about one definition at a time."""

    def __init__(self, tags: Tags, source: bytes) -> None:
        self._source = source
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

    def above(self, row: int) -> Above:
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
        return Above(top, definition_row, docstring, "\n".join(attributes))

    def description(self, tag: Tag) -> str:
        """A string that opens the definition itself (GraphQL), or ""."""
        if self._source[tag.start : tag.start + 1] != b'"' or tag.name_start == tag.start:
            return ""
        before = self._source[tag.start : tag.name_start].decode("utf-8", "replace")
        return from_string(before[: before.rfind('"') + 1])

    def signature(self, tag: Tag) -> str:
        """The header on one line: up to the body, or the line with the name."""
        start = tag.start
        line_start = self.row_start(tag.name_row)
        if self._source[start : start + 1] in (b"@", b"[", b"#", b'"') and start < line_start:
            start = line_start
        elif not re.search(rb"[{};]", self._source[self._line_start_of(start) : start]):
            start = self._line_start_of(start)
        if tag.body_start > start:
            end = tag.body_start
        elif self._ends_itself(tag, start):
            end = tag.end
        else:
            end = self._source.find(b"\n", tag.name_start)
        end = min(end if end >= 0 else len(self._source), start + 4 * MAX_SIGNATURE)
        return _one_line(self._source[start:end].decode("utf-8", "replace"))

    def _ends_itself(self, tag: Tag, start: int) -> bool:
        """Whether all of it is header: a prototype, or one of several definitions on a line."""
        is_one_of_several = start == tag.start and tag.first_row == tag.last_row
        return is_one_of_several or tag.kind.endswith(".inline") or tag.kind == "prototype"

    def _line_start_of(self, byte: int) -> int:
        return self._source.rfind(b"\n", 0, byte) + 1

    def marks_test(self, tag: Tag, name: str, above: Above, *, is_test: bool) -> bool:
        """Whether the definition is a test: by its name in a test file, or by its attribute anywhere."""
        if is_test and (_TEST_NAME.match(name) or name.lower().endswith("test")):
            return True
        head = self._source[tag.start : tag.name_start].decode("utf-8", "replace")[:400]
        return _TEST_MARK.search(above.attributes or head) is not None


def _one_line(header: str) -> str:
    text = " ".join(_LINE_COMMENT.sub("", header).split()).rstrip(",; ")
    for ending in ("{", "=>", "=", ":", " do"):
        text = text.removesuffix(ending).rstrip()
    return text if len(text) <= MAX_SIGNATURE else text[: MAX_SIGNATURE - 1] + "…"
