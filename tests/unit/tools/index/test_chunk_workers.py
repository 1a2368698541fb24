"""The pool chunks every file, whatever a file does to its worker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from support.children import python_path

from tools.index.chunk import ParsedFile
from tools.index.chunk_workers import ChunkWorkers
from tools.index.chunker import chunk_source


def _files(count: int) -> list[tuple[str, str]]:
    return [(f"src/m{n}.py", f"def f{n}(a):\n    return g{n}(a)\n") for n in range(count)]


def _odd_workers(processes: int) -> ChunkWorkers:
    return ChunkWorkers(
        processes, seconds_per_file=3.0, module="support.odd_chunk_worker", environment=python_path()
    )


@pytest.fixture
def workers() -> Iterator[ChunkWorkers]:
    with closing(ChunkWorkers(2)) as pool:
        yield pool


def test_each_file_comes_back_once_as_the_chunker_makes_it(workers: ChunkWorkers) -> None:
    files = _files(60)
    results = list(workers.parse(files))
    assert sorted(path for path, _ in results) == sorted(path for path, _ in files)
    assert dict(results) == {path: chunk_source(path, text) for path, text in files}


def test_no_files_start_no_worker() -> None:
    with closing(ChunkWorkers(2, module="no_such_module")) as pool:
        assert list(pool.parse([])) == []


def test_the_pool_is_used_again_and_also_while_it_is_in_use(workers: ChunkWorkers) -> None:
    outer: list[str] = []
    for path, _ in workers.parse(_files(20)):
        outer.append(path)
        if len(outer) == 5:
            assert len(list(workers.parse(_files(3)))) == 3
    assert len(outer) == 20
    assert len(list(workers.parse(_files(20)))) == 20


def test_leaving_early_does_not_mix_up_what_comes_next(workers: ChunkWorkers) -> None:
    results = workers.parse(_files(30))
    next(results)
    results.close()
    assert [path for path, _ in workers.parse([("a.py", "x = 1")])] == ["a.py"]


def test_files_are_read_only_as_they_are_needed(workers: ChunkWorkers) -> None:
    taken: list[str] = []

    def lazily() -> Iterator[tuple[str, str]]:
        for path, text in _files(500):
            taken.append(path)
            yield path, text

    results = workers.parse(lazily())
    next(results)
    assert len(taken) < 100
    results.close()


@pytest.mark.parametrize("count", [1, 40])
@pytest.mark.parametrize(
    ("name", "reason"),
    [("crash.py", "the parser crashed (exit code 11)"), ("hang.py", "took longer than 3 s")],
)
def test_a_file_that_kills_its_worker_is_chunked_by_lines_and_the_others_by_syntax(
    name: str, reason: str, count: int
) -> None:
    files = _files(count)
    files.insert(count // 2, (name, "def f():\n    pass\n"))
    with closing(_odd_workers(2)) as pool:
        results = dict(pool.parse(files))
    assert len(results) == len(files)
    bad = results.pop(name)
    assert reason in bad.note
    assert [(chunk.first_line, chunk.last_line) for chunk in bad.chunks] == [(1, 2)]
    assert all(_is_by_syntax(parsed) for parsed in results.values())


def test_when_every_file_kills_its_worker_the_run_still_ends() -> None:
    with closing(_odd_workers(2)) as pool:
        results = dict(pool.parse([(f"crash{n}.py", "x = 1\n") for n in range(4)]))
    assert len(results) == 4
    assert all("crashed" in parsed.note for parsed in results.values())


def test_text_that_is_not_unicode_travels_unharmed(workers: ChunkWorkers) -> None:
    [(path, parsed)] = workers.parse([("\udcff.py", "x = '\ud800\0'\n")])
    assert path == "\udcff.py"
    assert parsed.chunks[0].text == "x = '\ud800\0'"


def _is_by_syntax(parsed: ParsedFile) -> bool:
    return not parsed.note and len(parsed.definitions) == 1
