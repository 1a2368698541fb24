from pathlib import Path

import pytest

from tools.index.lock import IndexBusy, WriterLock
from tools.index.progress import IndexProgress, IndexReport
from tools.index.turns import in_turn, is_built, note_built


def busy(folder: Path, freed: WriterLock, *, after: int = 1):
    """A refresh that finds the lock taken until it was asked `after` times."""
    asked = 0

    def refresh() -> IndexReport:
        nonlocal asked
        asked += 1
        if asked > after:
            freed.release()
        with WriterLock(folder):
            return IndexReport(added=1)

    return refresh


def test_the_first_index_of_another_process_is_waited_for_and_the_waiting_is_told(tmp_path: Path) -> None:
    told: list[IndexProgress] = []
    other = WriterLock(tmp_path).acquire()
    assert in_turn(busy(tmp_path, other), tmp_path, told.append, lambda: False).added == 1
    assert told[0].phase == "waiting"
    assert "pid " in told[0].current


def test_where_there_is_a_whole_index_nobody_waits(tmp_path: Path) -> None:
    note_built(tmp_path)
    assert is_built(tmp_path)
    with WriterLock(tmp_path) as other, pytest.raises(IndexBusy):
        in_turn(busy(tmp_path, other, after=9), tmp_path, lambda _: None, lambda: False)


def test_a_stop_ends_the_waiting(tmp_path: Path) -> None:
    with WriterLock(tmp_path) as other, pytest.raises(IndexBusy):
        in_turn(busy(tmp_path, other, after=9), tmp_path, lambda _: None, lambda: True)
