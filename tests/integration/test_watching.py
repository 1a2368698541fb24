"""A watch with the real embedder and the real Chroma."""

import threading

import pytest
from support.small_workspace import small_workspace

from agent.session import open_session
from agent.settings import load_settings
from agent.watching import Watching
from tools.errors import IndexUnusable

PATIENCE_SECONDS = 60


@pytest.fixture
async def session(tmp_path):
    environment = {"CODEWITNESS_INDEX__DATA_FOLDER": str(tmp_path / "data")}
    opened = open_session(load_settings({}, environment).settings, small_workspace(tmp_path / "shop"))
    yield opened
    await opened.aclose()


async def test_a_watch_fills_vectors_and_makes_chroma_hold_the_same(session):
    said: list[str] = []
    matched = threading.Event()

    def say(line: str) -> None:
        said.append(line)
        if "by meaning" in line:
            matched.set()

    watching = Watching(session, progress=lambda _: None, stop=matched.is_set, say=say)
    thread = threading.Thread(target=watching.run)
    thread.start()
    assert matched.wait(PATIENCE_SECONDS), said
    thread.join(PATIENCE_SECONDS)
    assert said[0] == "3 added"
    status = session.index_status()
    assert status.vectors == status.chunks > 0
    assert said[-1] == "search by meaning now covers everything"
    assert (session.folder / "chroma").is_dir()


async def test_a_second_watch_is_told_who_watches_already(session):
    ready, done = threading.Event(), threading.Event()
    first = Watching(
        session, progress=lambda _: ready.set(), stop=done.is_set, say=lambda _: None, vectors=False
    )
    thread = threading.Thread(target=first.run)
    thread.start()
    assert ready.wait(PATIENCE_SECONDS)
    second = Watching(session, progress=lambda _: None, stop=lambda: True, say=lambda _: None)
    with pytest.raises(IndexUnusable, match="being written by another"):
        second.run()
    done.set()
    thread.join(PATIENCE_SECONDS)
