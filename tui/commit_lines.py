"""Commits for people and for programs: those that a search found, and the one that changed a result last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from tools.show import show_name

if TYPE_CHECKING:
    from tools.git_log import Commit
    from tools.index.catalog_commits import IndexedCommit
    from tools.index.commits import FoundCommit

_MOST_PATHS = 3
_SHOWN_ID = 10


def commit_lines(commits: Sequence[FoundCommit]) -> Iterator[Text]:
    """A line for each commit, and the files it changed."""
    for found in commits:
        commit = found.commit
        head = (f"commit {commit.sha[:_SHOWN_ID]}", "cyan")
        yield Text.assemble(head, f"  {commit.date[:10]}  {show_name(commit.subject)}")
        paths = ", ".join(show_name(path) for path in commit.paths[:_MOST_PATHS])
        more = f" and {len(commit.paths) - _MOST_PATHS} more" if len(commit.paths) > _MOST_PATHS else ""
        if paths:
            yield Text(f"    {paths}{more}", "dim")


def changed_line(commit: Commit | None) -> Text:
    """Which commit changed a result last."""
    if commit is None:
        return Text("    last changed: not in any commit that could be read", "dim")
    told = f"{commit.date[:10]} by {show_name(commit.author)}, {commit.sha[:_SHOWN_ID]}: {show_name(commit.subject)}"
    return Text(f"    last changed: {told}", "dim")


def with_commits(
    document: Mapping[str, Any], commits: Sequence[FoundCommit], newest: Sequence[Commit | None]
) -> dict[str, Any]:
    """A search's document with the commits found, and with each result's last one, where there are any."""
    result = dict(document)
    if newest:
        pairs = zip(document["results"], newest, strict=True)
        result["results"] = [
            {**one, **({"last_commit": _plain(commit)} if commit else {})} for one, commit in pairs
        ]
    if commits:
        result["commits"] = [
            {**_plain(one.commit), "paths": list(one.commit.paths), "score": round(one.score, 6)}
            for one in commits
        ]
    return result


def _plain(commit: Commit | IndexedCommit) -> dict[str, str]:
    return {"sha": commit.sha, "date": commit.date, "subject": commit.subject}
