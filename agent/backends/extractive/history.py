"""What `git_history` has shown: commits with the text that was shown of them, and who changed lines last."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_CHANGED = re.compile(r"[+-](?!\s*$)")
_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")


@dataclass(frozen=True, slots=True)
class ShownCommit:
    """One commit as a tool showed it."""

    evidence: str
    sha: str
    date: str
    subject: str
    paths: tuple[str, ...]
    lines: tuple[str, ...]

    def runs(self) -> Iterator[tuple[int, int]]:
        """Runs of changed lines within the hunks, by line numbers."""
        first, in_hunk = 0, False
        for number, line in enumerate([*self.lines, ""], 1):
            in_hunk = (in_hunk and line[:1] in ("+", "-", " ", "\\")) or _HUNK.match(line) is not None
            changed = in_hunk and _CHANGED.match(line) is not None
            if changed and not first:
                first = number
            elif not changed and first:
                yield first, number - 1
                first = 0


@dataclass(frozen=True, slots=True)
class ShownHistory:
    """What one call of `git_history` showed."""

    arguments: Mapping[str, Any]
    commits: tuple[ShownCommit, ...]
    changed_by: Mapping[int, str]
    """Line → commit that changed it last, "" where it is not committed yet; empty where no lines were asked about."""


def history_of(arguments: Mapping[str, Any], result: Mapping[str, Any]) -> ShownHistory:
    """One result of the tool, read."""
    lines: Mapping[str, Any] = result.get("lines", {})
    changed_by: Mapping[str, str] = lines.get("changed_by", {})
    return ShownHistory(
        arguments,
        tuple(map(_commit, result.get("commits", ()))),
        {int(line): sha for line, sha in changed_by.items()},
    )


def _commit(entry: Mapping[str, Any]) -> ShownCommit:
    return ShownCommit(
        evidence=str(entry["id"]),
        sha=str(entry["sha"]),
        date=str(entry["date"]),
        subject=str(entry["subject"]),
        paths=tuple(entry.get("paths", ())),
        lines=tuple(str(entry.get("text", "")).split("\n")),
    )
