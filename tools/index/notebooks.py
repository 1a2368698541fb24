"""Jupyter notebooks → cells, at the real lines of the `.ipynb` file.

A cell's chunk holds its source as it stands in the file, quoted as JSON, with the few lines of JSON before it;
longer stretches between (outputs, metadata) are chunks of kind config. Code is parsed as one source in which each
line stands at its line of the file and all others are blank; the same for the headings of the text cells.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from tools.index.languages import Language, language_named
from tools.index.layout import Unit
from tools.index.prose import sections
from tools.index.syntax import Syntax, read_syntax
from tools.index.tags import parse, source_of

_JSON_BEFORE = 12
"""So many lines of JSON before a cell's source belong to its chunk."""


@dataclass(slots=True)
class _Cell:
    is_code: bool
    first: int
    last: int
    lines: list[tuple[int, str]]
    """What it says, by line of the file."""


def read_notebook(language: Language, lines: Sequence[str], *, is_test: bool) -> Syntax | None:
    """The parts of a notebook; None where the file is none. Raises NotParsed."""
    root = parse(language, source_of(lines)).root_node
    notebook = _pairs(root.named_children[0]) if root.named_children else {}
    cells = list(_cells(notebook.get("cells")))
    if not cells:
        return None
    code = language_named(_kernel_language(notebook.get("metadata")))
    alone = _masked(cells, len(lines), code=True)
    whole = read_syntax(code, alone, is_test=is_test) if code.style == "syntax" else Syntax()
    _, headings = sections("markdown", _masked(cells, len(lines), code=False))
    functions = whole.units
    whole.units = list(_units(cells, functions))
    for unit in whole.units:
        inside = [one for one in headings if unit.first <= one.first_line <= unit.last]
        if inside:
            unit.symbol, unit.qualified_name = inside[0].name, inside[0].qualified_name
    whole.definitions = sorted([*whole.definitions, *headings], key=lambda one: one.first_line)
    whole.boundaries = None
    return whole


def _units(cells: Sequence[_Cell], functions: Sequence[Unit]) -> Iterator[Unit]:
    done = 0
    for cell in cells:
        first = done + 1 if cell.first - done <= _JSON_BEFORE else cell.first
        unit = Unit(first, cell.last, "module" if cell.is_code else "documentation")
        unit.children = [one for one in functions if cell.first <= one.first and one.last <= cell.last]
        yield unit
        done = cell.last


def _masked(cells: Sequence[_Cell], count: int, *, code: bool) -> list[str]:
    masked = [""] * count
    for cell in cells:
        if cell.is_code == code:
            for number, line in cell.lines:
                is_magic = code and line.lstrip()[:1] in ("%", "!", "?")
                masked[number - 1] = "" if is_magic else line
    return masked


def _cells(array: Node | None) -> Iterator[_Cell]:
    for node in array.named_children if array is not None else ():
        cell = _pairs(node)
        source = cell.get("source")
        if source is None:
            continue
        pieces = source.named_children if source.type == "array" else [source]
        texts = [(piece.start_point.row + 1, _string(piece)) for piece in pieces if piece.type == "string"]
        yield _Cell(
            is_code=_string(cell.get("cell_type")) == "code",
            first=source.start_point.row + 1,
            last=source.end_point.row + 1,
            lines=[(number, text.rstrip("\n")) for number, text in texts if "\n" not in text.rstrip("\n")],
        )


def _kernel_language(metadata: Node | None) -> str:
    known = _pairs(metadata)
    written = _pairs(known.get("kernelspec")).get("language") or _pairs(known.get("language_info")).get(
        "name"
    )
    return _string(written).lower() or "python"


def _pairs(node: Node | None) -> dict[str, Node]:
    """The values of a JSON object by their keys."""
    found: dict[str, Node] = {}
    for pair in node.named_children if node is not None and node.type == "object" else ():
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None:
            found[_string(key)] = value
    return found


def _string(node: Node | None) -> str:
    """A JSON string's text, or "" for anything else."""
    if node is None or node.type != "string" or node.text is None:
        return ""
    try:
        return json.loads(node.text.decode("utf-8", "replace"), strict=False)
    except ValueError:
        return ""
