"""Which files of a workspace are candidates for the index, and why each other one is not.

Git's own list where there is one, else a walk. Then the same sieve for both: `.codewitnessignore` (git's syntax, at
the top of the workspace; it can only leave out), the person's own patterns, secret, binary and generated names,
links, size. No file is read here: what only content can tell, `content_skip` says once the file is read anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from tools.git import NotARepository, Repository, open_repository
from tools.index.chunk import Discovery, Skip
from tools.index.ignore_rules import IgnoreRules, parse_rules, read_rules
from tools.index.unwanted import content_skip, name_skip
from tools.index.walk import IGNORED, Stopped, Walk, left_out
from tools.workspace import Unreadable, Workspace

__all__ = ["MAX_FILE_BYTES", "OWN_IGNORE_FILE", "Stopped", "content_skip", "discover", "explain", "why_not"]

MAX_FILE_BYTES = 1024 * 1024
OWN_IGNORE_FILE = ".codewitnessignore"
_STOP_EVERY = 512


def discover(
    workspace: Workspace,
    *,
    max_file_bytes: int = MAX_FILE_BYTES,
    extra_ignores: Sequence[str] = (),
    stop: Callable[[], bool] = lambda: False,
) -> Discovery:
    """List the candidates, sorted, and what was left out.

    Raises: Stopped; Unreadable, where the workspace itself can no longer be listed.
    """
    sieve = _Sieve(workspace, max_file_bytes, extra_ignores)
    listing = _list(workspace, stop)
    skips = list(listing.skips)
    paths: list[str] = []
    for count, path in enumerate(sorted(listing.paths)):
        if count % _STOP_EVERY == 0 and stop():
            raise Stopped
        reason = sieve.reason(path)
        if reason:
            skips.append(Skip(path, _in_list(reason)))
        else:
            paths.append(path)
    return Discovery(
        paths=tuple(paths),
        skips=tuple(sorted(skips, key=lambda skip: skip.path)),
        listed_by=listing.by,
        ignored_folders=tuple(sorted(listing.ignored_folders)),
    )


def explain(
    workspace: Workspace,
    path: str,
    *,
    max_file_bytes: int = MAX_FILE_BYTES,
    extra_ignores: Sequence[str] = (),
) -> str:
    """One sentence: whether a file is indexed, and if not, why."""
    with suppress(Unreadable):
        path = workspace.normalise(path)
    reason = why_not(workspace, path, max_file_bytes=max_file_bytes, extra_ignores=extra_ignores)
    return f"`{path}` is not indexed: {reason}" if reason else f"`{path}` is indexed"


def why_not(
    workspace: Workspace,
    path: str,
    *,
    max_file_bytes: int = MAX_FILE_BYTES,
    extra_ignores: Sequence[str] = (),
) -> str:
    """Why a file is not indexed, or ""."""
    try:
        path = workspace.normalise(path)
        reason = _Sieve(workspace, max_file_bytes, extra_ignores).reason(path)
        reason = reason or _not_listed(workspace, path)
        return reason or content_skip(workspace.read(path, max_bytes=max_file_bytes))
    except Unreadable as problem:
        return problem.reason


@dataclass
class _Listing:
    """What git or the walk came up with."""

    by: str
    paths: list[str]
    skips: list[Skip] = field(default_factory=list[Skip])
    ignored_folders: list[str] = field(default_factory=list[str])


class _Sieve:
    """The rules that hold however the files were listed."""

    def __init__(self, workspace: Workspace, max_file_bytes: int, extra_ignores: Sequence[str]) -> None:
        self._workspace: Workspace = workspace
        self._max_file_bytes: int = max_file_bytes
        own = read_rules(workspace, "", [OWN_IGNORE_FILE])
        persons = parse_rules("", extra_ignores)
        self._excluding: list[tuple[IgnoreRules, str]] = [(rules, f"`{OWN_IGNORE_FILE}`") for rules in own]
        self._excluding += [(persons, "your settings")] if persons else []

    def reason(self, path: str) -> str:
        """Why a listed file is left out, or ""."""
        excluded = next((by for rules, by in self._excluding if rules.verdict(path)), "")
        if excluded:
            return f"excluded by {excluded}"
        return name_skip(path) or self._reason_on_disk(path)

    def _reason_on_disk(self, path: str) -> str:
        try:
            size = self._workspace.look(path).size
        except Unreadable as problem:
            return problem.reason
        return "too large" if size > self._max_file_bytes else ""


def _in_list(reason: str) -> str:
    """The reason as it is counted, for a path that git or the walk gave as a file's."""
    if reason.startswith("symlink"):
        return "symlink"
    return {"a folder": "submodule", "not found": "deleted, and still tracked"}.get(reason, reason)


def _list(workspace: Workspace, stop: Callable[[], bool]) -> _Listing:
    try:
        return _list_by_git(open_repository(workspace.root))
    except NotARepository as problem:
        walk = Walk(workspace, stop)
        walk.run()
        by = f"walk: {problem.reason}" if problem.reason else "walk"
        return _Listing(by, walk.paths, walk.skips, walk.ignored_folders)


def _list_by_git(repository: Repository) -> _Listing:
    listing = _Listing("git", [])
    for path in set(repository.ls_files()):  # a file in conflict is listed once for each side
        if path.endswith("/"):
            listing.skips.append(Skip(path.rstrip("/"), "nested repository"))
        else:
            listing.paths.append(path)
    for path in repository.ignored():
        if path.endswith("/"):
            listing.ignored_folders.append(path.rstrip("/"))
        else:
            listing.skips.append(Skip(path, IGNORED))
    return listing


def _not_listed(workspace: Workspace, path: str) -> str:
    try:
        is_listed = open_repository(workspace.root).lists(path)
    except NotARepository:
        return left_out(workspace, path)
    return "" if is_listed else "git ignores it, or it belongs to a repository of its own"
