"""What an index run reports while it works, and at its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """One step of an index run. Sent at most some 20 times a second."""

    phase: Literal["waiting", "listing", "parsing", "vectors", "done"]
    done: int
    total: int
    current: str = ""
    """Path being worked on, or, while waiting, who is waited for; or ""."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index run did."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    renamed: int = 0
    unchanged: int = 0
    embedded: int = 0
    """Vectors computed now."""
    reused: int = 0
    """Vectors taken from the cache."""
    seconds: float = 0.0
    stopped: str = ""
    """Why it ended early ("interrupted", "time limit"), or "": what was done is kept."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The index as it stands, for `index --status`, for answers and for the status line."""

    workspace: str
    folder: str
    """Where the index lives on disk."""
    files: int
    chunks: int
    definitions: int
    vectors: int
    """Chunks that have a vector of the present embedder."""
    embedder: str
    """Name and digest, or "none: why"."""
    languages: Mapping[str, int] = field(default_factory=dict[str, int])
    """Files per language."""
    skipped: Mapping[str, int] = field(default_factory=dict[str, int])
    """Files per reason."""
    redactions: Mapping[str, int] = field(default_factory=dict[str, int])
    """Masked values per rule."""
    by_lines: Mapping[str, str] = field(default_factory=dict[str, str])
    """Files chunked by lines instead of by syntax → why."""
    listed_by: str = ""
    bytes_on_disk: int = 0
    updated_at: str = ""
    writer: str = ""
    """Who is writing now ("pid 123 since 12:01"), or ""."""
    notes: tuple[str, ...] = ()

    @property
    def vectors_share(self) -> float:
        """0 to 1; 0 when there are no chunks."""
        return self.vectors / self.chunks if self.chunks else 0.0
