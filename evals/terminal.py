"""The installed program on a terminal of its own, for measuring what a person sees there and when."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

PROGRAM = Path(sys.executable).with_name("codewitness")
PATIENCE_SECONDS = 120.0
_KEPT_BYTES = 65_536
_SEQUENCES = re.compile(rb"\x1b\[[0-9;?<>=:]*[ -/]*[@-~]|\x1b[=>]")


class Terminal:
    """A command on a pseudo-terminal that is its controlling one, from its start to its end."""

    def __init__(
        self, folder: Path, environment: Mapping[str, str], *, columns: int = 140, lines: int = 45
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.began = time.monotonic()
        self._process = subprocess.Popen(
            [PROGRAM],
            cwd=folder,
            env={**environment, "TERM": "xterm-256color"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that it ends with this terminal
        )
        os.close(theirs)
        self._seen = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.send_signal(signal.SIGTERM)
        while self._process.poll() is None:
            self.look(0.05)
        os.close(self._ours)

    @property
    def pid(self) -> int:
        return self._process.pid

    def press(self, keys: str) -> None:
        """What a person types."""
        os.write(self._ours, keys.encode())

    def look(self, seconds: float) -> None:
        """Take what is drawn in the next seconds."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._read(left)

    def wait_for(self, text: str) -> float:
        """Read until this is drawn; the moment when it was.

        Raises: TimeoutError.
        """
        wanted, deadline = text.encode(), time.monotonic() + PATIENCE_SECONDS
        while wanted not in _SEQUENCES.sub(b"", self._seen):
            if time.monotonic() > deadline:
                raise TimeoutError(f"`{text}` was not drawn in {PATIENCE_SECONDS:.0f} s")
            self._read(1.0)
        return time.monotonic()

    def forget(self) -> None:
        """Wait only for what is drawn from now on."""
        self._seen = b""

    def _read(self, seconds: float) -> None:
        if not select.select([self._ours], [], [], seconds)[0]:
            return
        try:
            self._seen = (self._seen + os.read(self._ours, _KEPT_BYTES))[-_KEPT_BYTES:]
        except OSError:  # Linux's way to say that the other side is closed
            time.sleep(min(seconds, 0.01))
