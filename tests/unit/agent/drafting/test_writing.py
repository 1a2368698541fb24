"""Drafted files in the workspace."""

import pytest

from agent.drafting.report import DraftedFile, DraftReport
from agent.drafting.writing import DraftExists, DraftUnwritable, write_files
from agent.messages import BackendInfo
from tools.workspace import Workspace


def report(*files):
    return DraftReport((), files, "", (), BackendInfo("extractive"), 0.0)


def test_new_files_are_written_as_they_are(tmp_path):
    drafted = DraftedFile("tests/unit/test_a.py", "x = 1\r\n")
    assert write_files(Workspace(tmp_path), report(drafted)) == ("tests/unit/test_a.py",)
    assert (tmp_path / "tests/unit/test_a.py").read_bytes() == b"x = 1\r\n"
    assert [place.name for place in (tmp_path / "tests/unit").iterdir()] == ["test_a.py"]


def test_existing_files_are_replaced_only_when_asked(tmp_path):
    (tmp_path / "test_a.py").write_text("mine\n")
    files = report(DraftedFile("test_new.py", "x\n"), DraftedFile("test_a.py", "x\n"))
    with pytest.raises(DraftExists) as refusal:
        write_files(Workspace(tmp_path), files)
    assert "--force" in refusal.value.hint
    assert (tmp_path / "test_a.py").read_text() == "mine\n"
    assert not (tmp_path / "test_new.py").exists()
    write_files(Workspace(tmp_path), files, replace=True)
    assert (tmp_path / "test_a.py").read_text() == "x\n"


@pytest.mark.parametrize("path", ["../out.py", "link/test_a.py"])
def test_nothing_is_written_outside(path, tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    with pytest.raises(DraftUnwritable):
        write_files(Workspace(inside), report(DraftedFile(path, "x\n")))
    assert not list(outside.iterdir())
