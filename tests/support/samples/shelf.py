"""Books on a shelf."""
from __future__ import annotations

import json as js
from .store import Store, open_store as opened

MAX_BOOKS: int = 40
_cache = {}


# Not a docstring, but right above.
@trace(level=2)
def load(path, *, strict=False):
    rows = js.loads(path)
    def clean(row):
        return row.strip()
    return [clean(row) for row in rows]


class Shelf(Store):
    """Holds books."""

    width = 3

    def __init__(self, name: str) -> None:
        """Open it."""
        self.name = opened(name)

    __str__ = None

    @property
    async def total(self) -> int:
        return len(self.name) + MAX_BOOKS


if __name__ == "__main__":
    load("books.json")
