"""Texts → vectors: what every embedder offers, and how its vector space is named.

Vectors are float32 rows of unit length, so that a dot product is the cosine. Two vectors may be compared only when
they carry the same fingerprint.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tools.errors import UserError

SCHEMA = 1
"""Raised whenever what is embedded of a chunk changes shape (`Chunk.embedded_text`)."""

EMBEDDED_CHARACTERS = 600
"""A text is cut here. Names, signature and docstring come first and carry most of the meaning, while the cost grows
with every token: 8.8 chunks of a repository a CPU-second at 600 characters, 11 at 300, some 2 for whole chunks of
40 lines."""

UNSPEAKABLE = re.compile("[\0\ud800-\udfff]")
"""Engines written in C stop at a NUL, and lone surrogates cannot be encoded as UTF-8."""


class EmbedderUnavailable(UserError):
    """Vectors cannot be computed now. Keyword and symbol search work without them."""


class Embedder(Protocol):
    """One embedding model. Calls may come from several threads."""

    @property
    def fingerprint(self) -> str:
        """Names the vector space: what is stored under another fingerprint cannot be compared."""
        ...

    @property
    def name(self) -> str:
        """What people read."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit row for each text, in order: shape (len(texts), dimension).

        Raises: EmbedderUnavailable.
        """
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a question: shape (dimension,).

        Raises: EmbedderUnavailable.
        """
        ...

    def close(self) -> None: ...


def fingerprint(*, name: str, digest: str, dimension: int, prefixes: str) -> str:
    """All that a vector depends on, readable: what a mismatch report shows."""
    return f"{SCHEMA}/{name}/{digest}/{dimension}/{prefixes}/{EMBEDDED_CHARACTERS}"


def speakable(text: str) -> str:
    """The text as an engine can take it, cut to what is embedded."""
    return UNSPEAKABLE.sub(" ", text[:EMBEDDED_CHARACTERS])


def unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows scaled to length one; a row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
