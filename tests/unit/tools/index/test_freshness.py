from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tools.index.freshness import Changes, compare
from tools.index.records import FileRecord, SkipRecord
from tools.workspace import Workspace

VERSIONS = "chunks 1"
LONG_AGO_NS = 1_700_000_000_000_000_000
READ_LATER_NS = LONG_AGO_NS + 3_600_000_000_000


class Tree:
    """A workspace whose files can be changed, and what is known of them."""

    def __init__(self, root: Path) -> None:
        self.workspace = Workspace(root)
        self.root = root
        self.paths: list[str] = []
        self.known: dict[str, FileRecord] = {}
        self.skips: dict[str, SkipRecord] = {}

    def write(self, path: str, text: str, mtime_ns: int = LONG_AGO_NS) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        os.utime(file, ns=(mtime_ns, mtime_ns))
        if path not in self.paths:
            self.paths.append(path)

    def move(self, old: str, new: str) -> None:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)
        self.paths[self.paths.index(old)] = new

    def remove(self, path: str) -> None:
        (self.root / path).unlink()
        self.paths.remove(path)

    def index(self, read_at_ns: int = READ_LATER_NS) -> None:
        """Know every file as it is now."""
        for path in self.paths:
            there = (self.root / path).stat()
            digest = hashlib.sha256((self.root / path).read_bytes()).hexdigest()
            self.known[path] = FileRecord(
                path,
                digest,
                there.st_size,
                there.st_mtime_ns,
                there.st_ino,
                read_at_ns=read_at_ns,
                made_with=VERSIONS,
            )

    def changes(self, **more: bool) -> Changes:
        return compare(self.workspace, self.paths, self.known, self.skips, VERSIONS, **more)


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    made = Tree(tmp_path)
    made.write("src/a.py", "a = 1\n")
    made.write("src/b.py", "b = 2\n")
    made.index()
    yield made
    made.workspace.close()


def test_nothing_to_do_where_nothing_changed(tree: Tree) -> None:
    assert tree.changes() == Changes(unchanged=2)


def test_a_new_file_is_added(tree: Tree) -> None:
    tree.write("src/c.py", "c = 3\n")
    assert tree.changes() == Changes(added=("src/c.py",), unchanged=2)


def test_other_bytes_are_a_change(tree: Tree) -> None:
    tree.write("src/a.py", "a = 10\n", LONG_AGO_NS + 1)
    assert tree.changes() == Changes(changed=("src/a.py",), unchanged=1)


def test_a_file_that_is_gone_is_removed(tree: Tree) -> None:
    tree.remove("src/a.py")
    assert tree.changes() == Changes(removed=("src/a.py",), unchanged=1)


def test_a_file_that_is_no_longer_a_candidate_is_removed_though_it_is_there(tree: Tree) -> None:
    tree.paths.remove("src/a.py")
    assert tree.changes() == Changes(removed=("src/a.py",), unchanged=1)


def test_the_same_bytes_written_again_are_only_touched(tree: Tree) -> None:
    tree.write("src/a.py", "a = 1\n", LONG_AGO_NS + 77)
    changes = tree.changes()
    assert changes == Changes(touched=changes.touched, unchanged=2)
    (touched,) = changes.touched
    assert (touched.path, touched.mtime_ns) == ("src/a.py", LONG_AGO_NS + 77)
    assert touched.read_at_ns > READ_LATER_NS


def test_a_file_replaced_by_an_equal_one_of_equal_time_is_looked_at(tree: Tree) -> None:
    (tree.root / "new").write_text("a = 9\n")
    (tree.root / "new").replace(tree.root / "src/a.py")
    os.utime(tree.root / "src/a.py", ns=(LONG_AGO_NS, LONG_AGO_NS))
    assert tree.changes().changed == ("src/a.py",)


def test_an_edit_within_the_tick_in_which_the_file_was_read_is_found(tree: Tree) -> None:
    """Size, time and inode are as recorded; only the bytes tell."""
    tree.index(read_at_ns=LONG_AGO_NS + 5_000_000)
    tree.write("src/a.py", "a = 7\n")
    changes = tree.changes()
    assert changes.changed == ("src/a.py",)
    assert [record.path for record in changes.touched] == ["src/b.py"]


def test_once_looked_at_again_a_file_is_trusted(tree: Tree) -> None:
    tree.index(read_at_ns=LONG_AGO_NS)
    for record in tree.changes().touched:
        tree.known[record.path] = record
    assert tree.changes() == Changes(unchanged=2)


def test_a_clock_that_ran_ahead_costs_a_look_and_no_more(tree: Tree) -> None:
    tree.write("src/a.py", "a = 1\n", READ_LATER_NS * 2)
    tree.index()
    changes = tree.changes()
    assert (changes.changed, changes.unchanged) == ((), 2)


def test_a_moved_file_is_renamed(tree: Tree) -> None:
    before = tree.known["src/a.py"]
    tree.move("src/a.py", "lib/deep/z.py")
    changes = tree.changes()
    assert changes == Changes(renamed=changes.renamed, unchanged=1)
    ((old, record),) = changes.renamed
    assert old == "src/a.py"
    assert (record.path, record.sha256) == ("lib/deep/z.py", before.sha256)


def test_a_moved_and_edited_file_is_another(tree: Tree) -> None:
    tree.move("src/a.py", "src/z.py")
    tree.write("src/z.py", "z = 1\n")
    assert tree.changes() == Changes(added=("src/z.py",), removed=("src/a.py",), unchanged=1)


def test_a_copy_is_added(tree: Tree) -> None:
    tree.write("src/copy.py", "a = 1\n")
    assert tree.changes() == Changes(added=("src/copy.py",), unchanged=2)


def test_of_two_copies_of_a_moved_file_one_is_renamed(tree: Tree) -> None:
    tree.move("src/a.py", "src/y.py")
    tree.write("src/z.py", "a = 1\n")
    changes = tree.changes()
    assert [old for old, _ in changes.renamed] == ["src/a.py"]
    assert changes.added == ("src/z.py",)


@pytest.mark.parametrize("new", ["src/a.md", "tests/test_a.py"])
def test_a_file_that_means_something_else_at_its_new_path_is_read_again(tree: Tree, new: str) -> None:
    tree.move("src/a.py", new)
    assert tree.changes() == Changes(added=(new,), removed=("src/a.py",), unchanged=1)


def test_files_of_other_versions_are_read_again(tree: Tree) -> None:
    tree.known["src/a.py"] = replace(tree.known["src/a.py"], made_with="chunks 0")
    assert tree.changes() == Changes(changed=("src/a.py",), unchanged=1)
    tree.move("src/a.py", "src/z.py")
    assert tree.changes() == Changes(added=("src/z.py",), removed=("src/a.py",), unchanged=1)


def test_everything_can_be_read_again(tree: Tree) -> None:
    assert tree.changes(reread=True) == Changes(changed=("src/a.py", "src/b.py"))


def test_a_skipped_file_is_not_read_again_until_it_changes(tree: Tree) -> None:
    tree.write("logo.svg", "<svg/>")
    there = (tree.root / "logo.svg").stat()
    tree.skips["logo.svg"] = SkipRecord(
        "logo.svg", "minified", there.st_size, there.st_mtime_ns, there.st_ino, READ_LATER_NS, VERSIONS
    )
    assert tree.changes() == Changes(unchanged=3)
    tree.write("logo.svg", "<svg></svg>")
    assert tree.changes() == Changes(changed=("logo.svg",), unchanged=2)
    tree.remove("logo.svg")
    assert tree.changes() == Changes(removed=("logo.svg",), unchanged=2)


def test_a_candidate_that_cannot_be_looked_at_is_left_to_the_reader(tree: Tree) -> None:
    (tree.root / "src/a.py").unlink()
    assert tree.changes() == Changes(changed=("src/a.py",), unchanged=1)
