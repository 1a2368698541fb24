"""What is typed in the search box: words, and filters among them (`area:tests kind:class language:python path:src/**`)."""

from __future__ import annotations

from tools.index.records import Filters
from tools.index.search import Query

FILTERS = {"area": "area", "kind": "kind", "language": "language", "lang": "language", "path": "path"}
MOST_RESULTS = 30


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
