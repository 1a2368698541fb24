"""The installed program on a real terminal: what people see, what reaches the terminal, how it is left."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

import pytest
from support.program import PROGRAM, environment
from support.small_workspace import small_workspace

PATIENCE_SECONDS = 60
CTRL_C, CTRL_O, CTRL_Q, ENTER, ESC = b"\x03", b"\x0f", b"\x11", b"\r", b"\x1b"


class Terminal:
    """A command on a pseudo-terminal of 140 by 45, which is its controlling one."""

    def __init__(self, arguments, *, cwd, env):
        self._master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 140, 0, 0))
        self.modes_before = termios.tcgetattr(self._slave)
        self._process = subprocess.Popen(
            arguments,
            cwd=cwd,
            env=env | {"TERM": "xterm-256color"},
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        self.seen = b""

    @property
    def modes(self):
        return termios.tcgetattr(self._slave)

    def wait_for(self, text, since=0):
        """Wait until the terminal was sent this, its colours and cursor moves left out."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in plain(self.seen[since:]):
            assert time.monotonic() < deadline, plain(self.seen)[-4000:]
            self._read(1.0)

    def press(self, keys):
        os.write(self._master, keys)

    def signal(self, number):
        self._process.send_signal(number)

    def end(self):
        """Its exit code, once it has ended."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self._process.poll() is None:
            assert time.monotonic() < deadline
            self._read(0.1)
        while self._read(0.1):
            pass
        return self._process.returncode

    def close(self):
        os.close(self._master)
        os.close(self._slave)

    def _read(self, seconds):
        if not select.select([self._master], [], [], seconds)[0]:
            return b""
        block = os.read(self._master, 65536)
        self.seen += block
        return block


def plain(output):
    """The text in what a terminal was sent."""
    import re

    return re.sub(rb"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b[=>]", b"", output).decode("utf-8", "replace")


@pytest.fixture
def terminal(tmp_path):
    workspace = small_workspace(tmp_path / "shop")
    opened = Terminal([PROGRAM], cwd=workspace, env=environment(tmp_path / "home"))
    yield opened
    opened.close()


def is_restored(terminal):
    """The alternate screen is left, the cursor is back, the mouse is free, and keys echo as before."""
    left = terminal.seen.rpartition(b"\x1b[?1049l")
    return bool(left[1]) and b"\x1b[?25h" in terminal.seen[-200:] and terminal.modes == terminal.modes_before


def test_ask_see_the_verified_citation_open_the_source_quit_and_find_the_terminal_restored(terminal):
    terminal.wait_for("sk about this code")
    terminal.press(b"Where is gross_price defined?")
    terminal.wait_for("gross_price defined?")
    terminal.press(ENTER)
    terminal.wait_for("lines verified")
    terminal.wait_for("No model wrote this")
    before = len(terminal.seen)
    terminal.press(CTRL_O)
    terminal.wait_for("Definition", since=before)
    assert "gross_price" in plain(terminal.seen)
    terminal.press(CTRL_Q)
    assert terminal.end() == 0
    assert is_restored(terminal)


def test_ctrl_c_twice_leaves_and_the_terminal_is_restored(terminal):
    terminal.wait_for("sk about this code")
    terminal.press(CTRL_C)
    terminal.wait_for("again to quit")
    terminal.press(CTRL_C)
    assert terminal.end() == 0
    assert is_restored(terminal)


def test_when_it_is_told_to_end_from_outside_the_terminal_is_restored_too(terminal):
    import signal

    terminal.wait_for("sk about this code")
    terminal.signal(signal.SIGTERM)
    terminal.end()
    assert is_restored(terminal)


def test_a_home_folder_is_refused_before_the_screen_is_taken(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    opened = Terminal([PROGRAM], cwd=home, env=environment(home))
    assert opened.end() == 2
    assert b"\x1b[?1049h" not in opened.seen
    assert "is not taken as a workspace" in plain(opened.seen)
    opened.close()


def test_no_colour_is_sent_where_none_is_wanted(tmp_path):
    workspace = small_workspace(tmp_path / "shop")
    opened = Terminal([PROGRAM], cwd=workspace, env=environment(tmp_path / "home", NO_COLOR="1"))
    opened.wait_for("sk about this code")
    opened.press(CTRL_Q)
    assert opened.end() == 0
    colours = [code for code in opened.seen.split(b"\x1b[") if code.startswith((b"38;2;", b"48;2;"))]
    shades = {tuple(code.partition(b"m")[0].split(b";")[2:5]) for code in colours}
    assert all(len(set(shade)) == 1 for shade in shades), "shades of grey only"
    opened.close()
