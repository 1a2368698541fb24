"""What is typed in the search box: words, and filters among them (`area:tests kind:class language:python path:src/**`)."""

from __future__ import annotations

from tools.errors import UserError
from tools.index.records import Filters
from tools.index.search import Query
from tools.show import show_name

FILTERS = {"area": "area", "kind": "kind", "language": "language", "lang": "language", "path": "path"}
MOST_RESULTS = 30
FOR_QUESTIONS = ("area", "language", "path")


def query_of(typed: str) -> Query | None:
    """The query; None where no word is left to look for."""
    words: list[str] = []
    chosen: dict[str, list[str]] = {}
    for word in typed.split():
        name, colon, value = word.partition(":")
        if colon and value and name in FILTERS:
            chosen.setdefault(FILTERS[name], []).append(value)
        else:
            words.append(word)
    if not words:
        return None
    filters = Filters(**{name: tuple(values) for name, values in chosen.items()})
    return Query(" ".join(words), filters=filters, limit=MOST_RESULTS)


def filters_of(typed: str) -> Filters:
    """The filters that questions are to keep to. Raises: UserError for a word that is none."""
    chosen: dict[str, list[str]] = {}
    for word in typed.split():
        name, _, value = word.partition(":")
        key = FILTERS.get(name, "")
        if not value or key not in FOR_QUESTIONS:
            raise UserError(
                f"`{show_name(word)}` is no filter for questions",
                cause="a filter is one of `area:`, `language:`, `path:` with a value right behind it",
                hint="`/filter area:source path:src/**`; `/filter` without anything removes them",
            )
        chosen.setdefault(key, []).append(value)
    return Filters(**{name: tuple(values) for name, values in chosen.items()})
