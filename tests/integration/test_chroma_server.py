"""Vectors on a real Chroma server (`chroma run`) on this machine's loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.catalogs import CountingEmbedder, catalog_of

from tools.index.catalog import Catalog
from tools.index.exact import ExactVectors
from tools.index.store import ChromaVectors, Reconciled, StoreUnavailable
from tools.index.vector_fill import fill_vectors

pytestmark = pytest.mark.slow

FINGERPRINT = CountingEmbedder.fingerprint
FILES = {"a.py": ["def sign_cookie():\n    return hmac", "def zip_pizza():\n    zzz = 'jazz'"]}
START_SECONDS = 120.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("chroma")
    program = Path(sys.executable).with_name("chroma")
    command = [str(program), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    environment = {**os.environ, "ANONYMIZED_TELEMETRY": "False"}
    with subprocess.Popen(
        command, env=environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        try:
            _await(port, running)
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()


def _await(port: int, running: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and running.poll() is None:
        with socket.socket() as knock:
            if knock.connect_ex(("127.0.0.1", port)) == 0:
                return
        os.sched_yield()
    raise AssertionError("`chroma run` did not start")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "index"
    catalog_of(folder, FILES).close()
    fill_vectors(folder, CountingEmbedder(), progress=lambda _: None, stop=lambda: False)
    return folder


def test_a_server_finds_what_exact_search_finds_and_keeps_indexes_apart(folder: Path, server: str) -> None:
    mine = ChromaVectors(server, index_name="mine", fingerprint=FINGERPRINT)
    other = ChromaVectors(server, index_name="other", fingerprint=FINGERPRINT)
    try:
        with Catalog.open(folder, read_only=True) as catalog:
            assert mine.reconcile(catalog, FINGERPRINT) == Reconciled(added=2, deleted=0)
            assert mine.reconcile(catalog, FINGERPRINT) == Reconciled(added=0, deleted=0)
            question = CountingEmbedder().embed_query("pizza zip jazz")
            exact = ExactVectors(catalog, FINGERPRINT).nearest(question, 2)
        found = mine.nearest(question, 2)
        assert [each[0] for each in found] == [each[0] for each in exact]
        assert [each[1] for each in found] == pytest.approx([each[1] for each in exact], abs=1e-5)
        assert len(other) == 0
    finally:
        mine.close()
        other.close()


def test_a_server_that_is_not_there_is_a_clear_error() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(StoreUnavailable):
            ChromaVectors(f"http://127.0.0.1:{port}", index_name="mine", fingerprint=FINGERPRINT)
