from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from support.parsed_files import SESSIONS, record_of, sessions_parsed

from tools.errors import IndexUnusable
from tools.index.catalog import Catalog
from tools.index.catalog_schema import FILE_NAME, IndexDamaged, open_for_writing


def filled(folder: Path, files: int = 40) -> Path:
    """A catalog of some size in `folder`, closed well; its file."""
    with Catalog.open(folder) as catalog:
        for number in range(files):
            catalog.put_file(record_of(f"{number}.py", SESSIONS), sessions_parsed(), "source")
    return folder / FILE_NAME


def die_while_writing(folder: Path) -> None:
    """A process that has written to the catalog and then is killed."""
    code = (
        "import os, sys; from pathlib import Path; from tools.index.catalog import Catalog\n"
        "catalog = Catalog.open(Path(sys.argv[1])); catalog.remove_file('0.py'); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], check=False)
    assert done.returncode != 0


def spoil_pages(database: Path) -> None:
    """Overwrite the second half of the file, whose header stays good."""
    data = database.read_bytes()
    middle = len(data) // 2 // 4096 * 4096
    database.write_bytes(data[:middle] + b"\xa5" * (len(data) - middle))


def test_nobody_else_can_read_the_database(tmp_path: Path) -> None:
    with Catalog.open(tmp_path) as catalog:
        catalog.put_file(record_of("a.py", SESSIONS), sessions_parsed(), "source")
        for path in tmp_path.iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_a_reader_of_an_index_that_was_never_built_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(IndexUnusable, match="no index yet"):
        Catalog.open(tmp_path, read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_reader_sees_each_file_as_soon_as_it_is_put(tmp_path: Path) -> None:
    with Catalog.open(tmp_path) as catalog, Catalog.open(tmp_path, read_only=True) as reader:
        for number in range(3):
            catalog.put_file(record_of(f"{number}.py", SESSIONS), sessions_parsed(), "source")
            assert len(reader.files()) == number + 1


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    filled(tmp_path, 1)
    with Catalog.open(tmp_path, read_only=True) as reader, pytest.raises(IndexUnusable, match="cannot write"):
        reader.remove_file("0.py")


def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    database = filled(tmp_path, 1)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA user_version = 999")
    before = database.read_bytes()
    for read_only in (True, False):
        with pytest.raises(IndexUnusable, match="newer codewitness") as refusal:
            Catalog.open(tmp_path, read_only=read_only)
        assert "999" in refusal.value.cause
    assert database.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"this is not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 8000]
)
def test_a_file_that_is_no_database_is_set_aside_and_built_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(IndexDamaged) as refusal:
        Catalog.open(tmp_path, read_only=True)
    assert "--rebuild" in refusal.value.hint
    with Catalog.open(tmp_path) as catalog:
        assert catalog.files() == {}
        (note,) = catalog.notes
    (kept,) = tmp_path.glob("catalog.corrupt-*")
    assert kept.name in note
    assert kept.read_bytes() == content


def test_only_the_last_damaged_file_is_kept(tmp_path: Path) -> None:
    for content in (b"first" * 1000, b"second" * 1000):
        (tmp_path / FILE_NAME).write_bytes(content)
        Catalog.open(tmp_path).close()
    (kept,) = tmp_path.glob("catalog.corrupt-*")
    assert kept.read_bytes() == b"second" * 1000


def test_damage_that_came_with_a_crash_is_found_at_the_next_opening(tmp_path: Path) -> None:
    filled(tmp_path)
    die_while_writing(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    spoil_pages(tmp_path / FILE_NAME)
    with Catalog.open(tmp_path) as catalog:
        assert catalog.files() == {}
        assert catalog.notes


def test_after_a_crash_without_damage_everything_committed_is_there(tmp_path: Path) -> None:
    filled(tmp_path)
    die_while_writing(tmp_path)
    with Catalog.open(tmp_path) as catalog:
        assert sorted(catalog.files()) == sorted(f"{number}.py" for number in range(1, 40))
        assert catalog.notes == ()
        catalog.check()


@pytest.mark.parametrize(
    "spoiling",
    [
        "UPDATE files SET redactions = '{'",
        "UPDATE files SET redactions = x'ff00'",
        "UPDATE refs SET places = '[1, 2]'",
        "UPDATE refs SET places = 'nothing of ours'",
        "UPDATE imports SET names = '7'",
    ],
)
def test_a_row_that_was_never_written_so_is_damage_and_not_a_crash(tmp_path: Path, spoiling: str) -> None:
    database = filled(tmp_path, 2)
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute(spoiling).rowcount
        connection.commit()
    with Catalog.open(tmp_path, read_only=True) as reader, pytest.raises(IndexDamaged) as refusal:
        read_everything(reader)
    assert "--rebuild" in refusal.value.hint


def read_everything(reader: Catalog) -> None:
    for path in reader.files():
        reader.chunks_of(path)
        reader.keyword_search({"cooki": 1.0})
        reader.references("get_cookie_domain")
        reader.imports_of(path)


def test_damage_met_in_the_middle_is_told_as_such(tmp_path: Path) -> None:
    spoil_pages(filled(tmp_path))
    with Catalog.open(tmp_path, read_only=True) as reader, pytest.raises(IndexDamaged):
        read_everything(reader)


def put_many(catalog: Catalog) -> None:
    for number in range(1000):
        catalog.put_file(record_of(f"{number}.py", SESSIONS), sessions_parsed(), "source")


def test_a_full_disk_is_told_and_what_was_done_is_kept(tmp_path: Path) -> None:
    filled(tmp_path, 1)
    connection, _ = open_for_writing(tmp_path)
    connection.execute("PRAGMA max_page_count = 120")
    with Catalog(connection, tmp_path, ()) as catalog:
        with pytest.raises(IndexUnusable) as refusal:
            put_many(catalog)
        assert "free some space" in refusal.value.hint
        done = len(catalog.files())
        assert 1 < done < 1000
        assert catalog.chunk_count() == 4 * done
    with Catalog.open(tmp_path) as catalog:
        assert len(catalog.files()) == done
        catalog.check()


def test_a_writer_that_waits_too_long_is_told_that_another_is_writing(tmp_path: Path) -> None:
    database = filled(tmp_path, 1)
    connection, _ = open_for_writing(tmp_path)
    connection.execute("PRAGMA busy_timeout = 10")
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with Catalog(connection, tmp_path, ()) as catalog, pytest.raises(IndexUnusable) as refusal:
            catalog.remove_file("0.py")
    assert "is writing" in refusal.value.hint


def test_an_empty_file_is_a_new_catalog(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).touch()
    with Catalog.open(tmp_path) as catalog:
        assert catalog.files() == {}
        assert catalog.notes == ()
