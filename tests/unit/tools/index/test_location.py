from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest
from support.parsed_files import SESSIONS, record_of, sessions_parsed

from tools.errors import IndexUnusable
from tools.index.catalog import Catalog
from tools.index.location import delete_index, index_folder, index_place, list_indexes, prune
from tools.index.lock import WriterLock


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data" / "codewitness"


def workspace(tmp_path: Path, name: str = "project") -> Path:
    folder = tmp_path / name
    folder.mkdir()
    return folder


def test_a_workspace_has_one_private_folder(tmp_path: Path, data_dir: Path) -> None:
    root = workspace(tmp_path)
    folder = index_folder(root, data_dir)
    assert folder == index_folder(root, data_dir)
    assert folder.parent == data_dir
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(data_dir.stat().st_mode) == 0o700


def test_a_folder_that_was_opened_to_others_is_closed_again(tmp_path: Path, data_dir: Path) -> None:
    root = workspace(tmp_path)
    index_folder(root, data_dir).chmod(0o755)
    assert stat.S_IMODE(index_folder(root, data_dir).stat().st_mode) == 0o700


def test_a_link_leads_to_the_index_of_what_it_points_at(tmp_path: Path, data_dir: Path) -> None:
    root = workspace(tmp_path)
    (tmp_path / "link").symlink_to(root)
    assert index_folder(tmp_path / "link", data_dir) == index_folder(root, data_dir)


def test_another_folder_at_the_same_path_has_another_index(tmp_path: Path, data_dir: Path) -> None:
    root = workspace(tmp_path)
    before = index_folder(root, data_dir)
    root.rename(tmp_path / "kept")  # so that its inode is not given out again
    root.mkdir()
    assert index_folder(root, data_dir) != before


def test_nothing_is_written_into_the_workspace(tmp_path: Path, data_dir: Path) -> None:
    root = workspace(tmp_path)
    index_folder(root, data_dir)
    assert list(root.iterdir()) == []


def test_a_data_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IndexUnusable) as refusal:
        index_folder(workspace(tmp_path), tmp_path / "file" / "data")
    assert "data folder" in refusal.value.hint


def test_every_index_is_listed_with_its_workspace_and_size(tmp_path: Path, data_dir: Path) -> None:
    assert list_indexes(data_dir) == []
    roots = [workspace(tmp_path, name) for name in ("b", "a")]
    for root in roots:
        Catalog.open(index_folder(root, data_dir)).close()
    (data_dir / "vectors.db").touch()
    (data_dir / "not-an-index").mkdir()
    listed = list_indexes(data_dir)
    assert [one.workspace for one in listed] == [str(tmp_path / "a"), str(tmp_path / "b")]
    assert all(one.present and one.bytes_on_disk > 1000 and not one.updated_at for one in listed)


def test_pruning_deletes_the_indexes_of_workspaces_that_are_gone(tmp_path: Path, data_dir: Path) -> None:
    kept, gone = workspace(tmp_path, "kept"), workspace(tmp_path, "gone")
    folders = [index_folder(root, data_dir) for root in (kept, gone)]
    for folder in folders:
        Catalog.open(folder).close()
    gone.rmdir()
    assert [one.present for one in list_indexes(data_dir)] == [False, True]
    pruned = prune(data_dir)
    assert [one.workspace for one in pruned.removed] == [str(gone)]
    assert [one.workspace for one in list_indexes(data_dir)] == [str(kept)]
    assert not folders[1].exists()


def test_pruning_removes_the_vectors_of_texts_that_are_gone(tmp_path: Path, data_dir: Path) -> None:
    with Catalog.open(index_folder(workspace(tmp_path), data_dir)) as catalog:
        catalog.put_file(record_of("a.py", SESSIONS), sessions_parsed(), "source")
        wanted = catalog.texts_without_vector("e5", 100)
        catalog.put_vectors("e5", [(sha, np.zeros(4, np.float32).tobytes()) for sha, _ in wanted])
        catalog.remove_file("a.py")
    assert prune(data_dir).vectors == len(wanted) == 4


def test_an_index_that_is_being_written_is_neither_pruned_nor_deleted(tmp_path: Path, data_dir: Path) -> None:
    root = workspace(tmp_path)
    folder = index_folder(root, data_dir)
    Catalog.open(folder).close()
    root.rmdir()
    with WriterLock(folder):
        assert [one.workspace for one in prune(data_dir).busy] == [str(root)]
        with pytest.raises(IndexUnusable):
            delete_index(folder)
    assert len(list_indexes(data_dir)) == 1


def test_a_deleted_index_can_be_made_again(tmp_path: Path, data_dir: Path) -> None:
    root = workspace(tmp_path)
    folder = index_folder(root, data_dir)
    Catalog.open(folder).close()
    delete_index(folder)
    assert list_indexes(data_dir) == []
    assert index_folder(root, data_dir) == folder
    Catalog.open(folder).close()
    assert len(list_indexes(data_dir)) == 1


def test_a_folder_that_is_no_index_is_not_deleted(tmp_path: Path) -> None:
    precious = workspace(tmp_path)
    (precious / "work.txt").touch()
    (precious / "workspace.json").write_text('{"path": "/somewhere", "device": 1, "inode": 2}')
    with pytest.raises(IndexUnusable):
        delete_index(precious)
    assert (precious / "work.txt").exists()


def test_pruning_changes_nothing_of_when_an_index_was_updated(tmp_path: Path, data_dir: Path) -> None:
    with Catalog.open(index_folder(workspace(tmp_path), data_dir)) as catalog:
        catalog.put_file(record_of("a.py", SESSIONS), sessions_parsed(), "source")
        updated_at = catalog.updated_at()
        catalog.put_vectors("e5", [("f" * 64, np.zeros(4, np.float32).tobytes())])
    (before,) = list_indexes(data_dir)
    assert prune(data_dir).vectors == 1
    (after,) = list_indexes(data_dir)
    assert after.updated_at == before.updated_at >= updated_at


def test_where_an_index_would_lie_is_told_without_making_it(tmp_path: Path, data_dir: Path) -> None:
    root = workspace(tmp_path)
    place = index_place(root, data_dir)
    assert not data_dir.exists()
    assert place == index_folder(root, data_dir)
