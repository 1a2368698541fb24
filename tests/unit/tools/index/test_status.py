from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
from support.parsed_files import SESSIONS, parsed_lines, record_of, sessions_parsed

from tools.index.catalog import Catalog
from tools.index.chunk import Discovery, Skip
from tools.index.lock import WriterLock
from tools.index.status import status


def test_an_index_that_was_never_built_is_empty_and_says_so(tmp_path: Path) -> None:
    told = status(Path("/project"), tmp_path, "none: not asked")
    assert (told.workspace, told.files, told.vectors_share) == ("/project", 0, 0.0)
    assert "codewitness index" in told.notes[0]


def test_the_status_tells_all_that_is_known(tmp_path: Path) -> None:
    with Catalog.open(tmp_path) as catalog:
        catalog.put_file(record_of("a.py", SESSIONS, redactions={"password": 2}), sessions_parsed(), "source")
        catalog.put_file(record_of("b.py", SESSIONS, redactions={"password": 1}), sessions_parsed(), "source")
        catalog.put_file(
            record_of("c.rs", "x"), parsed_lines("x", "rust", note="too deeply nested"), "source"
        )
        catalog.set_skips(Discovery((), (Skip("x.png", "binary"),), "git"))
        sha, _ = catalog.texts_without_vector("e5", 1)[0]
        catalog.put_vectors("e5", [(sha, np.zeros(4, np.float32).tobytes())])
    told = status(Path("/project"), tmp_path, "e5 abc", "e5")
    assert (told.files, told.chunks, told.definitions, told.vectors) == (3, 9, 6, 2)
    assert told.languages == {"python": 2, "rust": 1}
    assert told.skipped == {"binary": 1}
    assert told.redactions == {"password": 3}
    assert told.by_lines == {"c.rs": "too deeply nested"}
    assert (told.listed_by, told.embedder, told.writer, told.notes) == ("git", "e5 abc", "", ())
    assert told.bytes_on_disk > 4096
    assert told.updated_at.startswith("20")


def test_vectors_of_another_embedder_are_told_and_not_counted(tmp_path: Path) -> None:
    with Catalog.open(tmp_path) as catalog:
        catalog.put_file(record_of("a.py", SESSIONS), sessions_parsed(), "source")
        sha, _ = catalog.texts_without_vector("e5", 1)[0]
        catalog.put_vectors("e5", [(sha, np.zeros(4, np.float32).tobytes())])
    told = status(Path("/project"), tmp_path, "bge def", "bge")
    assert told.vectors == 0
    assert "kept for 1 of the chunks and not used now: e5" in told.notes[0]


def test_whoever_writes_now_is_named(tmp_path: Path) -> None:
    with WriterLock(tmp_path):
        assert status(Path("/project"), tmp_path, "none").writer.startswith(f"pid {os.getpid()} since")
        with Catalog.open(tmp_path) as catalog:
            catalog.put_file(replace(record_of("a.py", "x"), n_lines=1), parsed_lines("x"), "source")
            assert status(Path("/project"), tmp_path, "none").files == 1
