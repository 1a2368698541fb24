"""A command on a pseudo-terminal: what a person sees of it, and the keys that they press."""

import os
import pty
import select
import subprocess
import time

CTRL_C = b"\x03"
PATIENCE_SECONDS = 60


class Terminal:
    """A command on a pseudo-terminal, which is its controlling one."""

    def __init__(self, arguments, *, cwd, env):
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            arguments,
            cwd=cwd,
            env=env | {"TERM": "xterm-256color", "COLUMNS": "100"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0),
        )
        os.close(slave)
        self.seen = b""

    def wait_for(self, text):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.seen:
            assert time.monotonic() < deadline, self.seen
            if not self._read(1.0) and self._process.poll() is not None:
                raise AssertionError(self.seen)

    def press(self, keys):
        os.write(self._master, keys)

    def press_until_gone(self, key):
        """As an impatient person does; two that arrive at once count as one."""
        while self._process.poll() is None:
            os.write(self._master, key)
            self._read(0.2)

    def end(self):
        """Its exit code, once it has ended."""
        while self._read(PATIENCE_SECONDS):
            pass
        code = self._process.wait(PATIENCE_SECONDS)
        os.close(self._master)
        return code

    def _read(self, seconds):
        if not select.select([self._master], [], [], seconds)[0]:
            return b""
        try:
            block = os.read(self._master, 65536)
        except OSError:  # the other side is closed
            return b""
        self.seen += block
        return block
