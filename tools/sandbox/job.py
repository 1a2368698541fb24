"""What is run in a sandbox, within which limits, and how it ended. Sizes are in bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

EndReason: TypeAlias = Literal[
    "exit", "timeout", "output_limit", "memory_limit", "process_limit", "disk_limit", "cancelled"
]

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may spend."""

    seconds: float = 120.0
    output_bytes: int = 32 * MEBIBYTE
    report_bytes: int = 32 * MEBIBYTE
    memory_bytes: int = 3072 * MEBIBYTE
    """Resident memory of all processes together."""
    address_space_bytes: int = 2048 * MEBIBYTE
    """Of each process; 0: no limit, for runtimes that reserve far more than they use."""
    processes: int = 128
    """Processes and threads; the watchdog ends what has twice as many processes, where the kernel does not count."""
    workspace_bytes: int = 512 * MEBIBYTE
    """What the tests may add to or change in their view of the workspace."""
    temporary_bytes: int = 256 * MEBIBYTE
    shared_memory_bytes: int = 64 * MEBIBYTE


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things are, as the tests see them."""

    workspace: str
    home: str
    temporary: str
    support: str
    """The folder of our own files: reporters."""
    report: str
    """The pipe that a reporter writes to: the number of its descriptor, or on Windows the path of a file."""

    @property
    def report_path(self) -> str:
        """The same as a path that can be opened."""
        return f"/dev/fd/{self.report}" if self.report.isdecimal() else self.report

    def folder(self, inside: str) -> str:
        """A folder of the workspace."""
        return f"{self.workspace}/{inside}" if inside else self.workspace


@dataclass(frozen=True, slots=True)
class Job:
    """One program to run on the workspace. Its whole environment is what the box builds, and `environment`."""

    argv: tuple[str, ...]
    folder: str = ""
    """Folder of the workspace in which it starts."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    read_only: tuple[tuple[Path, str], ...] = ()
    """Files and folders outside the workspace that the program needs, and where it sees them."""
    layered: tuple[tuple[Path, str], ...] = ()
    """Caches that only save time: seen, and written to in memory, where overlays work; elsewhere they are not there."""
    dependencies: tuple[str, ...] = ()
    """Folders of the workspace with installed packages (`.venv`, `node_modules`): read, never changed, never copied."""
    masked: tuple[str, ...] = ()
    """Files and folders of the workspace that the program finds empty."""
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended."""

    reason: EndReason
    exit_code: int
    """Means something only where the reason is "exit"; 128 + n after signal n."""
    output_head: bytes
    output_tail: bytes
    """The end of the output, where it was longer than the head holds; what stood between them is gone."""
    output_bytes: int
    report: bytes
    seconds: float
    notes: tuple[str, ...] = ()
    """What was not whole: files that could not be copied."""

    @property
    def output(self) -> bytes:
        """Head and tail, with a mark where something is left out."""
        left_out = self.output_bytes - len(self.output_head) - len(self.output_tail)
        gap = b"\n[... %d bytes left out ...]\n" % left_out if left_out > 0 else b""
        return self.output_head + gap + self.output_tail
