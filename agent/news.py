"""What a live session tells a user interface beside the events of its runs. Light to import: it comes before the first paint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from tools.errors import UserError
from tools.index.progress import IndexProgress


@dataclass(frozen=True, slots=True)
class IndexChanged:
    """Something was indexed, or vectors came: status and results may differ from before."""

    what: str


@dataclass(frozen=True, slots=True)
class IndexFailed:
    """The index cannot be kept up to date now; it is used as it stands."""

    error: UserError


News: TypeAlias = IndexProgress | IndexChanged | IndexFailed


@dataclass(frozen=True, slots=True)
class Completion:
    """A file or a symbol that an `@` word may mean."""

    kind: Literal["file", "symbol"]
    text: str
    detail: str


@dataclass(frozen=True, slots=True)
class Enclosing:
    """The definition around a line."""

    symbol: str
    kind: str
    signature: str
    first_line: int
