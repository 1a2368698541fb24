"""Claims about commits: by id, date and subject, and by the lines that a commit changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from agent.backends.extractive.history import ShownCommit, ShownHistory
from agent.backends.extractive.sentences import DraftedClaim, code, quoted
from agent.phrases import Phrases

MAX_COMMITS = 4
MAX_PATHS = 3
_SHOWN_ID = 10
_MOST_LINES = 6


def commit_claims(
    histories: Sequence[ShownHistory], wanted: Collection[str], phrases: Phrases
) -> Iterator[DraftedClaim]:
    """The newest commits, each with the changed lines that hold most of the `wanted` words."""
    commits = {one.sha: one for history in histories for one in history.commits}
    newest = sorted(commits.values(), key=lambda one: one.date, reverse=True)
    for commit in newest[:MAX_COMMITS]:
        paths = phrases.joined([code(path) for path in commit.paths[:MAX_PATHS]])
        yield commit_claim(
            "changed_in" if paths else "changed", commit, changed_lines(commit, wanted), phrases, paths=paths
        )


def commit_claim(
    phrase: str, commit: ShownCommit, lines: tuple[int, int] | None, phrases: Phrases, **parts: str
) -> DraftedClaim:
    """One commit, by id, date and subject; it cites the commit, and those of its lines, if any."""
    text = phrases.write(
        phrase,
        commit=code(commit.sha[:_SHOWN_ID]),
        date=commit.date[:10],
        subject=quoted(commit.subject, phrases) if commit.subject else code(commit.sha[:_SHOWN_ID]),
        **parts,
    )
    citations: list[dict[str, Any]] = [{"evidence": commit.evidence}]
    if lines:
        citations = [{"evidence": commit.evidence, "first_line": lines[0], "last_line": lines[1]}]
    return {"text": text, "citations": citations}


def changed_lines(commit: ShownCommit, wanted: Collection[str]) -> tuple[int, int] | None:
    """Lines of the commit's text: the run of changed lines that holds most of the words; the first one for none."""
    words = [word.lower() for word in wanted]
    runs = list(commit.runs())
    if not runs:
        return None

    def held(run: tuple[int, int]) -> int:
        text = "\n".join(commit.lines[run[0] - 1 : run[1]]).lower()
        return sum(word in text for word in words)

    first, last = max(runs, key=held)
    return first, min(last, first + _MOST_LINES - 1)


def line_in(commit: ShownCommit, text: str) -> tuple[int, int] | None:
    """Where the commit adds a line like this one, with what it put it in place of."""
    wanted = text.strip()
    for first, last in commit.runs():
        run = range(first, last + 1)
        if wanted and any(
            commit.lines[at - 1][:1] == "+" and commit.lines[at - 1][1:].strip() == wanted for at in run
        ):
            return first, min(last, first + _MOST_LINES - 1)
    return None
