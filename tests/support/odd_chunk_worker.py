"""A chunking child that hangs, dies or answers nonsense for files so named, and does its work for all others."""

from __future__ import annotations

import json
import os
import threading

from tools.index import chunk_worker
from tools.worker import serve


def handle(request: bytes) -> bytes:
    """Chunk one file, or fail as its name says."""
    path, _ = json.loads(request)
    if "hang" in path:
        threading.Event().wait()
    if "crash" in path:
        os._exit(11)
    return chunk_worker.handle(request)


if __name__ == "__main__":
    serve(handle)
