from __future__ import annotations

import contextlib
import errno
import os
import socket
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tools.confined_open import BeneathOpener, CheckedOpener, Opener, StepwiseOpener, confine

RACE_PROOF = [StepwiseOpener, *([BeneathOpener] if sys.platform == "linux" else [])]
Make = Callable[[Path], Opener]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("SECRET")
    root = tmp_path / "root"
    (root / "folder").mkdir(parents=True)
    (root / "folder" / "file.py").write_text("x = 1\n")
    (root / "inner_link").symlink_to("folder/file.py")
    (root / "folder_link").symlink_to("folder")
    (root / "outer_link").symlink_to(outside / "secret.txt")
    (root / "outer_folder").symlink_to(outside)
    (root / "dangling").symlink_to("nowhere")
    (root / "zero").symlink_to("/dev/zero")
    (root / "environ").symlink_to("/proc/self/environ")
    os.mkfifo(root / "fifo")
    return root


@pytest.fixture(params=[*RACE_PROOF, CheckedOpener])
def opener(request: pytest.FixtureRequest, root: Path) -> Iterator[Opener]:
    made = request.param(root)
    yield made
    made.close()


def _read(opener: Opener, path: str) -> bytes:
    fd = opener.open(path)
    try:
        return os.read(fd, 100)
    finally:
        os.close(fd)


def test_a_regular_file_is_opened(opener: Opener) -> None:
    assert _read(opener, "folder/file.py") == b"x = 1\n"


def test_size_and_kind_are_told_without_opening(opener: Opener) -> None:
    assert opener.stat("folder/file.py").st_size == 6
    assert stat.S_ISDIR(opener.stat("folder").st_mode)
    assert stat.S_ISFIFO(opener.stat("fifo").st_mode)


@pytest.mark.parametrize(
    "path",
    [
        *("inner_link", "outer_link", "dangling", "zero", "environ"),
        *("folder_link/file.py", "outer_folder/secret.txt", "dangling/file"),
    ],
)
def test_no_link_is_followed(opener: Opener, path: str) -> None:
    for refuse in (opener.open, opener.stat):
        with pytest.raises(OSError, match=os.strerror(errno.ELOOP)):
            refuse(path)


@pytest.mark.parametrize("path", ["gone", "gone/file", "folder/file.py/below", "x" * 300])
def test_what_is_not_there_is_an_error_that_names_no_path(opener: Opener, root: Path, path: str) -> None:
    for refuse in (opener.open, opener.stat):
        with pytest.raises(OSError, match=r"No such file|Not a directory|too long") as refused:
            refuse(path)
        assert str(root) not in str(refused.value)


def test_a_fifo_does_not_make_anyone_wait(opener: Opener) -> None:
    with contextlib.suppress(OSError):
        fd = opener.open("fifo")
        assert not stat.S_ISREG(os.fstat(fd).st_mode)
        os.close(fd)


def test_a_socket_is_not_opened(opener: Opener, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)  # the path of a socket may not be long
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        with pytest.raises(OSError, match=r"No such device|Invalid argument|not supported"):
            opener.open("socket")


def test_a_folder_lists_what_each_entry_is(opener: Opener) -> None:
    listed = dict(opener.entries(""))
    assert listed["folder"] == "folder"
    assert listed["outer_folder"] == listed["inner_link"] == listed["dangling"] == "link"
    assert listed["fifo"] == "other"
    assert opener.entries("folder") == [("file.py", "file")]


def test_a_folder_behind_a_link_is_not_listed(opener: Opener) -> None:
    with pytest.raises(OSError, match=os.strerror(errno.ELOOP)):
        opener.entries("outer_folder")


def test_the_target_of_a_link_is_told_and_nothing_else(opener: Opener) -> None:
    assert opener.link_target("folder_link") == "folder"
    assert opener.link_target("folder") is None
    assert opener.link_target("gone") is None
    assert opener.link_target("outer_folder/secret.txt") is None


def test_a_file_name_of_any_bytes_is_opened(opener: Opener, root: Path) -> None:
    name = os.fsdecode(b"caf\xe9 \n\x1b.py")
    (root / name).write_text("odd")
    assert _read(opener, name) == b"odd"
    assert (name, "file") in opener.entries("")


def test_the_strongest_way_is_chosen(root: Path) -> None:
    opener = confine(root)
    assert isinstance(opener, tuple(RACE_PROOF))
    opener.close()


@pytest.mark.parametrize("make", RACE_PROOF)
def test_a_folder_swapped_for_another_after_opening_is_not_read(make: Make, root: Path) -> None:
    opener = make(root)
    root.rename(root.parent / "moved")
    root.mkdir()
    (root / "folder").symlink_to(root.parent / "outside")
    assert _read(opener, "folder/file.py") == b"x = 1\n"
    opener.close()


@pytest.mark.parametrize("make", RACE_PROOF)
def test_swapping_links_in_a_race_never_leads_out(make: Make, root: Path) -> None:
    """One thread keeps swapping a folder and a file for links to outside while three read."""
    opener = make(root)
    (root / "swapped").mkdir()
    (root / "swapped" / "secret.txt").write_text("inside")
    done = threading.Event()
    seen: set[bytes] = set()
    reads = [0, 0, 0]

    def swap() -> None:
        while not done.is_set():
            (root / "swapped").rename(root / "parked")
            (root / "swapped").symlink_to(root.parent / "outside")
            (root / "swapped").unlink()
            (root / "parked").rename(root / "swapped")

    def read(reader: int) -> None:
        while reads[reader] < 400 and not done.is_set():
            with contextlib.suppress(OSError):
                seen.add(_read(opener, "swapped/secret.txt"))
            reads[reader] += 1

    swapper = threading.Thread(target=swap)
    readers = [threading.Thread(target=read, args=(reader,)) for reader in range(3)]
    for thread in (swapper, *readers):
        thread.start()
    for thread in readers:
        thread.join()
    done.set()
    swapper.join()
    opener.close()
    assert seen <= {b"inside"}
    assert sum(reads) == 1200
