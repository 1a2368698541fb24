"""Exact vector search over the catalog's own vectors: what every process may do, at once and on committed data.

All vectors are held in memory (100,000 of 384 numbers: 154 MB, a query 5 ms) and loaded again when the catalog has
changed.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from tools.index.catalog import Catalog


class ExactVectors:
    """The vectors of one embedder, searched by dot product."""

    def __init__(self, catalog: Catalog, fingerprint: str) -> None:
        self._catalog = catalog
        self._fingerprint = fingerprint
        self._loaded_at = -1
        self._ids: NDArray[np.int64] = np.empty(0, np.int64)
        self._matrix: NDArray[np.float32] = np.empty((0, 0), np.float32)

    def nearest(
        self, vector: NDArray[np.float32], count: int, among: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """The `count` nearest chunks as (id, cosine), nearest first; only those `among` when it is given."""
        self._refresh()
        ids, matrix = self._ids, self._matrix
        if among is not None:
            kept = np.isin(ids, np.fromiter(among, np.int64, len(among)))
            ids, matrix = ids[kept], matrix[kept]
        if not len(ids) or count < 1:
            return []
        cosines = matrix @ vector
        best = largest(cosines, count)
        return [(int(ids[place]), float(cosines[place])) for place in best]

    def _refresh(self) -> None:
        now = self._catalog.change_count()
        if now != self._loaded_at:
            self._ids, self._matrix = self._catalog.vectors(self._fingerprint)
            self._loaded_at = now


def largest(values: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """Places of the largest values in order; equal ones by place, so that a ranking never depends on chance."""
    if count < len(values):
        candidates = np.argpartition(-values, count)[: count + 1]
        lowest = np.sort(values[candidates])[-count]
        candidates = np.flatnonzero(values >= lowest)
    else:
        candidates = np.arange(len(values))
    return candidates[np.argsort(-values[candidates], kind="stable")][:count].astype(np.int64)
