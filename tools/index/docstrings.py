"""Comments and docstrings as people meant them: markers, indentation and orders to tools removed."""

from __future__ import annotations

import inspect
import re

MAX_CHARACTERS = 1000
_READ_CHARACTERS = 8000

_OPENER = re.compile(
    r"^\s*(?:/\*+!?|\*+/|///?!?|//!|#+!?'?|--+(?:\[+|[ ]?\|)?|;+|%+|\"{3}|'{3}|<!--|\{-+\|?)[ \t]?"
)
_CLOSERS = ("*/", "-->", "-}", '"""', "]]")
_STAR = re.compile(r"^\s*\*(?!/)[ \t]?")
_FOR_TOOLS = re.compile(
    r"""(?xi)\s*(?:
        noqa\b | type:\s*ignore | pylint: | pyright: | mypy: | ruff: | pragma: | fmt:\s*(?:on|off|skip) | isort:
        | eslint-?(?:disable|enable) | @ts-(?:ignore|expect-error|nocheck) | prettier-ignore | istanbul\b | biome-ignore
        | go:\w+ | \+build\b | nolint\b | nosec\b | clang-format | rubocop: | swiftlint: | shellcheck\b | coverage:
        | [-=*\#/~_+]{3,}\s*$ | \s*$ )"""
)
_PYTHON_STRING = re.compile(r"(?s)^[rRbBuUfF]*(\"{3}|'{3}|\"|')(.*?)\1?$")
_TAG = re.compile(r"</?(?:summary|remarks|para|p|c|code|see\w*|returns|param)\b[^>]*>")
_ELIXIR_DOC = re.compile(r"^\s*@(?:module|type)?doc\s+(?:~[sS])?")


def from_string(literal: str) -> str:
    """A docstring from its literal: `r\"\"\"Opens it.\"\"\"` → Opens it."""
    match = _PYTHON_STRING.match(literal.strip()[:_READ_CHARACTERS])
    return _cut(inspect.cleandoc(match[2])) if match else ""


def from_comment(comment: str) -> str:
    """The words of a comment block of any language: `/** Opens it. */`, `/// Opens it.`, `-- | Opens it.`"""
    block = comment.lstrip().startswith("/*")
    lines = [_without_markers(line, block) for line in comment[:_READ_CHARACTERS].split("\n")]
    kept = [line for line in lines if line == "" or not _FOR_TOOLS.match(line)]
    return _cut(inspect.cleandoc("\n".join(kept)))


def from_attribute(attribute: str) -> str:
    """The words of an attribute that documents (Elixir's `@doc`), else ""."""
    rest = _ELIXIR_DOC.sub("", attribute)
    return "" if rest == attribute else from_string(rest)


def _without_markers(line: str, block: bool) -> str:
    line = line.rstrip()
    for closer in _CLOSERS:
        if line.endswith(closer):
            line = line.removesuffix(closer).rstrip("*").rstrip()
    bare = _OPENER.sub("", line)
    if block and bare == line:
        bare = _STAR.sub("", line)
    return _TAG.sub("", bare).rstrip()


def _cut(text: str) -> str:
    text = text.strip()
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1].rstrip() + "…"
