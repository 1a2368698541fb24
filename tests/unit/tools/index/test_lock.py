from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools.errors import IndexUnusable
from tools.index.lock import LOCK_NAME, WriterLock, writer

_HOLD = (
    "import sys; from pathlib import Path; from tools.index.lock import WriterLock\n"
    "with WriterLock(Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()"
)


@contextmanager
def another_process_holds(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A second process that holds the lock until its standard input ends."""
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == "held\n"
        yield holder
    finally:
        holder.communicate()


def test_the_lock_is_held_within_the_block_only(tmp_path: Path) -> None:
    with WriterLock(tmp_path) as lock:
        assert lock.held
        holder = writer(tmp_path)
        assert holder is not None
        assert holder.pid == os.getpid()
    assert not lock.held
    assert writer(tmp_path) is None
    with WriterLock(tmp_path):
        pass


def test_a_busy_lock_names_who_holds_it_and_what_to_do(tmp_path: Path) -> None:
    with another_process_holds(tmp_path) as holder:
        with pytest.raises(IndexUnusable) as refusal:
            WriterLock(tmp_path).acquire()
        assert f"pid {holder.pid} since " in refusal.value.cause
        assert "wait until it has finished" in refusal.value.hint
        assert str(writer(tmp_path)).startswith(f"pid {holder.pid} since ")
    with WriterLock(tmp_path):
        pass


def test_a_holder_that_is_killed_frees_the_lock_at_once(tmp_path: Path) -> None:
    with another_process_holds(tmp_path) as holder:
        holder.kill()
        holder.wait()
        assert writer(tmp_path) is None
        with WriterLock(tmp_path) as lock:
            assert lock.held


def test_the_same_process_cannot_take_it_twice_either(tmp_path: Path) -> None:
    with WriterLock(tmp_path), pytest.raises(IndexUnusable, match="being written"):
        WriterLock(tmp_path).acquire()


def test_a_lock_may_be_given_back_more_than_once(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path).acquire()
    lock.release()
    lock.release()
    assert not lock.held


def test_the_lock_file_is_never_deleted(tmp_path: Path) -> None:
    with WriterLock(tmp_path):
        before = (tmp_path / LOCK_NAME).stat().st_ino
    with WriterLock(tmp_path):
        assert (tmp_path / LOCK_NAME).stat().st_ino == before
    assert (tmp_path / LOCK_NAME).exists()


@pytest.mark.parametrize(
    "note", ["", "{}", "[]", "no json", '{"pid": 1, "since": "yesterday", "started": 0}']
)
def test_a_note_that_makes_no_sense_is_nobody(tmp_path: Path, note: str) -> None:
    (tmp_path / "writer.json").write_text(note)
    assert writer(tmp_path) is None
    with WriterLock(tmp_path):
        pass


def test_where_there_is_no_folder_there_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IndexUnusable) as refusal:
        WriterLock(tmp_path / "file" / "index").acquire()
    assert "data folder" in refusal.value.hint
