"""Vectors in Chroma, for the long-lived holder of the writer lock: the only file that imports chromadb.

What Chroma holds is a copy of the catalog's vectors and can always be made again, so anything wrong with it (a
damaged folder, another version, rows too many or too few) is mended by `reconcile`, never reported as a failure of
the search. A folder is safe for one process only; a Chroma server for many.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from tools.errors import UserError
from tools.index.catalog import Catalog

FOLDER_NAME = "chroma"
ADD_ROWS = 5_000
"""Chroma takes 5,461 rows at once."""
PAGE_ROWS = 10_000
"""`get` fails above some 20,000 rows ("too many SQL variables")."""
FEW_IDS = 1_000
"""Up to so many allowed chunks are named in the query; of more, too many nearest are asked for and sifted."""
MOST_RESULTS = 5_000

T = TypeVar("T")


class StoreUnavailable(UserError):
    """Chroma cannot be used now; exact search over the catalog finds the same."""


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What was done to make Chroma hold what the catalog holds."""

    added: int
    deleted: int
    rebuilt: str = ""
    """Why all was made anew, or ""."""


class ChromaVectors:
    """One collection: the vectors of one index and one embedder."""

    def __init__(self, place: Path | str, *, index_name: str = "", fingerprint: str) -> None:
        """`place` is the index's own folder, or the URL of a Chroma server.

        `index_name` keeps the indexes of many workspaces apart on one server.
        Raises: StoreUnavailable when the server does not answer. A folder that cannot be opened is made anew.
        """
        self._place = place
        self._fingerprint = fingerprint
        self._name = _collection_name(index_name, fingerprint)
        self._rebuilt = ""
        self._open()

    def __len__(self) -> int:
        return int(self._guarded(self._collection.count))

    def reconcile(self, catalog: Catalog, fingerprint: str) -> Reconciled:
        """Add what is missing, delete what the catalog no longer has; make all anew where Chroma is broken.

        Raises: StoreUnavailable.
        """
        if fingerprint != self._fingerprint:
            raise ValueError(f"this collection is of {self._fingerprint}, not of {fingerprint}")
        ids, matrix = catalog.vectors(fingerprint)
        try:
            self._drop_others()
            added, deleted = self._match(ids, matrix)
        except StoreUnavailable as error:
            self._rebuild(error.cause)
            added, deleted = self._match(ids, matrix)
        rebuilt, self._rebuilt = self._rebuilt, ""
        return Reconciled(added, deleted, rebuilt)

    def nearest(
        self, vector: NDArray[np.float32], count: int, among: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """About the `count` nearest chunks as (id, cosine), nearest first; only those `among` when it is given.

        Raises: StoreUnavailable.
        """
        held = len(self)
        if not held or count < 1 or (among is not None and not among):
            return []
        if among is None:
            return self._query(vector, min(count, held))
        if len(among) <= FEW_IDS:
            return self._query(vector, min(count, len(among)), [str(each) for each in among])
        allowed = frozenset(among)
        wanted = min(held, max(4 * count, 100))
        while True:
            found = [each for each in self._query(vector, wanted) if each[0] in allowed]
            if len(found) >= count or wanted >= min(held, MOST_RESULTS):
                return found[:count]
            wanted = min(held, MOST_RESULTS, 4 * wanted)

    def close(self) -> None:
        """Let go of the folder or the connection."""
        sessions = list(_sessions(self._client))
        self._client.close()
        for session in sessions:
            session.close()

    def _match(self, ids: NDArray[np.int64], matrix: NDArray[np.float32]) -> tuple[int, int]:
        wanted = {str(each): place for place, each in enumerate(ids)}
        held = set(self._held_ids())
        missing = [each for each in wanted if each not in held]
        orphans = sorted(held - wanted.keys())
        for some in _pages(orphans, ADD_ROWS):
            self._guarded(self._collection.delete, ids=some)
        for some in _pages(missing, ADD_ROWS):
            rows = matrix[[wanted[each] for each in some]]
            self._guarded(self._collection.upsert, ids=some, embeddings=rows)
        return len(missing), len(orphans)

    def _drop_others(self) -> None:
        """A folder belongs to one index: collections of earlier embedders only take space."""
        if isinstance(self._place, Path):
            for other in self._guarded(self._client.list_collections):
                if other.name != self._name:
                    self._guarded(self._client.delete_collection, other.name)

    def _held_ids(self) -> Iterator[str]:
        offset = 0
        while True:
            page = self._guarded(self._collection.get, include=[], limit=PAGE_ROWS, offset=offset)["ids"]
            yield from page
            if len(page) < PAGE_ROWS:
                return
            offset += PAGE_ROWS

    def _query(
        self, vector: NDArray[np.float32], count: int, ids: list[str] | None = None
    ) -> list[tuple[int, float]]:
        rows = np.asarray([vector], dtype=np.float32)
        reply = self._guarded(
            self._collection.query, query_embeddings=rows, n_results=count, ids=ids, include=["distances"]
        )
        pairs = zip(reply["ids"][0], reply["distances"][0], strict=True)
        return [(int(each), 1.0 - float(distance)) for each, distance in pairs]

    def _open(self) -> None:
        try:
            place = self._place
            self._client = _client(place if isinstance(place, str) else _newest_folder(place))
            self._collection = self._collection_of_mine()
        except Exception as error:  # a damaged folder fails in every way that Rust, sqlite and numpy know
            if isinstance(self._place, str):
                raise _unavailable(error) from error
            self._rebuild(str(error))

    def _rebuild(self, reason: str) -> None:
        """Throw away what Chroma holds of this index. A server's collection goes, a folder goes as a whole."""
        self._rebuilt = reason or "unknown"
        try:
            if isinstance(self._place, str):
                self._client.delete_collection(self._name)
            else:
                self._client = _client(_next_folder(self._place))
            self._collection = self._collection_of_mine()
        except Exception as error:
            raise _unavailable(error) from error

    def _collection_of_mine(self) -> Any:
        return self._client.get_or_create_collection(
            self._name,
            configuration={"hnsw": {"space": "cosine"}},  # fixed for good when the collection is made
            embedding_function=None,  # the default one downloads a model
        )

    def _guarded(self, call: Any, *args: Any, **named: Any) -> Any:
        try:
            return call(*args, **named)
        except Exception as error:
            raise _unavailable(error) from error


def _client(place: Path | str) -> Any:
    os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
    import chromadb  # 1.5 s, so only where it is used
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    if isinstance(place, Path):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return chromadb.PersistentClient(path=place, settings=settings)
    url = urlsplit(place)
    secure = url.scheme == "https"
    return chromadb.HttpClient(
        host=url.hostname or "localhost",
        port=url.port or (443 if secure else 8000),
        ssl=secure,
        settings=settings,
    )


def _sessions(client: Any) -> Iterator[Any]:
    """The connections to a server: chromadb 1.5.9 has two clients in one, and closes neither's."""
    for one in (client, getattr(client, "_admin_client", None)):
        session = getattr(getattr(one, "_server", None), "_session", None)
        if session is not None:
            yield session


def _newest_folder(index_folder: Path) -> Path:
    """Where Chroma's files are: `chroma/1`, or a higher number after they had to be made anew."""
    numbers = [
        int(each.name) for each in (index_folder / FOLDER_NAME).glob("[0-9]*") if each.name.isdecimal()
    ]
    return index_folder / FOLDER_NAME / str(max(numbers, default=1))


def _next_folder(index_folder: Path) -> Path:
    """A folder never used before, the old one deleted: chromadb remembers a folder that failed until the process ends."""
    newest = _newest_folder(index_folder)
    shutil.rmtree(newest, ignore_errors=True)
    return newest.with_name(str(int(newest.name) + 1))


def _collection_name(index_name: str, fingerprint: str) -> str:
    """A name Chroma takes (letters, digits, dots and dashes), one for each index and embedder."""
    digest = hashlib.sha256(f"{index_name}\0{fingerprint}".encode()).hexdigest()
    return f"codewitness-{digest[:24]}"


def _unavailable(error: Exception) -> StoreUnavailable:
    return StoreUnavailable(
        "Chroma cannot be used",
        cause=f"{type(error).__name__}: {error}",
        hint="search goes on over the catalog's vectors; `codewitness index --rebuild` makes Chroma's copy anew",
    )


def _pages(items: Sequence[T], size: int) -> Iterator[list[T]]:
    for start in range(0, len(items), size):
        yield list(items[start : start + size])
