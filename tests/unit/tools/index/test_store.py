"""Chroma as a copy of the catalog's vectors: real Chroma on a real folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.catalogs import CountingEmbedder, catalog_of, put

from tools.index.catalog import Catalog
from tools.index.exact import ExactVectors
from tools.index.store import FOLDER_NAME, ChromaVectors, Reconciled
from tools.index.vector_fill import fill_vectors

FINGERPRINT = CountingEmbedder.fingerprint
FILES = {
    "a.py": ["def sign_cookie():\n    return hmac", "def render_template():\n    return jinja"],
    "b.py": ["def zip_pizza():\n    zzz = 'jazz'", "def match_route():\n    return trie"],
}


def fill(folder: Path) -> None:
    fill_vectors(folder, CountingEmbedder(), progress=lambda _: None, stop=lambda: False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "index"
    catalog_of(folder, FILES).close()
    fill(folder)
    return folder


@pytest.fixture
def store(folder: Path) -> Iterator[ChromaVectors]:
    store = ChromaVectors(folder, fingerprint=FINGERPRINT)
    yield store
    store.close()


def test_finds_what_exact_search_finds(folder: Path, store: ChromaVectors) -> None:
    with Catalog.open(folder, read_only=True) as catalog:
        assert store.reconcile(catalog, FINGERPRINT) == Reconciled(added=4, deleted=0)
        exact = ExactVectors(catalog, FINGERPRINT)
        question = CountingEmbedder().embed_query("pizza zip jazz")
        assert [each[0] for each in store.nearest(question, 4)] == [
            each[0] for each in exact.nearest(question, 4)
        ]
        cosines = [each[1] for each in store.nearest(question, 4)]
        assert cosines == pytest.approx([each[1] for each in exact.nearest(question, 4)], abs=1e-5)
        allowed = [each[0] for each in exact.nearest(question, 4)][2:]
        assert {each[0] for each in store.nearest(question, 4, allowed)} == set(allowed)
        assert store.nearest(question, 4, []) == []


def test_follows_the_catalog_when_files_come_and_go(folder: Path, store: ChromaVectors) -> None:
    with Catalog.open(folder) as catalog:
        store.reconcile(catalog, FINGERPRINT)
        catalog.remove_file("a.py")
        put(catalog, "c.py", ["def new_thing():\n    return 1"])
    fill(folder)
    with Catalog.open(folder, read_only=True) as catalog:
        assert store.reconcile(catalog, FINGERPRINT) == Reconciled(added=1, deleted=2)
        assert store.reconcile(catalog, FINGERPRINT) == Reconciled(added=0, deleted=0)
        assert len(store) == 3


def test_a_broken_folder_is_made_anew(folder: Path) -> None:
    with Catalog.open(folder, read_only=True) as catalog:
        first = ChromaVectors(folder, fingerprint=FINGERPRINT)
        first.reconcile(catalog, FINGERPRINT)
        first.close()
        (folder / FOLDER_NAME / "1" / "chroma.sqlite3").write_bytes(b"not a database at all" * 500)
        again = ChromaVectors(folder, fingerprint=FINGERPRINT)
        done = again.reconcile(catalog, FINGERPRINT)
        assert (done.added, bool(done.rebuilt)) == (4, True)
        assert len(again.nearest(CountingEmbedder().embed_query("pizza"), 2)) == 2
        again.close()


def test_another_embedder_gets_a_collection_of_its_own(folder: Path, store: ChromaVectors) -> None:
    with Catalog.open(folder, read_only=True) as catalog:
        store.reconcile(catalog, FINGERPRINT)
        other = ChromaVectors(folder, fingerprint="another")
        assert len(other) == 0
        other.close()
        with pytest.raises(ValueError, match="not of another"):
            store.reconcile(catalog, "another")
