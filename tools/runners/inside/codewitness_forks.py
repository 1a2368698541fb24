"""Work done in a process of its own: what it leaves behind in memory is gone, and it can be ended at any time."""

import contextlib
import json
import os
import select
import signal
import sys
import time
import warnings
from typing import Any, Callable, Dict, Tuple


def forked(work: Callable[[], Dict[str, Any]], seconds: float) -> Dict[str, Any]:
    """What the work returned, in a fork of which nothing is left; `ended` says how: exit, timeout, died."""
    sys.stdout.flush()
    sys.stderr.flush()
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that the fork will not have: they are the project's own
        child = os.fork()
    if child == 0:
        os.close(reader)
        _work_to_the_end(work, writer)
    os.close(writer)
    told, late = _read_line(reader, time.monotonic() + seconds)
    os.close(reader)
    status = _end(child)
    if told:
        return {**json.loads(told), "ended": "exit"}
    spent = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM)
    return {"ended": "timeout" if late or spent else "died"}


def _work_to_the_end(work: Callable[[], Dict[str, Any]], writer: int) -> None:
    code = 1
    try:
        os.setpgid(0, 0)
        told = json.dumps(work()).encode("ascii") + b"\n"
        sys.stdout.flush()
        with open(writer, "wb") as pipe:
            pipe.write(told)
        code = 0
    finally:
        os._exit(code)


def _read_line(reader: int, deadline: float) -> Tuple[bytes, bool]:
    """A whole line or nothing, and whether it was too late for one."""
    told = b""
    while not told.endswith(b"\n"):
        ready, _, _ = select.select([reader], [], [], max(deadline - time.monotonic(), 0))
        if not ready:
            return b"", True
        block = os.read(reader, 65536)
        if not block:
            return b"", False
        told += block
    return told, False


def _end(child: int) -> int:
    """Kill what is left of it and its group; returns how the child itself had ended."""
    ended, status = os.waitpid(child, os.WNOHANG)
    for kill in (os.killpg, os.kill) if not ended else (os.killpg,):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)
    return status if ended else os.waitpid(child, 0)[1]
