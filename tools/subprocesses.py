"""Run another program to its end: its whole process group is killed, its output capped, its time limited.

The only callers are `tools/git.py` and `tools/ripgrep.py`. A program gets an argument list (never a shell), an
environment built from nothing, no input, and "/" as its current folder. It is found on PATH, but never in the
workspace. A plain function: who lives in an event loop calls it in a thread and cancels by `stop`.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import IO, Literal, TypeAlias

EndReason: TypeAlias = Literal["exit", "timeout", "output limit", "stopped", "enough"]

MAX_STDERR_BYTES = 64 * 1024
_BLOCK_BYTES = 64 * 1024
_STOP_POLL_SECONDS = 0.05
_CLOSING_SECONDS = 1.0
_JOIN_SECONDS = 0.005


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended. `exit_code` means something only where the reason is "exit"."""

    reason: EndReason
    exit_code: int
    stdout: bytes
    """What no `on_line` took."""
    stderr: bytes
    """Its beginning."""


def find_program(name: str, *, outside: Path) -> Path | None:
    """Full path of a program on PATH, neither named by a relative entry nor lying under `outside`."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    for folder in folders:
        # One folder at a time: on Windows `which` looks into the current folder first.
        found = shutil.which(name, path=folder) if PurePath(folder).is_absolute() else None
        if found and _is_outside(found, folder, outside):
            return Path(found)
    return None


def built_environment(**more: str) -> dict[str, str]:
    """A child's whole environment: nothing of ours is inherited but what Windows cannot start a program without."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C"}
    if sys.platform == "win32":
        environment = {
            name: os.environ[name] for name in ("SYSTEMROOT", "PATH", "TEMP") if name in os.environ
        }
    return environment | more


def run(
    argv: Sequence[str],
    *,
    environment: Mapping[str, str],
    timeout_seconds: float,
    max_stdout_bytes: int,
    on_line: Callable[[bytes], bool] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Finished:
    """Run a program. With `on_line`, each line of its output goes there, without its newline, until it says False.

    Raises: OSError, where the program cannot be started.
    """
    collected = bytearray()
    take_block = _LineTaker(on_line) if on_line else _collect_into(collected)
    deadline = time.monotonic() + timeout_seconds
    with _start(argv, environment) as process:
        output = _Output(process)
        try:
            reason = output.consume(take_block, max_stdout_bytes, deadline, stop)
            if reason == "exit" and not _exits_before(process, deadline):
                reason = "timeout"
        finally:
            _kill_group(process)
            process.wait()
            output.close()
    return Finished(reason, process.returncode, bytes(collected), bytes(output.stderr))


def _is_outside(found: str, folder: str, outside: Path) -> bool:
    root = os.path.realpath(outside)
    return not any(PurePath(os.path.realpath(place)).is_relative_to(root) for place in (found, folder))


def _start(argv: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        list(argv),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=PurePath(sys.executable).anchor or "/",
        env=dict(environment),
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _exits_before(process: subprocess.Popen[bytes], deadline: float) -> bool:
    try:
        process.wait(max(deadline - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        return False
    return True


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the program and what it started. A program that has ended may have left others of its group behind."""
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS says EPERM of a group of zombies
        os.killpg(process.pid, signal.SIGKILL)


class _Output:
    """Both pipes of a program, each read in a thread of its own, so that neither can fill up and block it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self.stderr: bytearray = bytearray()
        self._given_up: bool = False
        self._blocks: queue.Queue[bytes] = queue.Queue(maxsize=16)
        self._threads: list[threading.Thread] = [
            threading.Thread(target=self._read_stdout, args=(process.stdout,), daemon=True),
            threading.Thread(target=self._read_stderr, args=(process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def consume(
        self, take_block: Callable[[bytes], bool], max_bytes: int, deadline: float, stop: Callable[[], bool]
    ) -> EndReason:
        """Hand on what the program writes until it closes its output or one of the limits is reached."""
        n_bytes = 0
        while True:
            if stop():
                return "stopped"
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return "timeout"
            try:
                block = self._blocks.get(timeout=min(remaining, _STOP_POLL_SECONDS))
            except queue.Empty:
                continue
            n_bytes += len(block)
            if n_bytes > max_bytes:
                return "output limit"
            if not take_block(block):
                return "enough"
            if not block:
                return "exit"

    def close(self) -> None:
        """Let the reading threads end: the program is dead, so its pipes are closed or will never be.

        A process that left the group may still hold them; its thread is then given up and ends with that process.
        """
        deadline = time.monotonic() + _CLOSING_SECONDS
        for thread in self._threads:
            while thread.is_alive() and time.monotonic() < deadline:
                self._discard_blocks()
                thread.join(_JOIN_SECONDS)
        self._given_up = True
        self._discard_blocks()

    def _discard_blocks(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._blocks.get_nowait()

    def _read_stdout(self, pipe: IO[bytes]) -> None:
        block = b"-"
        while block and not self._given_up:
            block = os.read(pipe.fileno(), _BLOCK_BYTES)
            self._blocks.put(block)

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        while not self._given_up and (block := os.read(pipe.fileno(), _BLOCK_BYTES)):
            self.stderr += block[: MAX_STDERR_BYTES - len(self.stderr)]


class _LineTaker:
    """Cuts blocks into lines. The empty block at the end hands on a last line without a newline."""

    def __init__(self, on_line: Callable[[bytes], bool]) -> None:
        self._on_line: Callable[[bytes], bool] = on_line
        self._partial: list[bytes] = []

    def __call__(self, block: bytes) -> bool:
        first, *rest = block.split(b"\n") if block else (b"", b"")
        self._partial.append(first)
        for part in rest:
            line = b"".join(self._partial)
            self._partial = [part]
            if (block or line) and not self._on_line(line):
                return False
        return True


def _collect_into(collected: bytearray) -> Callable[[bytes], bool]:
    def take(block: bytes) -> bool:
        collected.extend(block)
        return True

    return take
