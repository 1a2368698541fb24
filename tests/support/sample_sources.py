"""The sample sources of every language, and what the chunker shall make of each, as text that people can read.

`samples/NAME` is the source, `expected/NAME.txt` what it is made of: chunks, definitions, imports, references, one
a line. The expectation is written as `described` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tools.index.chunk import ParsedFile

_FOLDER = Path(__file__).parent / "samples"
_EXPECTED = Path(__file__).parent / "expected"


def sample_names() -> list[str]:
    """The file names of all samples."""
    return sorted(path.name for path in _FOLDER.iterdir())


def sample(name: str) -> str:
    """The text of one."""
    return (_FOLDER / name).read_text(encoding="utf-8")


def expected(name: str) -> list[str]:
    """The lines that describe what it is made of."""
    return (_EXPECTED / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def described(parsed: ParsedFile) -> list[str]:
    """A parsed file as lines."""
    return list(_described(parsed))


def _described(parsed: ParsedFile) -> Iterator[str]:
    yield f"language {parsed.language}"
    for chunk in parsed.chunks:
        yield _line("chunk", f"{chunk.first_line}-{chunk.last_line}", chunk.kind, chunk.qualified_name)
        if chunk.docstring:
            yield f"    says: {' / '.join(chunk.docstring.split(chr(10)))}"
    for one in parsed.definitions:
        place = f"{one.first_line}-{one.last_line}"
        yield _line("definition", place, one.kind, one.qualified_name, "|", one.signature)
    for one in parsed.imports:
        yield _line("brings", str(one.line), one.module, ", ".join(one.names))
    for one in parsed.references:
        yield _line(one.kind, str(one.line), one.name, f"in {one.enclosing}" if one.enclosing else "")


def _line(*parts: str) -> str:
    return " ".join(part for part in parts if part)
