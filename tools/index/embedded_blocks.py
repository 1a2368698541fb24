"""Vue, Svelte and HTML files → their blocks: the scripts by their own syntax, templates and styles as they stand.

A script is parsed with every other line of the file blank, so that its rows are the file's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.index.chunk import Definition, Reference
from tools.index.languages import language_named
from tools.index.layout import Unit
from tools.index.syntax import Syntax, read_syntax

_OPENING = re.compile(r"<(script|template|style)\b([^<>]*)>", re.IGNORECASE)
_COMPONENT = re.compile(r"<([A-Z]\w+)")
_SCRIPT_LANGUAGE = re.compile(r"""(?:lang|type)\s*=\s*["'](?:text/|application/)?(\w+)["']""", re.IGNORECASE)
_SCRIPTS = {
    "": "javascript",
    "js": "javascript",
    "jsx": "javascript",
    "javascript": "javascript",
    "module": "javascript",
    "babel": "javascript",
    "ts": "typescript",
    "typescript": "typescript",
    "tsx": "tsx",
}


@dataclass(frozen=True, slots=True)
class _Block:
    tag: str
    attributes: str
    first: int
    last: int
    """The lines of the opening and the closing tag."""


def read_blocks(name: str, stem: str, lines: Sequence[str], *, is_test: bool) -> Syntax:
    """The parts of a file in the language `name`; a component is itself a definition, called `stem`."""
    whole = Syntax()
    is_component = name in ("vue", "svelte")
    if is_component and lines and stem.isidentifier():
        whole.definitions.append(Definition(stem, stem, "class", 1, len(lines), ""))
    for block in _blocks(lines, is_component=is_component):
        if block.tag == "script":
            _add_script(whole, block, lines, is_test=is_test)
        elif is_component:
            whole.units.append(Unit(block.first, block.last, "module", block.tag))
    if is_component:
        whole.references.extend(_components(lines, whole.units))
    return whole


def _blocks(lines: Sequence[str], *, is_component: bool) -> Iterator[_Block]:
    """Blocks in order; in a component only what begins at the margin is one."""
    number = 1
    while number <= len(lines):
        line = lines[number - 1]
        opening = _OPENING.match(line.lstrip() if not is_component else line)
        if opening is None:
            number += 1
            continue
        tag = opening[1].lower()
        last = _closing(lines, number, tag, at_margin=is_component)
        if tag == "script" or is_component:
            yield _Block(tag, opening[2], number, last)
            number = last + 1
        else:
            number += 1


def _closing(lines: Sequence[str], first: int, tag: str, *, at_margin: bool) -> int:
    end = f"</{tag}"
    if end in lines[first - 1].lower():
        return first
    for number in range(first + 1, len(lines) + 1):
        line = lines[number - 1].lower()
        if line.startswith(end) or (not at_margin and end in line):
            return number
    return len(lines)


def _add_script(whole: Syntax, block: _Block, lines: Sequence[str], *, is_test: bool) -> None:
    written = _SCRIPT_LANGUAGE.search(block.attributes)
    language = _SCRIPTS.get(written[1].lower() if written else "")
    if language is None or block.last - block.first < 2:
        return
    inside = range(block.first + 1, block.last)
    alone = [line if number in inside else "" for number, line in enumerate(lines, 1)]
    script = read_syntax(language_named(language), alone, is_test=is_test)
    whole.units.extend(script.units)
    whole.definitions.extend(script.definitions)
    whole.references.extend(script.references)
    whole.imports.extend(script.imports)
    whole.openings |= script.openings


def _components(lines: Sequence[str], units: Sequence[Unit]) -> Iterator[Reference]:
    """Components that the markup uses, once a line."""
    scripts = {
        number for unit in units if unit.symbol != "template" for number in range(unit.first, unit.last + 1)
    }
    for number, line in enumerate(lines, 1):
        if number not in scripts:
            for name in dict.fromkeys(_COMPONENT.findall(line)):
                yield Reference(name, number, "call")
