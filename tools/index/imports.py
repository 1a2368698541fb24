"""Import statements of many languages → module as written, and the names that it brings.

No names means the module as a whole (`import os`, `#include "x.h"`); "*" means everything in it. An alias follows
the name it stands for: `from .store import open_store as opened` brings (open_store, opened).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

Brought: TypeAlias = tuple[str, tuple[str, ...]]

_QUOTED = re.compile(r"""["'`<]([^"'`<>\n]+)["'`>]""")
_C_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_WORDS = re.compile(r"[\w$]+|\*")
_MAX_USES = 200
"""A statement that brings more modules than this is not written by hand."""


def read_import(language: str, statement: str) -> list[Brought]:
    """The modules of one import statement, each with the names it brings."""
    reader = _READERS.get(language)
    return reader(statement[:8000]) if reader is not None else []


def _python(statement: str) -> list[Brought]:
    text = " ".join(re.sub(r"#[^\n]*|\\\n", "", statement).split())
    match = re.match(r"from ([\w.]*[\w.]) ?import (.*)", text)
    if match:
        return [(match[1], _listed(match[2].strip("() ,"), ","))]
    modules = text.removeprefix("import ").split(",")
    return [(module.split(" as ")[0].strip(), ()) for module in modules if module.strip()]


def _ecmascript(statement: str) -> list[Brought]:
    text = _C_COMMENT.sub("", statement) if "*/" in statement or "\n" in statement else statement
    quoted = _QUOTED.findall(text)
    if not quoted:
        return []
    head = re.split(r"\bfrom\b\s*[\"']|\brequire\s*\(|\bimport\s*\(|[\"'`]", text)[0]
    words = _WORDS.findall(re.sub(r"\b(?:import|export|const|let|var|type|typeof|await|as)\b", " ", head))
    return [(quoted[-1], _unique(words))]


def _rust(statement: str) -> list[Brought]:
    text = " ".join(_C_COMMENT.sub("", statement).split()).removesuffix(";")
    text = re.sub(r"^(?:pub(?:\([^)]*\))? )?(?:use|extern crate|mod) ", "", text)
    brought: dict[str, list[str]] = {}
    for path in _expanded(text):
        whole, _, alias = path.partition(" as ")
        module, _, name = whole.strip().rpartition("::")
        if name == "self":
            module, _, name = module.rpartition("::")
        names = brought.setdefault(module or name, [])
        if module:
            names.extend(part for part in (name, alias.strip()) if part and part != "_")
    return [(module, _unique(names)) for module, names in brought.items()]


def _expanded(tree: str) -> Iterator[str]:
    """`a::{b, c::{d, e}}` → a::b, a::c::d, a::c::e."""
    prefixes = [""]
    current = ""
    count = 0
    for piece in re.findall(r"[{},]|[^{},]+", tree):
        if piece == "{":
            prefixes.append(prefixes[-1] + current.strip())
            current = ""
        elif piece in ",}":
            if current.strip():
                yield prefixes[-1] + current.strip()
                count += 1
            current = ""
            if piece == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            current = piece
        if count > _MAX_USES:
            return
    if current.strip():
        yield prefixes[-1] + current.strip()


def _dotted(statement: str) -> list[Brought]:
    """Java and Kotlin: the last part is what is brought."""
    text = re.sub(r"^\s*import\s+(?:static\s+)?", "", statement.strip().rstrip(";"))
    whole, _, alias = text.partition(" as ")
    module, _, name = re.sub(r"\s", "", whole).rpartition(".")
    return [(module or name, _unique([name, alias.strip()]) if module else ())]


def _scala(statement: str) -> list[Brought]:
    brought: list[Brought] = []
    text = _C_COMMENT.sub("", statement).strip().removeprefix("import ")
    for clause in re.split(r",(?![^{]*\})", text):
        module, _, names = clause.strip().rpartition(".")
        listed = _listed(re.sub(r"\s*=>\s*", " as ", names.strip("{} \n")), ",")
        brought.append((module, tuple("*" if name == "_" else name for name in listed if name != "given")))
    return brought


def _php(statement: str) -> list[Brought]:
    quoted = _QUOTED.findall(statement)
    if not re.match(r"\s*use\b", statement):
        return [(quoted[0], ())] if quoted else []
    text = re.sub(r"^\s*use\s+(?:function\s+|const\s+)?", "", statement.strip().rstrip(";"))
    brought: list[Brought] = []
    for clause in re.split(r",(?![^{]*\})", text):
        if "{" in clause:
            module, _, names = clause.partition("{")
            brought.append((module.strip().strip("\\"), _listed(names.strip("} \n"), ",")))
            continue
        whole, _, alias = clause.strip().partition(" as ")
        module, _, name = whole.strip().strip("\\").rpartition("\\")
        brought.append((module or name, _unique([name, alias.strip()]) if module else ()))
    return brought


def _csharp(statement: str) -> list[Brought]:
    text = re.sub(r"^\s*(?:global\s+)?using\s+(?:static\s+|unsafe\s+)*", "", statement.strip().rstrip(";"))
    return [(text.rpartition("=")[2].strip(), ())]


def _swift(statement: str) -> list[Brought]:
    words = statement.split()
    kinds = {"struct", "class", "enum", "protocol", "func", "var", "let", "typealias"}
    if len(words) >= 2 and words[-2] in kinds:
        module, _, name = words[-1].rpartition(".")
        return [(module, (name,))]
    return [(words[-1], ())] if words else []


def _elixir(statement: str) -> list[Brought]:
    match = re.match(r"\s*(?:alias|import|use|require)\s+(\w+(?:\.\w+)*)(?:\.\{([^}]*)\})?", statement)
    return [(match[1], _listed(match[2] or "", ","))] if match else []


def _haskell(statement: str) -> list[Brought]:
    match = re.match(
        r"import\s+(?:safe\s+)?(?:qualified\s+)?([\w.]+)([^(]*)(?:\((.*)\))?", statement, re.DOTALL
    )
    if match is None:
        return []
    names = () if "hiding" in match[2] else tuple(_WORDS.findall(match[3] or ""))
    return [(match[1], names)]


def _quoted(statement: str) -> list[Brought]:
    """Whatever stands in quotes or angle brackets, as a whole."""
    return [(module, ()) for module in _QUOTED.findall(statement)[:1]]


def _go(statement: str) -> list[Brought]:
    name = statement.split('"')[0].split("`")[0].strip()
    return [(module, ("*",) if name == "." else names) for module, names in _quoted(statement)]


def _last_word(statement: str) -> list[Brought]:
    words = re.split(r"[\s(),]+", statement.strip().rstrip("); "))
    return [(words[-1].strip("\"'"), ())] if len(words) > 1 else []


def _second_word(statement: str) -> list[Brought]:
    return [(word.strip("\"'"), ()) for word in statement.split()[1:2]]


def _r(statement: str) -> list[Brought]:
    match = re.match(r"\w+\(\s*[\"']?([^\"'(),]+)", statement)
    return [(match[1].strip(), ())] if match else []


def _listed(names: str, separator: str) -> tuple[str, ...]:
    """`a, b as c` → a, b, c."""
    found: list[str] = []
    for part in names.split(separator):
        found.extend(word for word in _WORDS.findall(part) if word != "as")
    return _unique(found)


def _unique(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


_READERS: dict[str, Callable[[str], list[Brought]]] = {
    "python": _python,
    "javascript": _ecmascript,
    "typescript": _ecmascript,
    "tsx": _ecmascript,
    "go": _go,
    "rust": _rust,
    "java": _dotted,
    "kotlin": _dotted,
    "scala": _scala,
    "c": _quoted,
    "cpp": _quoted,
    "csharp": _csharp,
    "ruby": _quoted,
    "php": _php,
    "swift": _swift,
    "bash": _second_word,
    "lua": _quoted,
    "elixir": _elixir,
    "haskell": _haskell,
    "zig": _quoted,
    "dart": _quoted,
    "r": _r,
    "css": _quoted,
    "scss": _quoted,
    "proto": _quoted,
    "make": _last_word,
}
