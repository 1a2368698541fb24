"""The values that the index is made of. Pure data: who makes them (`chunker`), who keeps them (`catalog`).

Lines are 1-based and inclusive. Every line of a file belongs to exactly one chunk of it, in order.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

Kind: TypeAlias = Literal[
    "function", "method", "class", "module", "documentation", "config", "test", "commit"
]
KINDS: tuple[str, ...] = get_args(Kind)

ReferenceKind: TypeAlias = Literal["call", "import", "other"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One indexed piece of a file."""

    first_line: int
    last_line: int
    kind: Kind
    text: str
    """The lines joined by `\n`, without a final one."""
    symbol: str = ""
    """The name it defines (`get_cookie_domain`), or "" for a gap, a block of prose or of settings."""
    qualified_name: str = ""
    """With its parents, joined by "." whatever the language (`SessionInterface.get_cookie_domain`)."""
    signature: str = ""
    """The definition's header on one line, without its body."""
    docstring: str = ""
    """Docstring or the comment block right above the definition, markers removed, at most 1,000 characters."""

    @property
    def embedded_text(self) -> str:
        """What a vector is made of: names and signature first, then the docstring, then the code; never the path."""
        head = [part for part in (self.qualified_name, self.signature, self.docstring) if part]
        return "\n".join([*head, self.text])


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a name is defined."""

    name: str
    qualified_name: str
    kind: str
    """function, method, class, interface, type, enum, constant, variable, field, module, heading, key, route, option."""
    first_line: int
    last_line: int
    """Of the whole definition, decorators and attached attributes included."""
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a name is used."""

    name: str
    line: int
    kind: ReferenceKind
    enclosing: str = ""
    """Qualified name of the innermost definition around it, or "" at module level."""


@dataclass(frozen=True, slots=True)
class Import:
    """One import statement: `module` as written (`..sessions`, `./util`, `std::fs`), and the names it brings."""

    module: str
    names: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """All that the index learns from one file."""

    language: str
    """A name from `languages.py`, or "text"."""
    chunks: tuple[Chunk, ...]
    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    note: str = ""
    """Why it was chunked by lines instead of by syntax ("too deeply nested", "parser timed out"), or ""."""


@dataclass(frozen=True, slots=True)
class Skip:
    """A file or folder that is not indexed, with the reason that people read."""

    path: str
    reason: str
    """binary, too large, secret file, ignored, symlink, minified, generated, unreadable, unknown encoding, not a regular file…"""


@dataclass(frozen=True, slots=True)
class Discovery:
    """What a walk over the workspace found."""

    paths: tuple[str, ...]
    """Candidates, sorted."""
    skips: tuple[Skip, ...]
    listed_by: str
    """"git" or "walk"; with a reason where git was there and could not be used ("walk: dubious ownership")."""
    ignored_folders: tuple[str, ...] = field(default=())


def text_sha256(text: str) -> str:
    """Hex sha256 of a text; lone surrogates (undecodable names) are kept apart."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
