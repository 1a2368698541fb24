"""Settings files → blocks by their top-level keys: YAML, JSON, TOML, INI and `.env`.

A key whose value takes some lines has a chunk of its own; short ones are gathered. Keys are definitions down to
the third level, as long as a file does not have too many to be written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tools.index.chunk import Definition
from tools.index.languages import Language
from tools.index.layout import Unit
from tools.index.tags import Tag, find_tags, source_of

MAX_KEYS = 1000
"""A file with more keys is data: none of them is kept."""
MAX_KEY_DEPTH = 3
_OWN_CHUNK_LINES = 5
_GATHERED_LINES = 40
_MAX_NAME = 120
_READ_CHARACTERS = 200
"""Of a line: a key stands at its beginning."""

_YAML_KEY = re.compile(
    r"""( *(?:- +)*)("[^"\n]+"|'[^'\n]+'|[^\s#&*!|>%@`"'\[\]{},?:-][^\n#]*?|-[^\s-][^\n#]*?) *:(?=\s|\Z)"""
)
_YAML_BLOCK_TEXT = re.compile(r":\s+(?:[&!]\S+\s+)?[|>][+\-\d]*\s*(?:#.*)?\Z")
_INI_SECTION = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:[#;].*)?\Z")
_INI_KEY = re.compile(r"(?:export\s+)?([A-Za-z_][\w.\-:/ ]*?)\s*[=:]")


@dataclass(frozen=True, slots=True)
class _Key:
    name: str
    path: str
    depth: int
    """1 at the top."""
    first: int
    last: int


def settings(language: Language, lines: Sequence[str]) -> tuple[list[Unit], list[Definition]]:
    """The units of a settings file, and its keys as definitions. Raises NotParsed."""
    if language.name == "yaml":
        keys = _with_ends(list(_yaml_keys(lines)), lines)
    elif language.name == "ini":
        keys = _with_ends(list(_ini_keys(lines)), lines)
    else:
        keys = list(
            _tree_keys(find_tags(language, source_of(lines)).definitions, is_toml=language.name == "toml")
        )
    definitions = [
        Definition(key.name, key.path, "key", key.first, key.last, lines[key.first - 1].strip()[:_MAX_NAME])
        for key in keys
        if key.name and key.depth <= MAX_KEY_DEPTH
    ]
    units = _gathered([key for key in keys if key.depth == 1], lines)
    return units, definitions if len(definitions) <= MAX_KEYS else []


def _gathered(keys: Sequence[_Key], lines: Sequence[str]) -> list[Unit]:
    """One unit for each long key, one for each run of short ones."""
    units: list[Unit] = []
    run: list[_Key] = []

    def close_run() -> None:
        if run:
            named = run[0] if len(run) == 1 else None
            first, last = _with_comments(run[0].first, lines, units), run[-1].last
            units.append(
                Unit(first, last, "config", named.name if named else "", named.path if named else "")
            )
            run.clear()

    for key in keys:
        is_long = key.last - key.first + 1 >= _OWN_CHUNK_LINES
        if is_long or (run and key.last - run[0].first >= _GATHERED_LINES):
            close_run()
        run.append(key)
        if is_long:
            close_run()
    close_run()
    return units


def _with_comments(line: int, lines: Sequence[str], units: Sequence[Unit]) -> int:
    """The first of the comment lines right above."""
    limit = units[-1].last + 1 if units else 1
    while line > limit and lines[line - 2].lstrip()[:1] in ("#", ";") and lines[line - 2].strip():
        line -= 1
    return line


def _yaml_keys(lines: Sequence[str]) -> Iterator[_Key]:
    """Keys by their indentation; what stands in a block text (`run: |`) is none, what stands in a list is too deep."""
    parents: list[tuple[float, str]] = []
    text_indent: int | None = None
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip() or (text_indent is not None and indent > text_indent):
            continue
        text_indent = None
        if line.startswith(("---", "...")):
            parents = []
            continue
        match = _YAML_KEY.match(line[:_READ_CHARACTERS])
        if match is None:
            continue
        if _YAML_BLOCK_TEXT.search(line[-_READ_CHARACTERS:]):
            text_indent = indent
        column = len(match[1])
        if "-" in match[1]:
            parents = [parent for parent in parents if parent[0] <= indent]
            parents.append(
                (indent + 0.5, "")
            )  # the list: below its key, which may stand at the dash's own column
        parents = [parent for parent in parents if parent[0] < column]
        name = match[2].strip("\"' ")[:_MAX_NAME]
        path = ".".join([*(above for _, above in parents if above), name])
        in_list = any(not above for _, above in parents) or (column > 0 and not parents)
        depth = len(parents) + 1 + (MAX_KEY_DEPTH if in_list else 0)
        parents.append((column, name))
        yield _Key(name, path, depth, number, number)


def _ini_keys(lines: Sequence[str]) -> Iterator[_Key]:
    section = ""
    for number, line in enumerate(lines, 1):
        if line[:1] in "#;!" or not line.strip():
            continue
        head = _INI_SECTION.match(line[:_READ_CHARACTERS])
        if head is not None:
            section = head[1].strip()[:_MAX_NAME]
            yield _Key(section, section, 1, number, number)
        elif (key := _INI_KEY.match(line[:_READ_CHARACTERS])) is not None:
            path = f"{section}.{key[1]}" if section else key[1]
            yield _Key(key[1], path, 2 if section else 1, number, number)


def _with_ends(keys: Sequence[_Key], lines: Sequence[str]) -> list[_Key]:
    """Each key reaches to the next one that is not below it, without the blank lines and comments before that."""
    ended: list[_Key] = []
    open_keys: list[_Key] = []
    last = 0
    for key in (*keys, _Key("", "", 0, len(lines) + 1, 0)):
        last = key.first - 1
        while open_keys and last > open_keys[-1].first and lines[last - 1].lstrip()[:1] in ("", "#", ";"):
            last -= 1
        while open_keys and open_keys[-1].depth >= key.depth:
            ended.append(replace(open_keys.pop(), last=last))
        open_keys.append(key)
    return sorted(ended, key=lambda key: key.first)


def _tree_keys(tags: Sequence[Tag], *, is_toml: bool) -> Iterator[_Key]:
    """JSON's and TOML's keys, from the syntax tree; a TOML table is a top-level key whatever its dots."""
    parents: list[tuple[int, str]] = []
    for tag in tags:
        parents = [(end, name) for end, name in parents if tag.start < end]
        name = tag.name.strip("\"'")[:_MAX_NAME]
        path = ".".join([*(above for _, above in parents), name][-MAX_KEY_DEPTH - 1 :])
        last = tag.last_row + 1
        yield _Key(
            name.rsplit(".", 1)[-1] if is_toml else name, path, len(parents) + 1, tag.first_row + 1, last
        )
        parents.append((tag.end, name))
