"""A parsed file survives the way between processes."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.index.chunk import Chunk, Definition, Import, ParsedFile, Reference
from tools.index.parsed_codec import decode, encode

_TEXT = st.text(st.characters(codec=None), max_size=20)
_LINE = st.integers(1, 10**6)
_PARSED = st.builds(
    ParsedFile,
    language=_TEXT,
    chunks=st.tuples(
        st.builds(
            Chunk, _LINE, _LINE, st.sampled_from(["function", "config"]), _TEXT, _TEXT, _TEXT, _TEXT, _TEXT
        )
    ),
    definitions=st.lists(st.builds(Definition, _TEXT, _TEXT, _TEXT, _LINE, _LINE, _TEXT), max_size=3).map(
        tuple
    ),
    references=st.lists(
        st.builds(Reference, _TEXT, _LINE, st.sampled_from(["call", "import", "other"]), _TEXT), max_size=4
    ).map(tuple),
    imports=st.lists(st.builds(Import, _TEXT, st.lists(_TEXT, max_size=2).map(tuple), _LINE), max_size=2).map(
        tuple
    ),
    note=_TEXT,
)


@given(_PARSED)
def test_decoding_gives_back_what_was_encoded(parsed: ParsedFile) -> None:
    assert decode(encode(parsed)) == parsed


def test_every_field_of_the_values_is_carried() -> None:
    """A field that is added to a value must be added to the codec: the rows are written out there."""
    counts = {kind: len(fields(kind)) for kind in (ParsedFile, Chunk, Definition, Reference, Import)}
    assert list(counts.values()) == [6, 8, 6, 4, 3]


@pytest.mark.parametrize("payload", [b"", b"[]", b"{}", b"null", b'["python",[],[],[],[["f",1,9,0]],[],""]'])
def test_anything_else_is_refused(payload: bytes) -> None:
    with pytest.raises((ValueError, TypeError, IndexError)):
        decode(payload)
