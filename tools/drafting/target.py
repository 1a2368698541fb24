"""What is to be tested: functions of the workspace, by name, by file, or because they changed and no test calls them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from tools.errors import UserError
from tools.git import Repository
from tools.index.catalog import Catalog
from tools.index.records import StoredDefinition
from tools.near_paths import near_paths
from tools.show import show_name
from tools.text_decoding import split_lines
from tools.workspace import Unreadable, Workspace

_KINDS = ("function", "method")
_TESTABLE = (*_KINDS, "class")
_MAX_NAMED = 5
_MAX_BLOB_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Target:
    """One function, method or class of the workspace, as it was indexed."""

    path: str
    symbol: str
    qualified_name: str
    language: str
    first_line: int
    """Of its decorators, where it has any."""
    last_line: int
    signature: str = ""


class TargetUnknown(UserError):
    """There is no such thing to test, or more than one."""


def find_targets(catalog: Catalog, text: str) -> tuple[Target, ...]:
    """What a person means by `path:symbol`, `path`, a symbol or `Class.method`. Raises: TargetUnknown."""
    text = text.strip().removeprefix("./")
    path, colon, symbol = text.rpartition(":")
    files = catalog.files()
    if text in files:
        return _of_file(catalog, text)
    if colon and path.rstrip(":") in files:
        return (_in_file(catalog, path.rstrip(":"), symbol),)
    if (
        colon
        or "/" in text
        or PurePosixPath(text).suffix in {PurePosixPath(one).suffix for one in files} - {""}
    ):
        raise _unknown(
            text, f"there is no indexed file `{show_name(path or text)}`", near_paths(path or text, files)
        )
    return (_by_name(catalog, text),)


def changed_targets(
    workspace: Workspace, catalog: Catalog, repository: Repository, revision: str = "HEAD"
) -> tuple[Target, ...]:
    """Functions with lines that are not as in that revision, and that no test calls.

    Raises: NotARepository, where git fails; TargetUnknown, where there is no such revision.
    """
    commit = repository.commit_named(revision)
    if not commit:
        raise TargetUnknown(
            "the changes cannot be found",
            cause=f"there is no revision `{show_name(revision)}`",
            hint="name a branch, a tag or a commit",
        )
    files = catalog.files()
    changed = set(repository.changed_since(commit))
    found: list[Target] = []
    for path in sorted(changed & set(files)):
        if files[path].area != "tests":
            lines = _changed_lines(workspace, repository, commit, path)
            here = [one for one in catalog.definitions_in(path) if one.kind in _KINDS]
            found += [
                _target(one)
                for one in _outermost(here)
                if lines & set(range(one.first_line, one.last_line + 1)) and not _is_tested(catalog, one)
            ]
    return tuple(found)


def _of_file(catalog: Catalog, path: str) -> tuple[Target, ...]:
    found = [one for one in catalog.definitions_in(path) if one.kind in _KINDS]
    if not found:
        raise _unknown(path, f"no function is defined in `{show_name(path)}`", [])
    return tuple(map(_target, _outermost(found)))


def _in_file(catalog: Catalog, path: str, symbol: str) -> Target:
    here = [one for one in catalog.definitions_in(path) if one.kind in _TESTABLE]
    named = [one for one in here if one.qualified_name == symbol] or [
        one for one in here if _ends_with(one.qualified_name, symbol)
    ]
    if len(named) == 1:
        return _target(named[0])
    where = f"`{show_name(symbol)}` is defined {_times(len(named))} in `{show_name(path)}`"
    names = [one.qualified_name for one in named or here]
    raise _unknown(symbol, where, names if named else _alike(symbol, names))


def _by_name(catalog: Catalog, symbol: str) -> Target:
    found = [one for one in catalog.definitions(symbol) if one.kind in _TESTABLE and one.area != "tests"]
    if len(found) == 1:
        return _target(found[0])
    if found:
        places = [f"{one.path}:{one.qualified_name}" for one in found]
        raise _unknown(symbol, f"`{show_name(symbol)}` is defined {_times(len(found))}", places)
    last = symbol.rpartition(".")[2]
    near = [one.name for start in (last[:3], last[:1]) for one in catalog.names_starting(start, 200)]
    raise _unknown(symbol, f"no function or class is called `{show_name(symbol)}`", _alike(last, near))


def _unknown(text: str, cause: str, near: Sequence[str]) -> TargetUnknown:
    names = " or ".join(f"`{show_name(one)}`" for one in near[:_MAX_NAMED])
    hint = (
        f"did you mean {names}?"
        if names
        else "name a function, as `path:symbol` where its name is not the only one"
    )
    return TargetUnknown(f"it is not clear what `{show_name(text)}` is", cause=cause, hint=hint)


def _alike(name: str, names: Iterable[str]) -> list[str]:
    by_last = {one.rpartition(".")[2].lower(): one for one in names}
    close = difflib.get_close_matches(name.rpartition(".")[2].lower(), by_last, n=_MAX_NAMED, cutoff=0.6)
    return [by_last[one] for one in close]


def _times(count: int) -> str:
    return {0: "nowhere", 2: "twice"}.get(count, f"{count} times")


def _ends_with(qualified_name: str, symbol: str) -> bool:
    return qualified_name.endswith(f".{symbol}")


def _outermost(definitions: Iterable[StoredDefinition]) -> Iterator[StoredDefinition]:
    """Functions within functions are tested through these."""
    last = 0
    for one in sorted(definitions, key=lambda one: (one.first_line, -one.last_line)):
        if one.first_line > last:
            last = one.last_line
            yield one


def _target(one: StoredDefinition) -> Target:
    return Target(
        one.path, one.name, one.qualified_name, one.language, one.first_line, one.last_line, one.signature
    )


def _is_tested(catalog: Catalog, one: StoredDefinition) -> bool:
    return any(use.area == "tests" for use in catalog.references(one.name, ("call", "other")))


def _changed_lines(workspace: Workspace, repository: Repository, commit: str, path: str) -> set[int]:
    """Lines of a file that the revision does not hold so; beside a removed line, the one before it."""
    before = repository.blob(commit, path, _MAX_BLOB_BYTES) or b""
    try:
        after = workspace.read_bytes(path, max_bytes=_MAX_BLOB_BYTES)
    except Unreadable:
        return set()
    old, new = (split_lines(content.decode("utf-8", "replace")) for content in (before, after))
    changed: set[int] = set()
    for kind, _, _, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "delete":
            changed.add(max(first, 1))
        elif kind != "equal":
            changed |= set(range(first + 1, last + 1))
    return changed
