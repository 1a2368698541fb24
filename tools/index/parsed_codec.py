"""`ParsedFile` as compact JSON: how a parsed file travels between processes. The inverse of itself, nothing more.

Rows are arrays in the order of the dataclass's fields; the names around references, which repeat, are listed once.
"""

from __future__ import annotations

import json
from typing import Any

from tools.index.chunk import Chunk, Definition, Import, ParsedFile, Reference, ReferenceKind

_KINDS: tuple[ReferenceKind, ...] = ("call", "import", "other")


def encode(parsed: ParsedFile) -> bytes:
    """ASCII JSON; lone surrogates survive."""
    around = {name: at for at, name in enumerate(dict.fromkeys(one.enclosing for one in parsed.references))}
    chunks = [
        (c.first_line, c.last_line, c.kind, c.text, c.symbol, c.qualified_name, c.signature, c.docstring)
        for c in parsed.chunks
    ]
    definitions = [
        (d.name, d.qualified_name, d.kind, d.first_line, d.last_line, d.signature) for d in parsed.definitions
    ]
    references = [(r.name, r.line, _KINDS.index(r.kind), around[r.enclosing]) for r in parsed.references]
    imports = [(i.module, i.names, i.line) for i in parsed.imports]
    whole = (parsed.language, chunks, definitions, list(around), references, imports, parsed.note)
    return json.dumps(whole, separators=(",", ":"), check_circular=False).encode("ascii")


def decode(payload: bytes) -> ParsedFile:
    """What `encode` was given. Raises ValueError, TypeError or IndexError for anything else."""
    whole: Any = json.loads(payload)
    language, chunks, definitions, around, references, imports, note = whole
    uses: list[tuple[str, int, int, int]] = references
    return ParsedFile(
        language=language,
        chunks=tuple(Chunk(*row) for row in chunks),
        definitions=tuple(Definition(*row) for row in definitions),
        references=tuple(Reference(name, line, _KINDS[kind], around[at]) for name, line, kind, at in uses),
        imports=tuple(Import(module, tuple(names), line) for module, names, line in imports),
        note=note,
    )
