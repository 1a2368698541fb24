"""Many files → parsed files, in worker processes: the parser holds the interpreter's lock, and may crash or hang.

A file that ends or outlasts its worker is chunked by lines with a note, and never tried again; the files that were
waiting behind it go to a new worker. Few files need one worker only: the next one is started when each of those
running has `_QUEUED` files.
"""

from __future__ import annotations

import json
import os
import queue
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tools.index.chunk import ParsedFile
from tools.index.chunker import chunk_by_lines
from tools.index.parsed_codec import decode
from tools.worker import START_SECONDS, ChildProcess, Delivery

_MODULE = "tools.index.chunk_worker"
_QUEUED = 8
"""Files that wait in one worker's pipe, so that it need not wait for us."""


@dataclass(slots=True)
class _Lane:
    """One child and the files it has been given, the one it works on first."""

    child: ChildProcess
    is_ready: bool
    deadline: float
    files: deque[tuple[str, str]] = field(default_factory=deque[tuple[str, str]])


class ChunkWorkers:
    """A pool of chunking processes. Threads may share it: each `parse` has lanes of its own while it runs."""

    def __init__(
        self,
        processes: int | None = None,
        seconds_per_file: float = 10.0,
        *,
        module: str = _MODULE,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._processes = processes or os.cpu_count() or 1
        self._seconds_per_file = seconds_per_file
        self._module = module
        self._environment = environment
        self._idle: list[ChildProcess] = []
        self._lock = threading.Lock()
        self._closed = False

    def parse(self, files: Iterable[tuple[str, str]]) -> Iterator[tuple[str, ParsedFile]]:
        """Each (path, text) → (path, parsed file), in any order. `files` is read in this thread, as it is needed."""
        run = _Run(self, iter(files))
        try:
            yield from run.results()
        finally:
            run.end()

    def close(self) -> None:
        """End the idle processes; those at work end with their `parse`."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for child in idle:
            child.kill()

    def take(self, inbox: queue.SimpleQueue[Delivery]) -> _Lane:
        """An idle child, or a new one."""
        while True:
            with self._lock:
                child = self._idle.pop() if self._idle else None
            if child is None:
                child = ChildProcess(self._module, inbox, environment=self._environment)
                return _Lane(child, is_ready=False, deadline=time.monotonic() + START_SECONDS)
            child.inbox = inbox
            if not child.ended:
                return _Lane(child, is_ready=True, deadline=time.monotonic() + self._seconds_per_file)

    def give_back(self, lane: _Lane) -> None:
        """Keep a child for the next `parse`, or end it where it is still at work or one too many."""
        with self._lock:
            keep = lane.is_ready and not lane.files and not self._closed and len(self._idle) < self._processes
            if keep:
                self._idle.append(lane.child)
        if not keep:
            lane.child.kill()

    @property
    def processes(self) -> int:
        return self._processes

    @property
    def seconds_per_file(self) -> float:
        return self._seconds_per_file


class _Run:
    """One call of `parse`."""

    def __init__(self, pool: ChunkWorkers, files: Iterator[tuple[str, str]]) -> None:
        self._pool = pool
        self._files = files
        self._again: deque[tuple[str, str]] = deque()
        self._inbox: queue.SimpleQueue[Delivery] = queue.SimpleQueue()
        self._lanes: list[_Lane] = []

    def results(self) -> Iterator[tuple[str, ParsedFile]]:
        self._hand_out()
        while any(lane.files for lane in self._lanes):
            yield from self._next()
            self._hand_out()

    def end(self) -> None:
        for lane in self._lanes:
            self._pool.give_back(lane)

    def _hand_out(self) -> None:
        """Fill the lanes, the emptiest first, and open one more when all are full."""
        while True:
            lane = min(self._lanes, key=lambda lane: len(lane.files), default=None)
            if lane is None or len(lane.files) >= _QUEUED:
                if len(self._lanes) >= self._pool.processes:
                    return
                lane = None
            file = self._again.popleft() if self._again else next(self._files, None)
            if file is None:
                return
            if lane is None:
                lane = self._pool.take(self._inbox)
                self._lanes.append(lane)
            if not lane.files and lane.is_ready:
                lane.deadline = time.monotonic() + self._pool.seconds_per_file
            lane.files.append(file)
            lane.child.send(json.dumps(file).encode("ascii"))

    def _next(self) -> Iterator[tuple[str, ParsedFile]]:
        """Wait for one delivery, or for the first deadline."""
        deadline = min(lane.deadline for lane in self._lanes if lane.files)
        try:
            child, frame = self._inbox.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            yield from self._give_up_late()
            return
        lane = next((lane for lane in self._lanes if lane.child is child), None)
        if lane is None:
            return  # the end of a child that was given up before
        if frame is None:
            yield from self._give_up(lane, f"the parser crashed ({child.last_words()})")
            return
        lane.deadline = time.monotonic() + self._pool.seconds_per_file
        if not lane.is_ready:
            lane.is_ready = True
            return
        path, _ = lane.files.popleft()
        yield path, decode(frame)

    def _give_up_late(self) -> Iterator[tuple[str, ParsedFile]]:
        now = time.monotonic()
        for lane in [lane for lane in self._lanes if lane.files and lane.deadline <= now]:
            seconds = self._pool.seconds_per_file if lane.is_ready else START_SECONDS
            yield from self._give_up(lane, f"the parser took longer than {seconds:g} s")

    def _give_up(self, lane: _Lane, note: str) -> Iterator[tuple[str, ParsedFile]]:
        """End a lane: the file that it worked on is chunked by lines here, those behind it go to others."""
        self._lanes.remove(lane)
        lane.child.kill()
        if lane.files:
            path, text = lane.files.popleft()
            self._again.extend(lane.files)
            yield path, chunk_by_lines(path, text, note)
