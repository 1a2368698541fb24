from pathlib import Path

import pytest

from tools.index import build
from tools.index.file_state import FileState, file_state
from tools.workspace import Workspace

SOURCES = {
    "whole.py": "def whole():\n    return 1\n",
    "broken.py": "def ok():\n    return 1\n\ndef broken(:\n    pass\n",
}


def state(root: Path, folder: Path, path: str) -> FileState:
    workspace = Workspace(root)
    try:
        return file_state(workspace, folder, path)
    finally:
        workspace.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    return folder


def test_a_file_is_not_in_the_index_before_it_was_built_and_is_afterwards(root: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    assert not state(root, index, "whole.py").in_index
    index.mkdir()
    workspace = Workspace(root)
    build.refresh(workspace, index, progress=lambda _: None, stop=lambda: False)
    workspace.close()
    assert state(root, index, "whole.py") == FileState("whole.py", in_index=True)


def test_a_file_that_does_not_parse_says_where(root: Path, tmp_path: Path) -> None:
    assert state(root, tmp_path / "index", "broken.py").fault_line == 4
    assert state(root, tmp_path / "index", "whole.py").fault_line == 0


def test_a_file_that_is_not_there_does_not_exist(root: Path, tmp_path: Path) -> None:
    missing = state(root, tmp_path / "index", "missing.py")
    assert (missing.exists, missing.left_out) == (False, "not found")
