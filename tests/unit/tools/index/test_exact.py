"""Exact vector search over the catalog."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.catalogs import CountingEmbedder, catalog_of, put

from tools.index.exact import ExactVectors, largest
from tools.index.vector_fill import fill_vectors

FILES = {
    "a.py": ["def apple():\n    return 'aaa'", "def berry():\n    return 'bbb'"],
    "c.py": ["def cherry():\n    pass"],
}


@given(values=st.lists(st.integers(-5, 5), min_size=1, max_size=40), count=st.integers(1, 45))
@settings(max_examples=100, deadline=None)
def test_the_largest_are_in_order_and_equal_ones_by_place(values: list[int], count: int) -> None:
    expected = sorted(range(len(values)), key=lambda place: (-values[place], place))[:count]
    assert largest(np.asarray(values, np.float32), count).tolist() == expected


def test_the_nearest_come_first_and_only_those_allowed(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    catalog_of(folder, FILES).close()
    fill_vectors(folder, CountingEmbedder(), progress=lambda _: None, stop=lambda: False)
    with catalog_of(folder, {}) as catalog:
        exact = ExactVectors(catalog, CountingEmbedder.fingerprint)
        ids = {chunk.symbol: chunk.id for chunk in catalog.chunks_by_id(range(10)).values()}
        question = CountingEmbedder().embed_documents(["def berry():\n    return 'bbb'"])[0]
        best = exact.nearest(question, 3)
        assert best[0][0] == ids["berry"]
        assert best[0][1] == pytest.approx(max(cosine for _, cosine in best))
        assert [each for each, _ in exact.nearest(question, 3, [ids["cherry"]])] == [ids["cherry"]]
        assert exact.nearest(question, 3, []) == []


def test_vectors_are_loaded_again_after_a_change(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    with catalog_of(folder, FILES) as catalog:
        exact = ExactVectors(catalog, CountingEmbedder.fingerprint)
        assert exact.nearest(CountingEmbedder().embed_query("x"), 5) == []
        fill_vectors(folder, CountingEmbedder(), progress=lambda _: None, stop=lambda: False)
        assert len(exact.nearest(CountingEmbedder().embed_query("x"), 5)) == 3
        put(catalog, "a.py", [])
        assert len(exact.nearest(CountingEmbedder().embed_query("x"), 5)) == 1
