"""Patches, as real git takes them."""

import subprocess

import pytest

from agent.drafting.patch import patch_of
from agent.drafting.report import DraftedFile


@pytest.mark.parametrize(
    ("path", "before", "text"),
    [
        pytest.param("tests/test_new.py", None, "import pytest\n\n\nassert 1\n", id="new"),
        pytest.param("tests/test_new.py", None, "x = 1", id="new without a last line end"),
        pytest.param("tests/test_crlf.py", None, "x = 1\r\ny = 2\r\n", id="new with CRLF"),
        pytest.param("tests/a b/tést 'q'.py", None, "x = 1\n", id="odd name"),
        pytest.param("test_old.py", "a\nb\nc\n", "a\nB\nc\nd\n", id="replaced"),
        pytest.param("test_old.py", "a\nb", "a\nb\n", id="a last line end that was missing"),
        pytest.param("test_old.py", "a\r\nb\r\n", "a\r\nc\r\n", id="replaced with CRLF"),
        pytest.param("test_old.py", "1\n" * 40, "1\n" * 20 + "2\n" + "1\n" * 20, id="far apart"),
    ],
)
def test_git_applies_a_patch_to_just_the_text(path, before, text, tmp_path):
    place = tmp_path / path
    if before is not None:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(before.encode())
    patch = patch_of([DraftedFile(path, text, before)])
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    git = ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"]
    done = subprocess.run(git, cwd=tmp_path, input=patch.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert place.read_bytes() == text.encode()


def test_a_file_that_does_not_change_is_no_part_of_the_patch():
    assert patch_of([DraftedFile("a.py", "x\n", "x\n")]) == ""
