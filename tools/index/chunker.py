"""Source text → chunks, definitions, references, imports. Pure: the same path and text give the same result.

Every line belongs to exactly one chunk, in order, blank lines too; an empty text has no lines and no chunks. It
never raises for any text: what cannot be cut by syntax is cut at blank lines, and `note` says why. Lines are those
of `split_lines`: only `\n` ends one, so tree-sitter's rows are lines less one.
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.index.chunk import Kind, ParsedFile
from tools.index.config_blocks import settings
from tools.index.definitions import Scope, nest
from tools.index.embedded_blocks import parse_blocks
from tools.index.languages import PLAIN, Language, find_language, is_test_path
from tools.index.layout import Unit, lay_out
from tools.index.notebooks import parse_notebook
from tools.index.prose import blocks, sections
from tools.index.references import find_uses
from tools.index.statements import boundaries_of
from tools.index.tags import ParserTimedOut, find_tags
from tools.text_decoding import split_lines

VERSION = 1
"""Raised whenever another result for the same text is wanted: files of other versions are indexed again."""

MAX_LINE = 20_000
"""A file with a longer line is not written by hand; its syntax is not worth the time."""
_CLASS_KINDS = frozenset({"class", "interface", "enum", "type"})


def chunk_source(path: str, text: str) -> ParsedFile:
    """Take one file apart, by what its name (or its `#!` line) says it is."""
    lines = split_lines(text)
    language = find_language(path, lines[0] if lines else "")
    if language.style == "lines":
        return _by_lines(language, lines, "")
    longest = max(map(len, lines), default=0)
    if longest > MAX_LINE:
        return _by_lines(language, lines, f"a line of {longest} characters")
    try:
        return _by_style(language, path, lines)
    except ParserTimedOut:
        return _by_lines(language, lines, "the parser timed out")
    except (ValueError, RecursionError, MemoryError) as error:
        return _by_lines(language, lines, f"could not be parsed ({type(error).__name__})")


def chunk_by_lines(path: str, text: str, note: str) -> ParsedFile:
    """Take one file apart at blank lines, for whom parsing failed with `note`."""
    lines = split_lines(text)
    return _by_lines(find_language(path, lines[0] if lines else ""), lines, note)


def _by_lines(language: Language, lines: Sequence[str], note: str) -> ParsedFile:
    chunks = lay_out(lines, blocks(lines, language.gap_kind), gap_kind=language.gap_kind)
    return ParsedFile(language.name, tuple(chunks), note=note)
