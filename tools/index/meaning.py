"""Which of several definitions of one name a use of it means, as far as imports and folders tell.

Names are matched, types are not known: the receiver of `x.close()` stays open unless the file says more. So the
verdict has three values, and whoever shows it says which uses were matched by name only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal, TypeAlias

from tools.index.chunk import Import
from tools.index.module_names import module_of_path, module_parts, same_module
from tools.index.records import StoredDefinition

Verdict: TypeAlias = Literal["this", "another", "unknown"]

_TITLES = frozenset({"test", "heading", "key"})


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a name."""

    path: str
    enclosing: str
    """Qualified name of the definition around it, or ""."""


def names_of_code(definitions: Iterable[StoredDefinition]) -> list[StoredDefinition]:
    """Without titles of tests, headings and configuration keys: they share words with code, nothing uses them."""
    return [one for one in definitions if one.kind not in _TITLES]


def parent_of(qualified_name: str) -> str:
    """The qualified name of the class or function around, or ""."""
    return qualified_name.rpartition(".")[0]


def means(
    use: Use, target: StoredDefinition, rivals: Sequence[StoredDefinition], imports: Sequence[Import]
) -> Verdict:
    """Whether `use` is of `target` and not of one of its `rivals`, the other definitions of the name.

    The nearest statement decides: the same file, then what the file imports, then the same folder.
    """
    in_file = [one for one in (target, *rivals) if one.path == use.path]
    if in_file:
        return _among_own(use, target, in_file)
    imported = _imported(use, target, rivals, imports)
    if imported != "unknown":
        return imported
    folder = PurePosixPath(use.path).parent
    in_folder = [one for one in (target, *rivals) if PurePosixPath(one.path).parent == folder]
    if in_folder == [target] and PurePosixPath(use.path).suffix == ".go":
        return "this"  # a Go package is a folder: its files see each other's names without an import
    return "unknown"


def _among_own(use: Use, target: StoredDefinition, in_file: Sequence[StoredDefinition]) -> Verdict:
    """The file itself defines the name: once, or in several classes of which the use's own goes first."""
    if len(in_file) == 1:
        return "this" if in_file[0] is target else "another"
    own = [
        one
        for one in in_file
        if parent_of(one.qualified_name) and _inside(use.enclosing, parent_of(one.qualified_name))
    ]
    if len(own) == 1:
        return "this" if own[0] is target else "another"
    return "unknown" if target.path == use.path else "another"


def _inside(qualified_name: str, parent: str) -> bool:
    return qualified_name == parent or qualified_name.startswith(f"{parent}.")


def _imported(
    use: Use, target: StoredDefinition, rivals: Sequence[StoredDefinition], imports: Sequence[Import]
) -> Verdict:
    """What the file's imports say: by the name itself, by its class, or by its whole module."""
    named = [one for one in (target, *rivals) if any(_brings(each, one, use.path) for each in imports)]
    if target in named:
        return "this" if len(named) == 1 else "unknown"
    return "another" if named else "unknown"


def _brings(one: Import, definition: StoredDefinition, importer: str) -> bool:
    """The import brings the definition itself, a class around it, or all of its module."""
    whole = not one.names or "*" in one.names
    if whole or not set(one.names).isdisjoint(definition.qualified_name.split(".")):
        return module_names(one.module, importer, definition.path)
    if one.module.startswith(("./", "../")):
        return False
    dot = "" if one.module.endswith(".") else "."
    return any(module_names(f"{one.module}{dot}{name}", importer, definition.path) for name in one.names)


def module_names(module: str, importer: str, path: str) -> bool:
    """Whether `module`, as written in the file `importer`, can be the file `path` or the package it lies in."""
    file = module_of_path(path)
    folder = list(PurePosixPath(path).parent.parts)
    if module.startswith("."):
        return _resolved(module, importer) in (file, folder)
    parts = module_parts(module)
    if len(parts) <= len(file):
        return same_module(parts, file) or (len(parts) <= len(folder) and same_module(parts, folder))
    return same_module(parts, folder)


def _resolved(module: str, importer: str) -> list[str]:
    """The parts of a relative module, counted from the workspace: `..util.text`, `../lib/util.js`."""
    folder = list(PurePosixPath(importer).parent.parts)
    dots = len(module) - len(module.lstrip("."))
    if "/" not in module[:3]:  # Python: one dot is the folder itself, each further one a folder up
        return [*folder[: len(folder) - dots + 1], *module_parts(module)]
    for part in module.split("/"):
        if part == "..":
            folder = folder[:-1]
    relative = [part for part in module.split("/") if part not in ("", ".", "..")]
    return module_of_path("/".join([*folder, *relative])) if relative else folder
