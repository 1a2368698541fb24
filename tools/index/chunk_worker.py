"""The child of `chunk_workers.py`: takes `[path, text]` as JSON, answers with the parsed file (`parsed_codec.py`)."""

from __future__ import annotations

import json

from tools.index.chunker import chunk_source
from tools.index.parsed_codec import encode
from tools.worker import serve


def handle(request: bytes) -> bytes:
    """Chunk one file."""
    path, text = json.loads(request)
    return encode(chunk_source(path, text))


if __name__ == "__main__":
    serve(handle)
