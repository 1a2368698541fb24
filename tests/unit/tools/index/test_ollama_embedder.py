"""The embedder over a real socket, against a server that is faithful to the byte."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from support import ollama_fixtures as f
from support.fake_ollama import FakeOllama, embed
from support.wire_server import Reply, Request, json_reply

from tools.index.embedder import EMBEDDED_CHARACTERS, EmbedderUnavailable
from tools.index.ollama_embedder import OllamaEmbedder, connected, prefixes_of

NOMIC = "nomic-embed-text"


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with FakeOllama() as server:
        yield server


def inputs(server: FakeOllama) -> list[list[str]]:
    """The texts of every request for vectors."""
    return [request.json["input"] for request in server.requests if request.path == "/api/embed"]


def refused(url: str, model: str = NOMIC) -> EmbedderUnavailable:
    with pytest.raises(EmbedderUnavailable) as caught:
        connected(url, model)
    assert caught.value.cause
    assert caught.value.hint
    return caught.value


def test_rows_have_unit_length_and_the_order_of_the_texts(server: FakeOllama):
    with closing(connected(server.url, NOMIC)) as embedder:
        rows = embedder.embed_documents(["def sign(cookie): ...", "def route(path): ..."])
        alone = embedder.embed_documents(["def route(path): ..."])
        assert embedder.embed_documents([]).shape == (0, f.EMBEDDING_DIMENSION)
    assert rows.shape == (2, f.EMBEDDING_DIMENSION)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1.0, 1.0], abs=1e-5)
    assert np.array_equal(rows[1], alone[0])


def test_prefixes_are_added_as_the_family_was_trained_and_nothing_is_cut_without_a_word(server: FakeOllama):
    with closing(connected(server.url, NOMIC, keep_alive="5m")) as embedder:
        embedder.embed_documents(["def sign(): ..."])
        embedder.embed_query("who signs?")
    (documents, query) = [request for request in server.requests if request.path == "/api/embed"]
    assert documents.json["input"] == ["search_document: def sign(): ..."]
    assert query.json["input"] == ["search_query: who signs?"]
    assert (documents.json["truncate"], documents.json["keep_alive"]) == (False, "5m")
    assert "options" not in documents.json
    assert "authorization" not in documents.headers


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("nomic-embed-text", "nomic"),
        ("me/nomic-embed-text-v2-moe:latest", "nomic"),
        ("Qwen3-Embedding:0.6b", "qwen3"),
        ("embeddinggemma:300m", "gemma"),
        ("snowflake-arctic-embed2", "arctic2"),
        ("mxbai-embed-large:v1", "mxbai"),
        ("someone/multilingual-e5-large", "e5"),
        ("bge-m3", "none"),
        ("granite-embedding:278m", "none"),
    ],
)
def test_a_family_is_known_by_its_name_whoever_offers_it(model: str, family: str):
    assert prefixes_of(model).name == family


def test_the_fingerprint_names_all_that_a_vector_depends_on(server: FakeOllama):
    named, tagged = (connected(server.url, name) for name in (NOMIC, f"{NOMIC}:latest"))
    wanted = f"1/ollama:{NOMIC}:latest/{f.DIGEST[:12]}/{f.EMBEDDING_DIMENSION}/nomic/{EMBEDDED_CHARACTERS}"
    assert named.fingerprint == tagged.fingerprint == wanted


def test_the_length_of_a_vector_is_read_from_the_list_the_card_or_a_vector():
    silent = f.tag(f"{NOMIC}:latest", 1, None)
    del silent["details"]["embedding_length"]
    card = json_reply({"model_info": {"nomic-bert.embedding_length": f.EMBEDDING_DIMENSION}})
    for cards in ({NOMIC: card}, {NOMIC: json_reply({"model_info": None})}):
        with FakeOllama(models=[silent], cards=cards) as server:
            assert connected(server.url, NOMIC).dimension == f.EMBEDDING_DIMENSION


def test_a_text_that_is_too_long_for_the_model_is_halved_until_it_fits():
    def short_of_words(body: dict[str, Any]) -> Reply:
        too_long = any(len(text) > 200 for text in body["input"])
        return f.error("the input length exceeds the context length", 400) if too_long else embed(body)

    with Embedding(short_of_words) as server, closing(connected(server.url, NOMIC)) as embedder:
        assert embedder.embed_documents(["x = 1; " * 100]).shape == (1, f.EMBEDDING_DIMENSION)
        with pytest.raises(EmbedderUnavailable, match="context length"):
            embedder.embed_documents(["x = 1; " * 100, "y"])  # a batch: which text it was is not told
    assert [len(texts[0]) for texts in inputs(server)][:3] == [617, 317, 167]


def test_a_text_that_gives_no_numbers_is_tried_once_more_without_its_blanks(server: FakeOllama):
    with closing(connected(server.url, NOMIC)) as embedder, pytest.raises(EmbedderUnavailable, match="NaN"):
        embedder.embed_documents(["a  __NAN__"])
    assert inputs(server) == [["search_document: a  __NAN__"], ["search_document: a __NAN__"]]


def test_vectors_of_another_length_than_told_are_refused():
    def longer(body: dict[str, Any]) -> Reply:
        return json_reply({"embeddings": [[1.0] * 9 for _ in body["input"]]})

    with Embedding(longer) as server, pytest.raises(EmbedderUnavailable, match="other vectors"):
        connected(server.url, NOMIC).embed_query("?")


@pytest.mark.parametrize("model", ["nomic-embed-text:cloud", "me/embed:8b-cloud", "my-helper"])
def test_a_model_that_runs_elsewhere_is_refused_and_sent_nothing(server: FakeOllama, model: str):
    error = refused(server.url, model)
    assert "does not run on this machine" in error.what
    assert server.paths() == []


def test_the_card_decides_whether_a_model_embeds_where_the_list_does_not_know():
    listed = f.tag("mine:latest", capabilities=("completion",), embedding_length=f.EMBEDDING_DIMENSION)
    card = json_reply({"capabilities": ["embedding"]})
    with Embedding(embed, models=[listed], cards={"mine": card}) as server:
        assert connected(server.url, "mine").embed_query("?").shape == (f.EMBEDDING_DIMENSION,)


def test_a_model_that_is_replaced_or_moved_away_while_it_is_used_is_sent_no_further_text(server: FakeOllama):
    embedder = connected(server.url, NOMIC)
    embedder.embed_query("?")
    for change, told in (
        ({"digest": "f" * 64}, "another one now"),
        ({"remote_model": "big"}, "does not run"),
    ):
        server.models = [{**f.EMBEDDING_TAG, **change}]
        with pytest.raises(EmbedderUnavailable, match=told):
            embedder.embed_documents(["def sign(): ..."])
    assert len(inputs(server)) == 1


def test_what_is_missing_is_told_with_its_remedy(server: FakeOllama):
    assert "ollama pull bge-m3" in refused(server.url, "bge-m3").hint
    assert "is no embedding model" in refused(server.url, f.MODEL).what
    with FakeOllama() as gone:
        pass
    error = refused(gone.url)
    assert "connection refused" in error.cause
    assert "ollama serve" in error.hint


class Embedding(FakeOllama):
    """A server whose vectors a test decides on."""

    def __init__(self, answer: Any, **more: Any) -> None:
        super().__init__(**more)
        self._answer = answer

    def answer(self, request: Request) -> Reply:
        return self._answer(request.json) if request.path == "/api/embed" else super().answer(request)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(body=b"<html>hello</html>", content_type="text/html"), "does not answer"),
        (Reply(body=b"[1]"), "does not answer"),
        (Reply(say_nothing=True), "does not answer"),
        (Reply(body=b"", status=302, headers={"Location": "http://192.0.2.1/"}), "did not embed"),
        (json_reply({"embeddings": [["a"]]}), "does not answer"),
        (json_reply({"embeddings": [[None, 1.0]]}), "does not answer"),
        (json_reply({"embeddings": []}), "does not answer"),
        (f.error("model runner has unexpectedly stopped", 500), "did not embed"),
    ],
)
def test_whatever_else_comes_is_told_and_never_taken_for_a_vector(reply: Reply, told: str):
    with Embedding(lambda _: reply) as server, pytest.raises(EmbedderUnavailable) as caught:
        connected(server.url, NOMIC).embed_query("?")
    assert told in caught.value.what


def test_closing_it_ends_a_call_that_is_under_way_and_a_later_call_connects_again():
    gate = threading.Event()
    held = [Reply(body=b"{}", before_headers=gate)]
    with Embedding(lambda body: held.pop() if held else embed(body)) as server:
        embedder = connected(server.url, NOMIC)
        failures: list[str] = []
        waiting = threading.Thread(target=_embed, args=(embedder, failures))
        waiting.start()
        assert server.waiting.wait(10)
        embedder.close()
        waiting.join(10)
        assert not waiting.is_alive()
        assert server.hung_up.wait(5)
        assert failures
        assert embedder.embed_query("?").shape == (f.EMBEDDING_DIMENSION,)


def _embed(embedder: OllamaEmbedder, failures: list[str]) -> None:
    try:
        embedder.embed_query("?")
    except EmbedderUnavailable as error:
        failures.append(error.cause)


def test_a_proxy_of_the_environment_is_not_asked(server: FakeOllama, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("http_proxy", "http://192.0.2.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:9")
    assert connected(server.url, NOMIC).embed_query("?").shape == (f.EMBEDDING_DIMENSION,)
    assert json.loads(server.requests[-1].body)["model"] == NOMIC
