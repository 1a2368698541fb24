"""One writer per index, by a lock that the system frees when its holder dies, however it dies.

The lock file goes only with the whole index, deleted by its holder: `filelock` takes no lock on a file that is gone,
so no two processes can each hold one of that name. Who holds it stands in
`writer.json` beside it, for the message only; the lock itself decides. Readers need no lock.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil
from filelock import FileLock, Timeout

from tools.errors import IndexUnusable

LOCK_NAME = "writer.lock"
WRITER_NAME = "writer.json"


class IndexBusy(IndexUnusable):
    """Another process holds the lock."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The process that holds a lock."""

    pid: int
    since: datetime

    def __str__(self) -> str:
        today = self.since.date() == datetime.now().date()
        return (
            f"pid {self.pid} since {self.since:%H:%M:%S}"
            if today
            else f"pid {self.pid} since {self.since:%d %b %H:%M}"
        )


class WriterLock:
    """The right to write the index in `folder`, from `acquire` (or `with`) to `release`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Not thread-local: a lock taken in one thread may be given back in another. Not blocking: people are told.
        self._lock = FileLock(folder / LOCK_NAME, timeout=0, mode=0o600, thread_local=False)

    @property
    def held(self) -> bool:
        """Whether this very lock is held."""
        return self._lock.is_locked

    def acquire(self) -> WriterLock:
        """Take the lock now or not at all.

        Raises: IndexBusy that names the process that holds it; IndexUnusable that says why there can be no lock.
        """
        try:
            self._lock.acquire()
        except Timeout:
            raise _busy(self.folder) from None
        except OSError as error:
            raise IndexUnusable(
                f"cannot write the index in `{self.folder}`",
                cause=str(error),
                hint="make the folder writable for you, or set another data folder (`codewitness config path` says where)",
            ) from error
        self._sign()
        return self

    def release(self) -> None:
        """Give the lock back; nothing happens when it is not held."""
        if self.held:
            with suppress(OSError):
                (self.folder / WRITER_NAME).unlink()
            self._lock.release()

    def __enter__(self) -> WriterLock:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def _sign(self) -> None:
        signature = json.dumps(
            {"pid": os.getpid(), "since": datetime.now().isoformat(), "started": _started(os.getpid())}
        )
        with suppress(OSError):  # the message is all that would be poorer
            (self.folder / WRITER_NAME).write_text(signature, encoding="utf-8")


def writer(folder: Path) -> Writer | None:
    """Who writes the index in `folder` now, as far as its note tells; None when nobody does."""
    try:
        noted: dict[str, Any] = json.loads((folder / WRITER_NAME).read_text(encoding="utf-8"))
        pid, since, started = int(noted["pid"]), datetime.fromisoformat(noted["since"]), noted["started"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Writer(pid, since) if started == _started(pid) else None


def _busy(folder: Path) -> IndexBusy:
    holder = writer(folder)
    return IndexBusy(
        "the index of this workspace is being written by another codewitness",
        cause=f"{holder} holds `{folder / LOCK_NAME}`" if holder else f"`{folder / LOCK_NAME}` is held",
        hint="wait until it has finished, or stop it; what is already indexed can be searched meanwhile",
    )


def _started(pid: int) -> float | None:
    """When a process started, so that a later one with the same number is not taken for it; None when it is gone."""
    try:
        return psutil.Process(pid).create_time()
    except psutil.Error:
        return None
