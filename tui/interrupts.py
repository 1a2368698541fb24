"""Ctrl-C: once stops the work cleanly, twice ends the program within a second, whatever it is doing.

The first one sets `requested`, which long work asks for, and runs what was registered with `on_first`. The second
is seen by a thread of its own through the wakeup descriptor, because Python runs signal handlers only between two
bytecodes of the main thread, which may be deep in a C call. Where there is no such descriptor, the handler does it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, TypeVar

from tui.exits import ExitCode, Interrupted

Value = TypeVar("Value")

SHOW_CURSOR = b"\x1b[?25h"
STOPPING = b"\nstopping; press Ctrl-C again to leave at once\n"


class Interrupts:
    """Owns SIGINT while it is entered; only in the main thread."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._count = 0
        self._on_first: Callable[[], object] = lambda: None
        self._previous: Any = None
        self._previous_descriptor = -1
        self._read = self._write = -1

    def requested(self) -> bool:
        """Whether the person asked to stop; long work asks this often."""
        return self._count > 0

    def run(self, work: Coroutine[Any, Any, Value], *, kept: str | Callable[[], str]) -> Value:
        """Run a coroutine, cancelled by the first Ctrl-C. `kept` says what that does not lose, then if need be.

        Raises: Interrupted, which says what is kept.
        """
        try:
            return asyncio.run(self._cancellable(work))
        except asyncio.CancelledError:
            raise Interrupted(kept if isinstance(kept, str) else kept()) from None

    async def _cancellable(self, work: Coroutine[Any, Any, Value]) -> Value:
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()
        self._on_first = lambda: loop.call_soon_threadsafe(task.cancel)
        if self.requested():
            task.cancel()
        try:
            return await task
        finally:
            self._on_first = lambda: None

    def __enter__(self) -> Interrupts:
        if hasattr(signal, "set_wakeup_fd") and os.name == "posix":
            self._read, self._write = os.pipe()
            os.set_blocking(self._write, False)
            threading.Thread(target=self._watch, args=(self._read,), daemon=True).start()
            self._previous_descriptor = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        self._previous = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._previous)
        if self._write != -1:
            signal.set_wakeup_fd(self._previous_descriptor)
            os.close(self._write)  # the thread reads the end of the pipe, closes its half and returns

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._count += 1
        if self._count > 1:
            leave_at_once()
        if not self._quiet:
            _write(STOPPING)
        self._on_first()

    def _watch(self, descriptor: int) -> None:
        seen = 0
        while signals := os.read(descriptor, 64):
            seen += signals.count(signal.SIGINT)
            if seen > 1:
                leave_at_once()
        os.close(descriptor)


def leave_at_once() -> None:
    """End the program now. Children are ours by process group and pipe: they end with us."""
    if sys.stderr.isatty():
        _write(SHOW_CURSOR + b"\n")
    os._exit(ExitCode.INTERRUPTED)


def _write(text: bytes) -> None:
    """To stderr past Python's buffer, which a signal may have caught in the middle of a write."""
    with suppress(OSError, ValueError):
        os.write(sys.stderr.fileno(), text)
