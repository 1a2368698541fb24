"""Ignore files of one folder, in git's syntax: nested files, negation, folders that take everything in them along.

The files belong to the workspace, so they are untrusted: links are not followed, lines that are no pattern are
dropped, and so are patterns with so many stars that matching one name could take minutes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

from tools.text_decoding import split_lines
from tools.workspace import Unreadable, Workspace

_MAX_IGNORE_FILE_BYTES = 256 * 1024
_MAX_STARS = 4
_SINGLE_STARS = re.compile(r"(?<!\*)\*(?!\*)")


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """Patterns that hold for everything below `folder`."""

    folder: str
    spec: GitIgnoreSpec

    def verdict(self, path: str) -> bool | None:
        """True when ignored, False when a negation keeps it, None when no pattern speaks of it.

        A folder's path ends in "/". Folders above the path are not considered: the caller has been through them.
        """
        inside = path[len(self.folder) + 1 :] if self.folder else path
        return self.spec.check_file(inside).include


def parse_rules(folder: str, lines: Iterable[str]) -> IgnoreRules | None:
    """The rules that the lines hold, or None where they hold none."""
    usable = [line for line in lines if _is_usable(line)]
    return IgnoreRules(folder, GitIgnoreSpec.from_lines(usable)) if usable else None


def read_rules(workspace: Workspace, folder: str, names: Sequence[str]) -> list[IgnoreRules]:
    """The rules of a folder's ignore files, in the order of their names; later ones overrule earlier ones."""
    found: list[IgnoreRules] = []
    for name in names:
        try:
            data = workspace.read_bytes(
                f"{folder}/{name}" if folder else name, max_bytes=_MAX_IGNORE_FILE_BYTES
            )
        except Unreadable:
            continue
        rules = parse_rules(
            folder, split_lines(data.decode("utf-8", "surrogateescape").removeprefix("\ufeff"))
        )
        found += [rules] if rules else []
    return found


def is_ignored(path: str, rules: Sequence[IgnoreRules]) -> bool:
    """Whether rules, outermost first, ignore a path: the innermost that speaks of it decides."""
    for one in reversed(rules):
        verdict = one.verdict(path)
        if verdict is not None:
            return verdict
    return False


def _is_usable(line: str) -> bool:
    if not line.strip() or line.startswith("#"):
        return False
    if any(len(_SINGLE_STARS.findall(part)) > _MAX_STARS for part in line.split("/")):
        return False
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
