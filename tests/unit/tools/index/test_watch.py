import shutil
import threading
from pathlib import Path

import pytest

from tools.errors import WorkspaceInvalid
from tools.index.watch import folders_to_watch, watch

PATIENCE_SECONDS = 20


class Follower:
    """Runs the watch in a thread; each call of `refresh` lists the folders, as an index run would."""

    def __init__(self, root: Path, fillings: int = 0) -> None:
        self.root = root
        self.refreshed = threading.Semaphore(0)
        self.filled = threading.Semaphore(0)
        self.ended = threading.Event()
        self.error: Exception | None = None
        self.notes: list[str] = []
        self._fillings = fillings
        self._stop = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            watch(
                self.root,
                refresh=self._refresh,
                fill=self._fill,
                stop=self._stop.is_set,
                note=self.notes.append,
            )
        except Exception as error:
            self.error = error
        self.ended.set()

    def _refresh(self) -> frozenset[str]:
        folders = folders_to_watch(self.root, ())
        self.refreshed.release()  # only now: what a test does next is not in this list yet
        return folders

    def _fill(self) -> bool:
        self._fillings -= 1
        self.filled.release()
        return self._fillings > 0

    def settle(self) -> None:
        """Wait until it has looked at the folders twice: once to learn them, once after the watch was taken."""
        for _ in range(2):
            assert self.refreshed.acquire(timeout=PATIENCE_SECONDS)

    def stop(self) -> None:
        self._stop.set()
        assert self.ended.wait(PATIENCE_SECONDS)
        assert self.error is None


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "work" / "src").mkdir(parents=True)
    (tmp_path / "work" / "src" / "a.py").write_text("a = 1\n")
    return tmp_path / "work"


def test_a_changed_file_brings_a_refresh(root):
    follower = Follower(root)
    follower.settle()
    (root / "src" / "a.py").write_text("a = 2\n")
    assert follower.refreshed.acquire(timeout=PATIENCE_SECONDS)
    follower.stop()


def test_the_first_file_in_a_new_folder_is_seen(root):
    follower = Follower(root)
    follower.settle()
    (root / "src" / "new").mkdir()
    follower.settle()
    (root / "src" / "new" / "b.py").write_text("b = 1\n")
    assert follower.refreshed.acquire(timeout=PATIENCE_SECONDS)
    follower.stop()


def test_git_and_ignored_folders_and_links_are_not_watched(root):
    for folder in (".git/objects", "node_modules/x", "src/node_modules", "empty"):
        (root / folder).mkdir(parents=True)
    (root / "link").symlink_to("/")
    assert folders_to_watch(root, ["node_modules/"]) == {"", "src", "src/node_modules", "empty"}


def test_vectors_are_filled_in_the_quiet_time_until_none_is_left(root):
    follower = Follower(root, fillings=2)
    for _ in range(2):
        assert follower.filled.acquire(timeout=PATIENCE_SECONDS)
    assert not follower.filled.acquire(timeout=1)
    follower.stop()


@pytest.mark.parametrize("replaced", [False, True])
def test_a_deleted_root_ends_the_watch_with_a_clear_message(root, replaced):
    follower = Follower(root)
    follower.settle()
    if replaced:
        root.rename(root.with_name("away"))
        root.mkdir()
    else:
        shutil.rmtree(root)
    assert follower.ended.wait(PATIENCE_SECONDS)
    assert isinstance(follower.error, WorkspaceInvalid)
    assert "is gone" in follower.error.what


def test_an_empty_workspace_can_be_watched(tmp_path):
    follower = Follower(tmp_path)
    assert follower.refreshed.acquire(timeout=PATIENCE_SECONDS)
    (tmp_path / "first.py").write_text("x = 1\n")
    assert follower.refreshed.acquire(timeout=PATIENCE_SECONDS)
    follower.stop()
