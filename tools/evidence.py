"""Evidence: what a tool showed in this run: exact lines, a test run, or a commit.

Lines are 1-based and inclusive at both ends; only `\n` ends a line. Paths are POSIX, relative to the workspace
root. `sha256` is of the whole file's raw bytes when read, so a later check can tell "cited wrongly" from
"edited since". Evidence has no id of its own: the run's ledger (`agent/transcript.py`) numbers it E1, E2, …
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class LinesShown:
    """Lines `first_line` to `last_line` of one file, as they were when a tool read them."""

    path: str
    first_line: int
    last_line: int
    text: str
    """The lines joined by `\n`, without a final one; secrets are already masked."""
    sha256: str
    """Hex digest of the file's raw bytes."""
    symbol: str = ""
    """Qualified name of the innermost definition that encloses the first line, or ""."""
    header: str = ""
    """That definition's own first lines (its signature, and those of the classes around it), or ""."""
    header_until: int = 0
    """Last line of that definition: `symbol` and `header` say nothing of lines below it."""
    kind: str = ""
    """The chunk kind (function, method, class, documentation, config, test…), or "" when it is not known."""

    def lines(self) -> list[str]:
        """The text line by line; `len` is `last_line - first_line + 1`."""
        return self.text.split("\n")


@dataclass(frozen=True, slots=True)
class TestRun:
    """One isolated run of tests, as reported by the test process."""

    __test__ = False  # not a test class, whatever pytest thinks of its name

    command: str
    verdict: str
    """passed, failed or incomplete."""
    duration_seconds: float
    tree_sha256: str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class CommitShown:
    """One commit of the workspace's history. It never goes stale: its id is the hash of what it says."""

    sha: str
    subject: str
    date: str
    """ISO 8601, the author's date."""
    text: str = ""
    """What was shown of it: its message, then its files with the lines changed; masked. Its lines are cited from 1 on."""
    author: str = ""
    paths: tuple[str, ...] = ()
    """The files that it changed, as far as they were shown."""

    def lines(self) -> list[str]:
        """The text line by line."""
        return self.text.split("\n") if self.text else []


Evidence: TypeAlias = LinesShown | TestRun | CommitShown
