from __future__ import annotations

import asyncio
import codecs
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.git_repositories import write_files
from support.planted import plant_repository, trap_program

from tools.errors import ToolError, UserError
from tools.ripgrep import RgMatch, Ripgrep
from tools.workspace import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "code"
    root.mkdir()
    write_files(
        root, {"a.py": "one = 1\ntwo = one + one\n", "b/c.py": "ONE = 1\ndone = 1\nf(one)\n", "b/d.py": "x\n"}
    )
    return root


@pytest.fixture
async def ripgrep(root: Path) -> AsyncIterator[Ripgrep]:
    workspace = Workspace(root)
    yield Ripgrep(workspace)
    workspace.close()


ALL = ("a.py", "b/c.py", "b/d.py")


async def _lines(ripgrep: Ripgrep, pattern: str, paths: tuple[str, ...] = ALL, **options: bool) -> list[str]:
    outcome = await ripgrep.search(pattern, paths, **options)
    assert not outcome.truncated
    return [f"{match.path}:{match.line}" for match in outcome.matches]


async def test_lines_and_columns_are_found_in_order(ripgrep: Ripgrep) -> None:
    outcome = await ripgrep.search("one", ALL)
    assert outcome.matches == (
        RgMatch("a.py", 1, ((0, 3),)),
        RgMatch("a.py", 2, ((6, 9), (12, 15))),
        RgMatch("b/c.py", 2, ((1, 4),)),
        RgMatch("b/c.py", 3, ((2, 5),)),
    )
    assert (outcome.truncated, outcome.warning) == (False, "")


async def test_only_the_named_files_are_searched(ripgrep: Ripgrep) -> None:
    assert await _lines(ripgrep, "one", ("b/c.py",)) == ["b/c.py:2", "b/c.py:3"]
    assert await _lines(ripgrep, "one", ()) == []


async def test_words_and_case_and_plain_text_are_options(ripgrep: Ripgrep) -> None:
    assert await _lines(ripgrep, "one", word=True) == ["a.py:1", "a.py:2", "b/c.py:3"]
    assert await _lines(ripgrep, "one", word=True, ignore_case=True) == [
        "a.py:1",
        "a.py:2",
        "b/c.py:1",
        "b/c.py:3",
    ]
    assert await _lines(ripgrep, "f(one", fixed_strings=True) == ["b/c.py:3"]


@pytest.mark.parametrize("pattern", ["--pre=/bin/true", "-v", "--files", "--", "-e", "--follow"])
async def test_a_pattern_is_never_an_option(ripgrep: Ripgrep, root: Path, pattern: str) -> None:
    (root / "odd.txt").write_text(f"before\n{pattern}\n")
    assert await _lines(ripgrep, pattern, ("odd.txt",), fixed_strings=True) == ["odd.txt:2"]


@pytest.mark.parametrize(
    "name", [b"--pre=x.sh", b"-rf", b"line\nbreak.py", b"caf\xe9.py", b"sp ace:12.py", b'q".py']
)
async def test_a_path_of_any_bytes_is_searched(ripgrep: Ripgrep, root: Path, name: bytes) -> None:
    path = os.fsdecode(name)
    (root / path).write_text("here\n")
    outcome = await ripgrep.search("here", [path])
    assert outcome.matches == (RgMatch(path, 1, ((0, 4),)),)


@pytest.mark.parametrize(
    ("data", "matches"),
    [
        (b"a\r\nfoo\r\n", [(2, ((0, 3),))]),
        (b"foo\rbar\rfoo\nfoo", [(1, ((0, 3), (8, 11))), (2, ((0, 3),))]),
        (b"a\fb\x1cc\nfoo\n", [(2, ((0, 3),))]),
        ("a\u2028b\u0085c\nfoo\n".encode(), [(2, ((0, 3),))]),
        ("éé foo\n".encode(), [(1, ((3, 6),))]),
        ("éé foo\n".encode("latin-1"), [(1, ((3, 6),))]),
        (codecs.BOM_UTF16_LE + "a\né foo\n".encode("utf-16-le"), [(2, ((2, 5),))]),
        (b"x" * 9000 + b"\0\nfoo\n", [(2, ((0, 3),))]),
    ],
)
async def test_lines_are_counted_as_the_workspace_counts_them(
    ripgrep: Ripgrep, root: Path, data: bytes, matches: list[tuple[int, tuple[tuple[int, int], ...]]]
) -> None:
    (root / "odd.txt").write_bytes(data)
    outcome = await ripgrep.search(r"foo\b", ["odd.txt"])
    assert [(match.line, match.columns) for match in outcome.matches] == matches
    workspace = Workspace(root)
    lines = workspace.read("odd.txt").lines
    assert all("foo" in lines[match.line - 1] for match in outcome.matches)
    workspace.close()


async def test_the_end_of_a_line_is_found_before_windows_endings(ripgrep: Ripgrep, root: Path) -> None:
    (root / "dos.txt").write_bytes(b"foo\r\n")
    assert await _lines(ripgrep, "foo$", ("dos.txt",)) == ["dos.txt:1"]


async def test_files_that_are_gone_or_are_links_or_fifos_are_passed_by(ripgrep: Ripgrep, root: Path) -> None:
    (root / "link.py").symlink_to("a.py")
    (root / "out.py").symlink_to("/etc/passwd")
    os.mkfifo(root / "fifo")
    outcome = await ripgrep.search("one|root", ["gone.py", "link.py", "out.py", "fifo", "../x", "a.py"])
    assert {match.path for match in outcome.matches} == {"a.py"}
    assert outcome.warning == ""


async def test_more_matches_than_wanted_are_cut_at_the_same_place_each_time(
    ripgrep: Ripgrep, root: Path
) -> None:
    paths = [f"many{number:02}.py" for number in range(20)]
    write_files(root, dict.fromkeys(paths, "hit\n" * 10))
    outcomes = {await ripgrep.search("hit", paths, limit=25) for _ in range(3)}
    assert len(outcomes) == 1
    outcome = outcomes.pop()
    assert outcome.truncated
    assert [(match.path, match.line) for match in outcome.matches] == [
        (path, line) for path in paths for line in range(1, 11)
    ][:25]


async def test_exactly_as_many_matches_as_wanted_are_not_called_cut(ripgrep: Ripgrep) -> None:
    outcome = await ripgrep.search("one", ALL, limit=4)
    assert len(outcome.matches) == 4
    assert not outcome.truncated


async def test_more_paths_than_a_command_line_holds_are_all_searched(ripgrep: Ripgrep, root: Path) -> None:
    folder = "f" * 200 + "/" + "g" * 200 + "/" + "h" * 200
    paths = [f"{folder}/{number}.py" for number in range(1_500)]
    write_files(root, dict.fromkeys(paths, "hit\n"))
    outcome = await ripgrep.search("hit", paths)
    assert len(outcome.matches) == 1_500
    assert not outcome.truncated


async def test_running_out_of_time_is_said(ripgrep: Ripgrep) -> None:
    outcome = await ripgrep.search("one", ALL, timeout_seconds=0)
    assert outcome.truncated
    assert "too long" in outcome.warning


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("f(", "unclosed group"),
        ("a\nb", "one line"),
        ("a\0b", "one line"),
        ("", "one line"),
        ("x" * 1001, "longer than 1000"),
        ("\ud800", "characters"),
        ("(a{1000}){1000}", "size limit"),
    ],
)
async def test_a_pattern_that_cannot_be_searched_for_is_told_to_the_model(
    ripgrep: Ripgrep, pattern: str, complaint: str
) -> None:
    with pytest.raises(ToolError, match=complaint):
        await ripgrep.search(pattern, ALL)


async def test_a_cancelled_search_ends_at_once(ripgrep: Ripgrep) -> None:
    searching = asyncio.create_task(ripgrep.search("one", ALL))
    await asyncio.sleep(0)
    searching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await searching


async def test_planted_settings_neither_run_anything_nor_hide_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = tmp_path / "marks"
    root = plant_repository(tmp_path / "repo", marks)
    (tmp_path / "ripgreprc").write_text(f"--pre={trap_program(marks, 'pre')}\n--glob=!*.py\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "ripgreprc"))
    workspace = Workspace(root)
    outcome = await Ripgrep(workspace).search("needle", ["src/app.py"])
    workspace.close()
    assert outcome.matches == (RgMatch("src/app.py", 1, ((0, 6),)),)
    assert list(marks.iterdir()) == []


async def test_a_ripgrep_that_is_broken_is_told_to_a_person(tmp_path: Path, root: Path) -> None:
    broken = tmp_path / "rg"
    broken.write_text("#!/bin/sh\nexit 101\n")
    broken.chmod(0o755)
    workspace = Workspace(root)
    ripgrep = Ripgrep(workspace, program=broken)
    with pytest.raises(UserError, match="ripgrep failed"):
        await ripgrep.search("one", ALL)
    workspace.close()


def test_a_root_logger_stays_as_it_was(root: Path) -> None:
    """ripgrepy's decorators would set it up for the whole program."""
    code = (
        "import asyncio, logging, sys; from pathlib import Path\n"
        "from tools.ripgrep import Ripgrep; from tools.workspace import Workspace\n"
        "asyncio.run(Ripgrep(Workspace(Path(sys.argv[1]))).search('one', ['a.py']))\n"
        "sys.exit(len(logging.getLogger().handlers))"
    )
    project = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", code, str(root)], cwd=project, check=False).returncode == 0
