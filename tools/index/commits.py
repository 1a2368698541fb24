"""The newest commits of the workspace, made searchable: subjects, messages, paths and the lines they changed.

Indexed behind the files, the newest first, in slices that are each one transaction, for so long as the caller allows:
what is left is done the next time. Searching them judges like the search for code does: by which of the question's
ideas a commit holds, each weighed by how few commits hold it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.git import NotARepository, open_repository
from tools.git_log import Commit, History
from tools.index import words
from tools.index.catalog import Catalog
from tools.index.catalog_commits import IndexedCommit
from tools.index.query import Analyst, Concept
from tools.secrets import RULES_VERSION

MOST_COMMITS = 500
FOREGROUND_SECONDS = 1.0
"""Where somebody waits for an answer."""
MADE_WITH = f"commits 1, masking {RULES_VERSION}, words {words.VERSION}"
_SLICE = 40
_LIST_SECONDS = 5.0
_SLICE_SECONDS = 20.0
_MOST_PATHS = 100
_MOST_CHARACTERS = 6_000
"""Of the lines that one commit changed: a vendored library would be most of the index."""
_IN_SUBJECT, _IN_PATHS, _IN_BODY = 1.0, 0.8, 0.6
_NEAR_BEST = 0.7
_LEAST_HELD = 0.5
"""Of the weight of a question's ideas: a commit that holds less does not speak of it."""
_TIME_WORDS = """
    lately recently recent last latest newest new change changes changed changing commit commits history happened
    modified modification modifications edit edited touched update updated updates who when today yesterday week month
    cambio cambios cambiado cambió cambiaron último últimos última últimas ultimo ultimos ultima ultimas últimamente
    ultimamente recientemente reciente recientes historial quién cuándo mudou mudaram mudança mudanças alterado alterada
    alterações recentemente recente histórico quando quem
"""
_ABOUT_TIME = frozenset(_TIME_WORDS.split())
_TIME_IDEOGRAPHS = ("最近", "変更", "履歴", "変わ", "変化", "更新", "直近", "コミット")


@dataclass(frozen=True, slots=True)
class FoundCommit:
    """A commit that speaks of what was asked."""

    commit: IndexedCommit
    score: float


def index_commits(
    catalog: Catalog,
    root: Path,
    *,
    seconds: float = FOREGROUND_SECONDS,
    stop: Callable[[], bool] = lambda: False,
    most: int = MOST_COMMITS,
) -> int:
    """Let the catalog hold the newest commits, as far as the seconds reach; how many were added.

    Never a reason for an index run to fail: without history there are no commits.
    """
    try:
        repository = open_repository(root)
        head = repository.head().commit
        known_head, made_with = catalog.commit_state()
        if made_with not in ("", MADE_WITH) or (not head and known_head):
            catalog.forget_commits()
            known_head = ""
        if not head or head == known_head:
            return 0
        return _index(catalog, History(repository), head, time.monotonic() + seconds, stop, most)
    except NotARepository:
        if catalog.commit_state()[0]:
            catalog.forget_commits()
        return 0


def _index(
    catalog: Catalog, history: History, head: str, deadline: float, stop: Callable[[], bool], most: int
) -> int:
    listed = history.log("--no-merges", head, count=most, patches=False, seconds=_LIST_SECONDS, stop=stop)
    shas = [commit.sha for commit in listed.commits]
    known = catalog.commit_shas()
    new = [sha for sha in shas if sha not in known]
    added = 0
    while added < len(new) and time.monotonic() < deadline and not stop():
        done = list(_slice(history, new[added : added + _SLICE], stop))
        if not done:
            break
        catalog.put_commits(done)
        added += len(done)
    whole = added == len(new) and listed.ended == "exit"
    catalog.keep_commits(shas, head if whole else "", MADE_WITH)
    return added


def _slice(history: History, shas: Sequence[str], stop: Callable[[], bool]) -> Iterator[IndexedCommit]:
    """Some commits with what they changed; one whose patch is too much for git's limits without it."""
    found = history.log("--no-walk=unsorted", *shas, count=len(shas), seconds=_SLICE_SECONDS, stop=stop)
    if not found.commits and not stop():
        found = history.log("--no-walk=unsorted", shas[0], count=1, patches=False, stop=stop)
    for commit in found.commits:
        yield _indexed(commit)


def _indexed(commit: Commit) -> IndexedCommit:
    paths = tuple(dict.fromkeys(path for one in commit.changes for path in (one.path, one.was) if path))
    changed = [line[1:] for one in commit.changes for line in one.lines if line[:1] in ("+", "-")]
    body = "\n".join([*commit.message.split("\n")[1:], *changed])
    return IndexedCommit(
        commit.sha, commit.date, commit.subject, paths[:_MOST_PATHS], body=body[:_MOST_CHARACTERS]
    )


def search_commits(
    catalog: Catalog, text: str, *, limit: int, analyst: Analyst | None = None
) -> list[FoundCommit]:
    """Commits that speak of what the text asks, those nearly as good as the best by date, the newest first."""
    ideas = [one for one in (analyst or Analyst()).analyse(text).concepts if not _is_about_time(one)]
    if not ideas:
        return [FoundCommit(commit, 0.0) for commit in catalog.newest_commits(limit)]
    scores = _scores(catalog, ideas)
    best = max(scores.values(), default=0.0)
    kept = {
        one: score for one, score in scores.items() if score >= max(_LEAST_HELD * _IN_BODY, _NEAR_BEST * best)
    }
    found = [FoundCommit(commit, kept[one]) for one, commit in catalog.commits_by_id(kept).items()]
    return sorted(found, key=lambda one: one.commit.position)[:limit]


def _scores(catalog: Catalog, ideas: Sequence[Concept]) -> dict[int, float]:
    """Share of the question's weight that each commit holds, by where it holds it."""
    total = len(catalog.commit_shas())
    scores: dict[int, float] = {}
    whole = 0.0
    for idea in ideas:
        held = catalog.commits_holding(idea.alternatives)
        anywhere = held["subject"] | held["paths"] | held["body"]
        weight = math.log(1 + total / (1 + len(anywhere)))
        whole += weight
        for column, share in (("body", _IN_BODY), ("paths", _IN_PATHS), ("subject", _IN_SUBJECT)):
            for one in held[column]:
                better = [name for name in ("subject", "paths") if one in held[name]]
                if column == (better[0] if better else "body"):
                    scores[one] = scores.get(one, 0.0) + weight * share
    return {one: score / whole for one, score in scores.items()} if whole else {}


def _is_about_time(idea: Concept) -> bool:
    """Whether the word only asks for what is recent, or for commits at all."""
    return idea.word.lower() in _ABOUT_TIME or idea.word.startswith(_TIME_IDEOGRAPHS)
