"""One Python file, read and never imported: what its names stand for, its functions and classes.

Names are followed through `import` statements as text. A module is called what the project's own imports call it; the
path is asked only where nothing imports it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from tools.index.catalog import Catalog
from tools.workspace import Unreadable, Workspace

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Need: TypeAlias = tuple[str, str]
"""(module, name): what a test has to import."""
_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class PythonModule:
    """One file."""

    path: str
    name: str
    """As it is imported."""
    tree: ast.Module
    sha256: str = ""
    imported: Mapping[str, Need] = field(default_factory=dict[str, Need])
    """Name here → (module, its name there); "" for the module itself (`import math`)."""

    @cached_property
    def functions(self) -> dict[str, Function]:
        """Every function and method by its qualified name."""
        return dict(_functions(self.tree.body, ""))

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes at the top."""
        return {one.name: one for one in self.tree.body if isinstance(one, ast.ClassDef)}

    @cached_property
    def constants(self) -> dict[str, ast.expr]:
        """What is assigned to a name at the top."""
        found: dict[str, ast.expr] = {}
        for one in self.tree.body:
            if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
                found[one.targets[0].id] = one.value
            elif (
                isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and one.value is not None
            ):
                found[one.target.id] = one.value
        return found

    def need(self, name: str) -> Need | None:
        """What a test imports to have this name of the module; None for what is not known here."""
        if name in self.imported:
            return self.imported[name]
        if name in self.classes or name in self.functions or name in self.constants:
            return self.name, name
        return None


class PythonModules:
    """The Python files of a workspace."""

    def __init__(self, workspace: Workspace, catalog: Catalog) -> None:
        self._workspace = workspace
        self._catalog = catalog
        self._read: dict[str, PythonModule | None] = {}

    @cached_property
    def paths(self) -> frozenset[str]:
        """Every indexed Python file."""
        return frozenset(path for path, one in self._catalog.files().items() if one.language == "python")

    def read(self, path: str) -> PythonModule | None:
        """The file; None where it cannot be read or is no Python that this Python understands."""
        if path not in self._read:
            self._read[path] = self._parsed(path)
        return self._read[path]

    def named(self, module: str) -> PythonModule | None:
        """The file of a module, by the end of its path."""
        inside = module.replace(".", "/")
        ends = (f"{inside}.py", f"{inside}/__init__.py")
        fits = [path for path in self.paths if any(path == end or path.endswith(f"/{end}") for end in ends)]
        return self.read(min(fits, key=lambda path: (len(path), path))) if fits else None

    def name_of(self, path: str) -> str:
        """What a file is imported as: what most imports say, else what its folders say."""
        parts = module_parts(path)
        if not parts:
            return ""
        said = Counter(
            one.module
            for one in self._catalog.importers_of(".".join(parts))
            if not one.module.startswith(".") and _ends_with(parts, one.module.split("."))
        )
        return max(said, key=lambda name: (said[name], len(name))) if said else self._by_folders(path)

    def _by_folders(self, path: str) -> str:
        """From the folder above the outermost package: one with an `__init__.py`, or one that is no `src`."""
        folders = path.split("/")[:-1]
        first = len(folders)
        while first and "/".join((*folders[:first], "__init__.py")) in self.paths:
            first -= 1
        if first == len(folders):  # no package by its files: a namespace package, or a module on its own
            first = 1 if folders[:1] == ["src"] else 0
        return ".".join(module_parts(path)[first:])

    def _parsed(self, path: str) -> PythonModule | None:
        try:
            file = self._workspace.read(path, max_bytes=_MAX_BYTES)
        except Unreadable:
            return None
        tree = parsed("\n".join(file.lines))
        if tree is None:
            return None
        name = self.name_of(path)
        package = name if path.endswith("/__init__.py") else name.rpartition(".")[0]
        return PythonModule(path, name, tree, file.sha256, dict(_imports(tree, package)))


def parsed(source: str) -> ast.Module | None:
    """The syntax tree; None for what this Python cannot read."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def module_parts(path: str) -> list[str]:
    """`pkg/sub/__init__.py` → pkg, sub."""
    parts = path.removesuffix(".py").split("/")
    return parts[:-1] if parts[-1] == "__init__" else parts


def _ends_with(parts: Sequence[str], end: Sequence[str]) -> bool:
    return list(parts[-len(end) :]) == list(end)


def _functions(body: Sequence[ast.stmt], inside: str) -> Iterator[tuple[str, Function]]:
    for one in body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{inside}{one.name}", one
        elif isinstance(one, ast.ClassDef):
            yield from _functions(one.body, f"{inside}{one.name}.")


def _imports(tree: ast.Module, package: str) -> Iterator[tuple[str, Need]]:
    for one in ast.walk(tree):
        if isinstance(one, ast.Import):
            for alias in one.names:
                yield alias.asname or alias.name.split(".")[0], (alias.name, "")
        elif isinstance(one, ast.ImportFrom):
            module = absolute(one.module or "", one.level, package)
            for alias in one.names:
                yield alias.asname or alias.name, (module, alias.name)


def absolute(module: str, level: int, package: str) -> str:
    """A module as it is named from outside; `level`: how many dots stand before it."""
    if not level:
        return module
    parts = package.split(".") if package else []
    base = parts[: len(parts) - level + 1]
    return ".".join([*base, module] if module else base)
