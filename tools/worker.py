"""A child process that answers requests: what may crash, hang or take the processor runs there and not with us.

The child is `python -P -m MODULE`, whose module ends with `serve(handle)`. It never stands in the workspace and
imports nothing from it: it starts in the root folder, with an environment built from a short list and
`PYTHONSAFEPATH=1`. It has a process group of its own, so that Ctrl-C reaches only us, and it ends when we do.

Both sides speak frames on stdin and stdout: four bytes of length, big-endian, then the payload. The child's first
frame is empty and says that it is ready. Pipes are read and written by threads, since Windows cannot wait for them.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TypeAlias

START_SECONDS = 60.0
"""A child that has not said that it is ready by then never will, even on a busy machine."""
MAX_FRAME_BYTES = 256 * 1024 * 1024
_STDERR_BYTES = 4096
_END_SECONDS = 5.0
_LAST_WORDS_SECONDS = 1.0
_KEPT_VARIABLES = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "TEMP",
        "TMP",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "USERPROFILE",
        "APPDATA",
        "LOCALAPPDATA",
        "NUMBER_OF_PROCESSORS",
        "PROCESSOR_ARCHITECTURE",
    }
)


class WorkerDied(Exception):
    """The child ended before it answered."""


class WorkerTimedOut(Exception):
    """The child did not answer in time and was killed."""


Delivery: TypeAlias = "tuple[ChildProcess, bytes | None]"
"""A frame of a child; None is its end."""


class ChildProcess:
    """One child from its start to its end. Several may deliver to one inbox."""

    def __init__(
        self,
        module: str,
        inbox: queue.SimpleQueue[Delivery],
        *,
        environment: Mapping[str, str] | None = None,
        low_priority: bool = False,
    ) -> None:
        self.module = module
        self.inbox = inbox
        """Where its frames are put; may be exchanged while no answer is outstanding."""
        self.ended = False
        self._command = [sys.executable, "-P", "-m", module]
        self._environment = {**built_environment(), **(environment or {})}
        self._low_priority = low_priority
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None
        self._started = threading.Event()
        self._last_words = bytearray()
        self._problem = ""
        # Linux kills a child whose starting thread has ended (`_die_with_parent`), so the thread that waits for it
        # starts it.
        self._thread = threading.Thread(target=self._live, name=f"worker {module}", daemon=True)
        self._thread.start()

    def send(self, request: bytes) -> None:
        """Queue a request; never waits."""
        self._outbox.put(request)

    def kill(self) -> None:
        """End it now, and wait until it is gone."""
        self._started.wait()
        if self._process is not None:
            self._process.kill()
        self._thread.join(_END_SECONDS)

    def last_words(self) -> str:
        """Why it ended, as far as it said: its exit code and the end of its stderr."""
        code = self._process.returncode if self._process is not None else None
        said = self._last_words.decode("utf-8", "replace").strip().split("\n")[-1]
        parts = (self._problem, f"exit code {code}" if code is not None else "", said)
        return ": ".join(part for part in parts if part)

    def _live(self) -> None:
        try:
            process = self._process = self._start()
        except OSError as error:
            self._problem = f"cannot start {self._command[0]}: {error.strerror}"
            self._started.set()
        else:
            self._started.set()
            self._converse(process)
        self.ended = True
        self.inbox.put((self, None))

    def _start(self) -> subprocess.Popen[bytes]:
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
            if self._low_priority:
                flags |= subprocess.BELOW_NORMAL_PRIORITY_CLASS
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=Path(sys.executable).anchor or os.sep,
            env=self._environment,
            creationflags=flags,
            process_group=None if sys.platform == "win32" else 0,
        )
        if self._low_priority and sys.platform != "win32":
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, 10)
        return process

    def _converse(self, process: subprocess.Popen[bytes]) -> None:
        """Read frames until the child ends; two more threads write requests and keep the end of its stderr."""
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        threads = [
            threading.Thread(target=self._write_requests, args=(process.stdin,), daemon=True),
            threading.Thread(target=self._read_stderr, args=(process.stderr,), daemon=True),
        ]
        for thread in threads:
            thread.start()
        with process.stdout as replies:
            while (frame := _read_frame(replies)) is not None:
                self.inbox.put((self, frame))
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_LAST_WORDS_SECONDS)  # it may be writing its traceback
        process.kill()
        process.wait()
        self._outbox.put(None)
        for thread in threads:
            thread.join()

    def _write_requests(self, stdin: IO[bytes]) -> None:
        # Where the pipe broke, the reader has seen the end as well and tells it.
        with contextlib.suppress(OSError), stdin:
            while (request := self._outbox.get()) is not None:
                _write_frame(stdin, request)

    def _read_stderr(self, stderr: IO[bytes]) -> None:
        with stderr:
            while piece := os.read(stderr.fileno(), _STDERR_BYTES):
                self._last_words += piece
                del self._last_words[:-_STDERR_BYTES]


class Worker:
    """A child that is asked one thing at a time, and started again where it died. Threads may share it."""

    def __init__(
        self, module: str, *, environment: Mapping[str, str] | None = None, low_priority: bool = False
    ) -> None:
        self._module = module
        self._environment = environment
        self._low_priority = low_priority
        self._inbox: queue.SimpleQueue[Delivery] = queue.SimpleQueue()
        self._child: ChildProcess | None = None
        self._lock = threading.Lock()

    def call(self, request: bytes, *, timeout_seconds: float) -> bytes:
        """Ask, and wait for the answer; the time to start the child is not counted.

        Raises: WorkerDied, WorkerTimedOut. After either the next call starts a new child.
        """
        with self._lock:
            child = self._running()
            child.send(request)
            return self._receive(child, timeout_seconds)

    def close(self) -> None:
        """End the child, also while another thread waits for its answer (which then raises WorkerDied)."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def _running(self) -> ChildProcess:
        if self._child is None or self._child.ended:
            self._inbox = queue.SimpleQueue()
            self._child = ChildProcess(
                self._module, self._inbox, environment=self._environment, low_priority=self._low_priority
            )
            self._receive(self._child, START_SECONDS)
        return self._child

    def _receive(self, child: ChildProcess, timeout_seconds: float) -> bytes:
        try:
            _, frame = self._inbox.get(timeout=timeout_seconds)
        except queue.Empty:
            child.kill()
            raise WorkerTimedOut(f"{self._module} did not answer in {timeout_seconds:g} s") from None
        if frame is None:
            raise WorkerDied(f"{self._module} ended: {child.last_words()}")
        return frame


def built_environment() -> dict[str, str]:
    """What a child sees of our environment: no `PYTHON…` variable of ours, no key, no token."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _KEPT_VARIABLES or name.startswith("LC_")
    }
    kept["PYTHONSAFEPATH"] = "1"
    root = str(Path(__file__).resolve().parents[1])
    if root not in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        kept["PYTHONPATH"] = root  # a checkout that need not be installed
    return kept


def serve(handle: Callable[[bytes], bytes]) -> None:
    """The child's main loop: answer each request until the parent closes the pipe.

    What is printed goes to stderr, so that no library can break into the frames. An exception ends the child.
    """
    _die_with_parent()
    requests = sys.stdin.buffer
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as replies:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        _write_frame(replies, b"")
        while (request := _read_frame(requests)) is not None:
            _write_frame(replies, handle(request))


def _die_with_parent() -> None:
    """Linux: be killed when the parent ends, even inside a call that never returns. Elsewhere the closed pipe does."""
    if sys.platform == "linux":
        import ctypes
        import signal

        set_parent_death_signal = 1
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL, 0, 0, 0)


def _read_frame(stream: IO[bytes]) -> bytes | None:
    """The next frame; None at the end, or where what comes is no frame."""
    header = stream.read(4)
    length = int.from_bytes(header, "big")
    if len(header) < 4 or length > MAX_FRAME_BYTES:
        return None
    payload = stream.read(length)
    return payload if len(payload) == length else None


def _write_frame(stream: IO[bytes], payload: bytes) -> None:
    stream.write(len(payload).to_bytes(4, "big") + payload)
    stream.flush()
