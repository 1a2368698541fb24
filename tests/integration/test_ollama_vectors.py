"""Vectors from an Ollama server in a real index: filled behind, switched, and done without."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support import ollama_fixtures as f
from support.fake_ollama import FakeOllama
from support.small_workspace import small_workspace

from agent.doctor import embedder as embedder_check
from agent.errors import SettingsInvalid
from agent.session import Session, open_session
from agent.settings import IndexSettings, ModelSettings, Settings
from tools.index.progress import IndexReport
from tools.index.search import Query

OTHER = f.tag("bge-m3:latest", capabilities=("embedding",), embedding_length=f.EMBEDDING_DIMENSION)


def settings(url: str, data: Path, embedder: str) -> Settings:
    index = IndexSettings(embedder=embedder, data_folder=str(data))
    return Settings(model=ModelSettings(base_url=url), index=index)


@contextmanager
def opened(url: str, tmp_path: Path, embedder: str) -> Iterator[Session]:
    root = tmp_path / "shop"
    if not root.exists():
        small_workspace(root)
    session = open_session(settings(url, tmp_path / "data", embedder), root)
    try:
        yield session
    finally:
        asyncio.run(session.aclose())


def filled(session: Session) -> IndexReport:
    """An index brought up to date, with every vector."""
    session.refresh(lambda _: None, lambda: False)
    return session.fill_vectors(lambda _: None, lambda: False)


def found_by(session: Session) -> set[str]:
    """Which ways of searching led to the best places."""
    outcome = session.find(Query("gross price"))
    assert outcome.results
    return {way for result in outcome.results for way in result.found_by}


def test_chunks_get_vectors_that_searches_use(tmp_path: Path):
    with FakeOllama() as server, opened(server.url, tmp_path, "ollama") as session:
        report = filled(session)
        status = session.index_status()
        assert report.embedded == status.vectors == status.chunks > 0
        assert status.embedder == "nomic-embed-text (Ollama)"
        assert "vector" in found_by(session)


def test_another_embedder_leaves_keywords_ready_and_embeds_again_behind_them(tmp_path: Path):
    with FakeOllama(models=[f.EMBEDDING_TAG, OTHER]) as server:
        with opened(server.url, tmp_path, "ollama:nomic-embed-text") as session:
            filled(session)
        with opened(server.url, tmp_path, "ollama:bge-m3") as session:
            status = session.index_status()
            assert (status.vectors, status.chunks > 0) == (0, True)
            assert any("nomic" in note for note in status.notes)
            assert found_by(session) == {"keyword"}
            assert filled(session).embedded == status.chunks
            assert "vector" in found_by(session)
        sent = len(server.requests)
        with opened(server.url, tmp_path, "ollama:nomic-embed-text") as session:
            assert filled(session).embedded == 0
        assert "/api/embed" not in [request.path for request in server.requests[sent:]]


def test_the_same_name_with_another_digest_is_another_embedder(tmp_path: Path):
    with FakeOllama() as server:
        with opened(server.url, tmp_path, "ollama") as session:
            filled(session)
        server.models = [{**f.EMBEDDING_TAG, "digest": "f" * 64}]
        with opened(server.url, tmp_path, "ollama") as session:
            assert session.index_status().vectors == 0


def test_a_server_that_is_gone_leaves_keywords_and_the_status_says_why(tmp_path: Path):
    with FakeOllama() as server:
        with opened(server.url, tmp_path, "ollama") as session:
            filled(session)
        session = open_session(settings(server.url, tmp_path / "data", "ollama"), tmp_path / "shop")
        assert session.index_status().vectors > 0
    assert found_by(session) == {"keyword"}
    asyncio.run(session.aclose())
    with opened(server.url, tmp_path, "ollama") as session:
        assert "connection refused" in session.index_status().embedder
        assert found_by(session) == {"keyword"}


def test_another_machine_embeds_only_where_the_persons_settings_allow_it(tmp_path: Path):
    away = settings("http://gpu.example:11434", tmp_path, "ollama")
    with pytest.raises(SettingsInvalid, match="not this machine"):
        embedder_check(away)
    allowed = away.model_copy(
        update={"model": away.model.model_copy(update={"allowed_hosts": ("gpu.example",)})}
    )
    check = embedder_check(allowed)
    assert "another machine, which is asked only when" in check.found


def test_doctor_tries_the_embedder_on_a_text_and_says_how_to_get_a_missing_one(tmp_path: Path):
    with FakeOllama() as server:
        assert "nomic-embed-text (Ollama)" in embedder_check(settings(server.url, tmp_path, "ollama")).found
