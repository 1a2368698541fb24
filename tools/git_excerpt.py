"""What is shown of a commit: its message, then its files with the lines changed, as many as there is room for.

The text is evidence: its lines are numbered from 1 on and cited by these numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tools.evidence import CommitShown
from tools.git_log import Commit
from tools.git_patch import FileChange
from tools.index.words import content_terms, terms

_MOST_FILES = 25


def shown_commit(commit: Commit, most_lines: int, words: str = "") -> CommitShown:
    """The commit as evidence; of a large one the files and hunks that hold `words` come first."""
    lines = [*commit.message.split("\n"), "", *_changes(commit, most_lines, frozenset(content_terms(words)))]
    text = "\n".join(lines).strip("\n")
    paths = tuple(change.path for change in commit.changes[:_MOST_FILES])
    return CommitShown(commit.sha, commit.subject, commit.date, text, commit.author, paths)


def _changes(commit: Commit, most_lines: int, wanted: frozenset[str]) -> Iterator[str]:
    if commit.is_edge:
        yield "[the clone is shallow and ends here: what this commit changed is not known]"
        return
    hunks = [(change, hunk) for change in commit.changes for hunk in _hunks(change.lines)]
    if wanted and sum(len(hunk) for _, hunk in hunks) > most_lines:
        hunks.sort(key=lambda one: -_held(wanted, one))
    left, shown = most_lines, dict[str, list[str]]()
    for change, hunk in hunks:
        if left > 0:
            shown.setdefault(change.heading, []).extend(hunk[:left])
            left -= len(hunk)
    for heading, lines in shown.items():
        yield heading
        yield from lines
    others = [change.heading for change in commit.changes if change.heading not in shown]
    yield from others[:_MOST_FILES]
    if len(others) > _MOST_FILES:
        yield f"[{len(others) - _MOST_FILES} more files]"
    if left < 0 or not commit.is_whole:
        yield "[more lines changed than are shown]"


def _hunks(lines: Sequence[str]) -> Iterator[list[str]]:
    hunk: list[str] = []
    for line in lines:
        if line.startswith("@@") and hunk:
            yield hunk
            hunk = []
        hunk.append(line)
    if hunk:
        yield hunk


def _held(wanted: frozenset[str], one: tuple[FileChange, Sequence[str]]) -> int:
    change, hunk = one
    changed = "\n".join(line for line in hunk if line[:1] in ("+", "-"))
    return len(wanted.intersection(terms(f"{change.path}\n{changed}")))
