"""Source text → chunks, definitions, references, imports. Pure: the same path and text give the same result.

Every line belongs to exactly one chunk, in order, blank lines too; an empty text has no lines and no chunks. It
never raises for any text: what cannot be cut by syntax is cut at blank lines, and `note` says why. Lines are those
of `split_lines`: only `\n` ends one, so tree-sitter's rows are lines less one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from tools.index.chunk import ParsedFile
from tools.index.config_blocks import settings
from tools.index.embedded_blocks import read_blocks
from tools.index.languages import Language, find_language, is_test_path
from tools.index.layout import lay_out
from tools.index.notebooks import read_notebook
from tools.index.prose import blocks, sections
from tools.index.syntax import Syntax, read_syntax
from tools.index.tags import NotParsed
from tools.text_decoding import split_lines

VERSION = 1
"""Raised whenever another result for the same text is wanted: files of other versions are indexed again."""

MAX_LINE = 20_000
"""A source with a longer line is not written by hand; its syntax is not worth the time. (Pictures in documents and
notebooks are such lines, and cost nothing.)"""


def chunk_source(path: str, text: str) -> ParsedFile:
    """Take one file apart, by what its name (or its `#!` line) says it is."""
    lines = split_lines(text)
    language = find_language(path, lines[0] if lines else "")
    if language.style == "lines":
        return _by_lines(language, lines, "")
    longest = max(map(len, lines), default=0)
    if longest > MAX_LINE and language.style in ("syntax", "blocks"):
        return _by_lines(language, lines, f"a line of {longest} characters")
    try:
        syntax = _read(language, path, lines)
    except NotParsed as reason:
        return _by_lines(language, lines, str(reason))
    if syntax is None:
        return _by_lines(language, lines, f"not a {language.name}")
    chunks = lay_out(
        lines,
        syntax.units,
        gap_kind=language.gap_kind,
        openings=syntax.openings,
        boundaries=syntax.boundaries,
    )
    return ParsedFile(
        language.name,
        tuple(chunks),
        tuple(syntax.definitions),
        tuple(syntax.references),
        tuple(syntax.imports),
    )


def chunk_by_lines(path: str, text: str, note: str) -> ParsedFile:
    """Take one file apart at blank lines, for whom parsing failed with `note`."""
    lines = split_lines(text)
    return _by_lines(find_language(path, lines[0] if lines else ""), lines, note)


def _read(language: Language, path: str, lines: Sequence[str]) -> Syntax | None:
    """What the file is made of, by its language's style; None where it is not what its name says."""
    is_test = is_test_path(path)
    match language.style:
        case "prose":
            units, headings = sections(language.name, lines)
            return Syntax(units, headings)
        case "config":
            units, keys = settings(language, lines)
            return Syntax(units, keys)
        case "blocks":
            return read_blocks(language.name, PurePosixPath(path).stem, lines, is_test=is_test)
        case "notebook":
            return read_notebook(language, lines, is_test=is_test)
        case _:
            return read_syntax(language, lines, is_test=is_test)


def _by_lines(language: Language, lines: Sequence[str], note: str) -> ParsedFile:
    chunks = lay_out(lines, blocks(lines, language.gap_kind), gap_kind=language.gap_kind)
    return ParsedFile(language.name, tuple(chunks), note=note)
