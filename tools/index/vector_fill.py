"""Fill in the vectors that are missing, most wanted first, while everything else goes on.

Texts are embedded a few at a time outside any transaction, and each few are kept at once, in the catalog and in the
cache of the person's data folder: a run that is stopped, killed or out of time loses at most one batch, and the next
one goes on where it ended.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tools.index.catalog import Catalog
from tools.index.embedder import Embedder, EmbedderUnavailable
from tools.index.lock import WriterLock
from tools.index.progress import IndexProgress, IndexReport
from tools.index.vector_cache import VectorCache

PAGE_TEXTS = 256
"""Texts looked up at a time: finding the most wanted costs a sort over all that are left."""
BATCH_TEXTS = 8
"""Embedded in one call: about a second, which is how long a question has to wait; a stop abandons it."""
LOW_PRIORITY_BATCH_TEXTS = 2
LOW_PRIORITY_REST = 1.0
"""At low priority: rest as long as a batch took, so that others have the machine at least half of the time."""
SECONDS_BETWEEN_LOOKS = 0.1
MOST_FAILURES = 3
"""Texts in a row that the embedder fails on, one by one, before it is taken for broken."""


@dataclass(slots=True)
class _Run:
    """One run: what it works with, and how far it has come."""

    catalog: Catalog
    cache: VectorCache
    embedder: Embedder
    progress: Callable[[IndexProgress], None]
    stop: Callable[[], bool]
    total: int
    done: int = 0
    embedded: int = 0
    reused: int = 0
    failed: set[str] = field(default_factory=set[str])
    failures_in_a_row: int = 0


def fill_vectors(
    folder: Path,
    embedder: Embedder,
    *,
    progress: Callable[[IndexProgress], None],
    stop: Callable[[], bool],
    seconds: float | None = None,
    low_priority: bool = False,
    lock: WriterLock | None = None,
) -> IndexReport:
    """Give every chunk of the index in `folder` a vector, or as many as `seconds` allow.

    `lock` is the writer lock when the caller holds it already.
    Raises: IndexUnusable (lock busy…), EmbedderUnavailable when the embedder fails altogether.
    """
    started = time.monotonic()
    deadline = started + seconds if seconds is not None else float("inf")
    batch = LOW_PRIORITY_BATCH_TEXTS if low_priority else BATCH_TEXTS
    with (
        nullcontext() if lock and lock.held else WriterLock(folder),
        Catalog.open(folder) as catalog,
        closing(VectorCache(folder.parent)) as cache,
    ):
        run = _Run(catalog, cache, embedder, progress, stop, total=_texts_left(catalog, embedder))
        with _abandoned(embedder, stop):
            stopped = _fill(run, batch, deadline, rest=LOW_PRIORITY_REST if low_priority else 0.0)
        cache.trim()
    run.progress(IndexProgress("done", run.done, run.total))
    notes = (f"{len(run.failed)} texts could not be embedded",) if run.failed else ()
    return IndexReport(
        embedded=run.embedded,
        reused=run.reused,
        seconds=time.monotonic() - started,
        stopped=stopped,
        notes=notes,
    )


@contextmanager
def _abandoned(embedder: Embedder, stop: Callable[[], bool]) -> Generator[None]:
    """While it is entered, a stop also ends the call that the embedder is busy with, by closing it."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(SECONDS_BETWEEN_LOOKS):
            if stop():
                embedder.close()
                return

    watching = threading.Thread(target=watch, name="stop the embedder", daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()


def _fill(run: _Run, batch: int, deadline: float, rest: float) -> str:
    """Work until nothing is left; why it ended before, or ""."""
    while True:
        wanted = run.catalog.texts_without_vector(run.embedder.fingerprint, PAGE_TEXTS + len(run.failed))
        todo = _reuse(run, [each for each in wanted if each[0] not in run.failed])
        if not todo and len(wanted) <= len(run.failed):
            return ""
        for start in range(0, len(todo), batch):
            if run.stop():
                return "interrupted"
            began = time.monotonic()
            if began >= deadline:
                return "time limit"
            _embed(run, todo[start : start + batch])
            run.progress(IndexProgress("vectors", run.done, run.total))
            _rest(rest * (time.monotonic() - began), run.stop, deadline)


def _reuse(run: _Run, wanted: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Take what the cache has; the rest is left to embed."""
    known = run.cache.get(run.embedder.fingerprint, [sha for sha, _ in wanted])
    whole = {sha: vector for sha, vector in known.items() if len(vector) == 4 * run.embedder.dimension}
    if whole:
        run.catalog.put_vectors(run.embedder.fingerprint, list(whole.items()))
        run.reused += len(whole)
        run.done += len(whole)
        run.progress(IndexProgress("vectors", run.done, run.total))
    return [each for each in wanted if each[0] not in whole]


def _embed(run: _Run, texts: Sequence[tuple[str, str]]) -> None:
    """Embed and keep. When a batch fails, its texts are tried one by one, so that one bad text stops nothing."""
    try:
        rows = run.embedder.embed_documents([text for _, text in texts])
    except EmbedderUnavailable:
        if run.stop():
            return
        if len(texts) > 1:
            for each in texts:
                _embed(run, [each])
            return
        run.failed.add(texts[0][0])
        run.failures_in_a_row += 1
        if run.failures_in_a_row >= MOST_FAILURES:
            raise
        return
    vectors = {sha: row.astype(np.float32).tobytes() for (sha, _), row in zip(texts, rows, strict=True)}
    run.catalog.put_vectors(run.embedder.fingerprint, list(vectors.items()))
    run.cache.put(run.embedder.fingerprint, vectors)
    run.failures_in_a_row = 0
    run.embedded += len(vectors)
    run.done += len(vectors)


def _texts_left(catalog: Catalog, embedder: Embedder) -> int:
    """About how many texts there are to do; chunks with equal texts share one."""
    return catalog.chunk_count() - catalog.vector_counts().get(embedder.fingerprint, 0)


def _rest(seconds: float, stop: Callable[[], bool], deadline: float) -> None:
    """Wait, but not longer than somebody who wants to stop would like."""
    until = min(time.monotonic() + seconds, deadline)
    while not stop() and (left := until - time.monotonic()) > 0:
        time.sleep(min(left, 0.2))
