"""Watches one run to its end: time, output, memory, number of processes; whatever spends too much is killed, all of it.

The output and the report are read in threads of their own, so that neither can fill up and block the program.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

from tools.sandbox.job import Ended, EndReason, Limits

HEAD_BYTES = TAIL_BYTES = 100_000
_BLOCK_BYTES = 65_536
_POLL_SECONDS = 0.02
_LOOK_SECONDS = 0.25
_CLOSING_SECONDS = 1.0
_TERMINATE_SECONDS = 2.0


class Stream(threading.Thread):
    """Reads a pipe to its end: keeps the head and the tail, counts the rest, stops at its limit."""

    def __init__(
        self,
        descriptor: int,
        limit: int,
        *,
        head: int,
        tail: int,
        heard: Callable[[bytes], None] | None = None,
    ) -> None:
        super().__init__(daemon=True)
        self._heard = heard
        self.head, self.tail, self.n_bytes = bytearray(), bytearray(), 0
        self.overflowed = False
        self._descriptor, self._limit = descriptor, limit
        self._head_bytes, self._tail_bytes = head, tail

    def run(self) -> None:
        with open(self._descriptor, "rb", buffering=0) as pipe:  # noqa: PTH123  (a descriptor)
            while not self.overflowed and (block := pipe.read(_BLOCK_BYTES)):
                self._keep(block)

    def _keep(self, block: bytes) -> None:
        if self._heard:
            self._heard(block)
        self.n_bytes += len(block)
        self.overflowed = self.n_bytes > self._limit
        fits = max(self._head_bytes - len(self.head), 0)
        self.head += block[:fits]
        self.tail += block[fits:]
        del self.tail[: max(len(self.tail) - self._tail_bytes, 0)]


class Watch:
    """One program under watch, from its start to its end."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        limits: Limits,
        *,
        scratch: Path | None = None,
        sweeps: bool = False,
    ) -> None:
        """`scratch`: a folder on a real disk whose size counts; `sweeps`: told to terminate, it ends its descendants."""
        self._process = process
        self._limits = limits
        self._scratch = scratch
        self._sweeps = sweeps
        self._seen: set[psutil.Process] = set()

    def until_ended(
        self,
        output: int,
        report: int,
        stop: Callable[[], bool],
        heard: Callable[[bytes], None] | None = None,
    ) -> Ended:
        """Wait for the end, or make it; afterwards nothing of the program is left. Reads the two descriptors."""
        started = time.monotonic()
        limits = self._limits
        told = Stream(output, limits.output_bytes, head=HEAD_BYTES, tail=TAIL_BYTES)
        reported = Stream(report, limits.report_bytes, head=limits.report_bytes, tail=0, heard=heard)
        streams = (told, reported)
        for stream in streams:
            stream.start()
        reason: EndReason = "cancelled"
        try:
            reason = self._wait(streams, stop, started + limits.seconds)
        finally:
            self._end_all(ask_first=self._sweeps and reason != "exit")
            seconds = time.monotonic() - started
            for stream in streams:
                stream.join(_CLOSING_SECONDS)
        if reason == "exit" and any(stream.overflowed for stream in streams):
            reason = "output_limit"
        code = self._process.returncode
        return Ended(
            reason,
            code if code >= 0 else 128 - code,
            bytes(told.head),
            bytes(told.tail),
            told.n_bytes,
            bytes(reported.head),
            seconds,
        )

    def _wait(self, streams: Sequence[Stream], stop: Callable[[], bool], deadline: float) -> EndReason:
        next_look = time.monotonic() + _LOOK_SECONDS
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_POLL_SECONDS)
                return "exit"
            now = time.monotonic()
            if stop():
                return "cancelled"
            if now > deadline:
                return "timeout"
            if any(stream.overflowed for stream in streams):
                return "output_limit"
            if now >= next_look:
                if spent := self._spent():
                    return spent
                next_look = time.monotonic() + _LOOK_SECONDS

    def _spent(self) -> EndReason | None:
        memory = 0
        alive = _descendants(self._process.pid)
        self._seen.update(alive)
        for one in alive:
            with contextlib.suppress(psutil.Error):
                memory += one.memory_info().rss
        if memory > self._limits.memory_bytes:
            return "memory_limit"
        if len(alive) > 2 * self._limits.processes:
            return "process_limit"
        limit = self._limits.workspace_bytes + self._limits.temporary_bytes
        if self._scratch is not None and _size(self._scratch) > limit:
            return "disk_limit"
        return None

    def _end_all(self, *, ask_first: bool) -> None:
        """Kill the program, its group, and what was seen to leave its group. A namespace dies with its first process."""
        process = self._process
        if ask_first and process.poll() is None:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_TERMINATE_SECONDS)
        patience = time.monotonic() + _TERMINATE_SECONDS
        # What forks while it is being killed leaves a child behind, so it is looked for again.
        while (left := self._killed()) and time.monotonic() < patience:
            psutil.wait_procs(left, timeout=_POLL_SECONDS)
        if sys.platform != "win32":
            with contextlib.suppress(
                ProcessLookupError, PermissionError
            ):  # macOS: EPERM of a group of zombies
                os.killpg(process.pid, signal.SIGKILL)
        if process.poll() is None:
            process.kill()
        process.wait()

    def _killed(self) -> list[psutil.Process]:
        self._seen.update(_descendants(self._process.pid))
        return [one for one in self._seen if _kill(one)]


def _descendants(pid: int) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []


def _size(folder: Path) -> int:
    """Bytes on disk beneath it, as far as can be seen while it changes."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                status = os.lstat(os.path.join(where, name))  # noqa: PTH118  (called very often)
                total += status.st_blocks * 512 if sys.platform != "win32" else status.st_size
    return total


def _kill(process: psutil.Process) -> bool:
    """Whether it was alive to be killed."""
    with contextlib.suppress(psutil.Error):
        if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            process.kill()
            return True
    return False
