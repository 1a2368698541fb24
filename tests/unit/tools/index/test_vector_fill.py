"""Vectors filled in behind the search: resumable, from the cache where possible, past texts that fail."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.catalogs import CountingEmbedder, catalog_of

from tools.errors import IndexUnusable
from tools.index.catalog import Catalog
from tools.index.embedder import EmbedderUnavailable
from tools.index.lock import WriterLock
from tools.index.progress import IndexProgress, IndexReport
from tools.index.vector_fill import fill_vectors

FILES = {
    "tests/test_a.py": ["def test_a():\n    assert a"],
    "a.py": [f"def f{n}():\n    return {n}" for n in range(20)],
}


class FailingEmbedder(CountingEmbedder):
    """Fails on any batch that holds one of the given words."""

    def __init__(self, *words: str) -> None:
        super().__init__()
        self.words = words

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if any(word in text for text in texts for word in self.words):
            raise EmbedderUnavailable("the embedder died", cause="bad text", hint="none")
        return super().embed_documents(texts)


def indexed(tmp_path: Path, name: str = "one") -> Path:
    folder = tmp_path / "data" / name
    catalog_of(folder, FILES).close()
    return folder


def filled(
    folder: Path, embedder: CountingEmbedder, *, stop_after: int | None = None, **more: float
) -> IndexReport:
    def stop() -> bool:
        return stop_after is not None and len(embedder.embedded) >= stop_after

    return fill_vectors(folder, embedder, progress=lambda _: None, stop=stop, **more)


def share(folder: Path) -> float:
    with Catalog.open(folder, read_only=True) as catalog:
        return catalog.vector_counts().get(CountingEmbedder.fingerprint, 0) / catalog.chunk_count()


def test_every_chunk_gets_a_vector_sources_first(tmp_path: Path) -> None:
    folder, embedder = indexed(tmp_path), CountingEmbedder()
    seen: list[IndexProgress] = []
    report = fill_vectors(folder, embedder, progress=seen.append, stop=lambda: False)
    assert (report.embedded, report.reused, report.stopped, share(folder)) == (21, 0, "", 1.0)
    assert "test_a" in embedder.embedded[-1]
    assert (seen[-1].phase, seen[-1].done, seen[-1].total) == ("done", 21, 21)


def test_a_stopped_run_keeps_what_it_did_and_the_next_goes_on(tmp_path: Path) -> None:
    folder = indexed(tmp_path)
    first = filled(folder, CountingEmbedder(), stop_after=8)
    assert (first.embedded, first.stopped) == (8, "interrupted")
    assert filled(folder, CountingEmbedder()).embedded == 13
    assert share(folder) == 1.0


def test_the_time_limit_ends_a_run(tmp_path: Path) -> None:
    folder = indexed(tmp_path)
    report = filled(folder, CountingEmbedder(), seconds=0.0)
    assert (report.embedded, report.stopped) == (0, "time limit")


def test_another_workspace_with_the_same_text_embeds_nothing(tmp_path: Path) -> None:
    filled(indexed(tmp_path), CountingEmbedder())
    other, embedder = indexed(tmp_path, "two"), CountingEmbedder()
    report = filled(other, embedder)
    assert (report.embedded, report.reused, embedder.embedded, share(other)) == (0, 21, [], 1.0)


def test_one_text_that_the_embedder_fails_on_stops_nothing(tmp_path: Path) -> None:
    folder = indexed(tmp_path)
    report = filled(folder, FailingEmbedder("f7()"))
    assert (report.embedded, report.notes) == (20, ("1 texts could not be embedded",))


def test_an_embedder_that_always_fails_is_reported(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match="died"):
        filled(indexed(tmp_path), FailingEmbedder("return"))


def test_a_busy_lock_is_told_and_a_lock_held_by_the_caller_is_used(tmp_path: Path) -> None:
    folder = indexed(tmp_path)
    with WriterLock(folder) as lock:
        with pytest.raises(IndexUnusable):
            filled(folder, CountingEmbedder())
        report = fill_vectors(
            folder, CountingEmbedder(), progress=lambda _: None, stop=lambda: False, lock=lock
        )
    assert report.embedded == 21


class HangingEmbedder(CountingEmbedder):
    """Embeds until it is closed, like a process that is then killed."""

    def __init__(self) -> None:
        super().__init__()
        self.busy = threading.Event()
        self.closed = threading.Event()

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.busy.set()
        assert self.closed.wait(30)
        raise EmbedderUnavailable("the embedder process failed", cause="killed", hint="none")

    def close(self) -> None:
        self.closed.set()


def test_a_stop_abandons_the_batch_in_flight(tmp_path: Path) -> None:
    embedder = HangingEmbedder()
    report = fill_vectors(indexed(tmp_path), embedder, progress=lambda _: None, stop=embedder.busy.is_set)
    assert (report.stopped, report.embedded, report.notes) == ("interrupted", 0, ())
