"""What all boxes have in common: one run of one job on a workspace, which stays as it was.

A box is opened for one run, and knows where the program will see things (`layout`) before there is a command line.
Programs are started by their full paths, in an environment built from nothing. The thread that calls `run` waits for
the end: the kernel ends a sandbox together with the thread that started it.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

import psutil

from tools.sandbox.bubblewrap import Programs, kernel_limits
from tools.sandbox.copying import Archive, Folder, TooLarge, copy_workspace
from tools.sandbox.job import Ended, Job, Layout
from tools.sandbox.seccomp import filter_program
from tools.sandbox.watch import Watch

_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "CI": "1",
    "NO_COLOR": "1",
    "TERM": "dumb",
}
_WINDOWS_NEEDS = ("SYSTEMROOT", "PATH", "PATHEXT", "COMSPEC")
_SCRATCH = "codewitness-"
_INSIDE = "/workspace", "/tmp/home", "/tmp", "/opt/codewitness"


class CannotRun(Exception):
    """The workspace cannot be brought into the box; the message says why."""


@dataclass
class Start:
    """How the program is started."""

    argv: list[str]
    descriptors: tuple[int, ...] = ()
    """What it inherits besides its output and the report."""
    feed: Callable[[], None] | None = None
    """What has to go on while it runs."""
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    """For `Watch`."""


class Box:
    """Opened for one run; `run` is called once."""

    sees_own_paths: ClassVar[bool] = True
    """The program sees the paths of its own root, not those of this machine."""

    def __init__(self, root: Path, support: Path, programs: Programs | None = None) -> None:
        self.root = root
        self._support = support
        self._programs = programs
        self._descriptors: set[int] = set()
        self._notes: tuple[str, ...] = ()
        self._failure = ""

    def __enter__(self) -> Self:
        _sweep()
        self._scratch = Path(tempfile.mkdtemp(prefix=f"{_SCRATCH}{os.getpid()}-"))
        self._report_reader, self._report_writer = self._pipe()
        workspace, home, temporary, support = self._places()
        report = str(self._report_writer) if sys.platform != "win32" else str(self._scratch / "report")
        self.layout = Layout(workspace, home, temporary, support, report)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for descriptor in tuple(self._descriptors):
            self._close(descriptor)
        _remove(self._scratch)

    def run(
        self,
        job: Job,
        stop: Callable[[], bool] = lambda: False,
        heard: Callable[[bytes], None] | None = None,
    ) -> Ended:
        """Run it to its end or to its limits; `heard` is told each block of the report as it comes.

        Raises: CannotRun; OSError, where the sandbox cannot be started.
        """
        start = self._start(job)
        reader, writer = self._pipe()
        process = self._popen(job, start, writer)
        for descriptor in (writer, self._report_writer, *start.descriptors):
            self._close(descriptor)
        feeding = threading.Thread(target=start.feed, daemon=True) if start.feed else None
        if feeding:
            feeding.start()
        self._descriptors -= {reader, self._report_reader}  # who reads them closes them
        ended = Watch(process, job.limits, **start.options).until_ended(
            reader, self._report_reader, stop, heard
        )
        if feeding:
            feeding.join()
        if self._failure:
            raise CannotRun(self._failure)
        if sys.platform == "win32":
            ended = replace(ended, report=_content(Path(self.layout.report)))
        return replace(ended, notes=self._notes)

    def _places(self) -> tuple[str, str, str, str]:
        """Workspace, home, temporary folder, and the folder of our own files, as the program sees them."""
        return _INSIDE

    def _start(self, job: Job) -> Start:
        raise NotImplementedError

    def _environment(self, job: Job) -> dict[str, str]:
        own = {"HOME": self.layout.home, "TMPDIR": self.layout.temporary}
        if sys.platform == "win32":
            own |= {name: os.environ[name] for name in _WINDOWS_NEEDS if name in os.environ}
            own |= {"USERPROFILE": self.layout.home, "TEMP": self.layout.temporary}
        return _ENVIRONMENT | own | dict(job.environment)

    def _popen(self, job: Job, start: Start, output: int) -> subprocess.Popen[bytes]:
        inherited = () if sys.platform == "win32" else (self._report_writer, *start.descriptors)
        return subprocess.Popen(
            start.argv,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=self._folder(job),
            env=self._environment(job),
            start_new_session=True,
            pass_fds=inherited,
        )

    def _folder(self, _job: Job) -> str:
        """Where what we start starts."""
        return "/"

    def _seccomp(self, *, deny_sockets: bool = False) -> int:
        return self._in_memory("seccomp", filter_program(platform.machine(), deny_sockets=deny_sockets))

    def _orders(
        self, job: Job, seccomp: int, *, folder: str, counted: bool, **confinement: dict[str, Any]
    ) -> int:
        """What the launcher is to do. `counted`: the kernel counts this sandbox's processes, not all of the person's."""
        limits = {f"RLIMIT_{name.upper()}": value for name, value in kernel_limits(job.limits).items()}
        if not counted:
            del limits["RLIMIT_NPROC"]
            limits["RLIMIT_FSIZE"] = job.limits.workspace_bytes
        orders: dict[str, Any] = {
            "argv": job.argv,
            "environment": self._environment(job),
            "folder": folder,
            "limits": limits,
            "seccomp": seccomp,
            "namespaces": None,
            "landlock": None,
        }
        return self._in_memory("orders", json.dumps(orders | confinement).encode())

    def _archive(self, job: Job) -> tuple[int, Callable[[], None]]:
        """A pipe that a copy of the workspace comes out of, and what has to run so that it does."""
        reader, writer = self._pipe()
        self._descriptors.remove(writer)  # the feeding thread closes it

        def feed() -> None:
            # A program that has ended before it read all has its own story to tell.
            with suppress(BrokenPipeError), open(writer, "wb") as stream:  # noqa: PTH123  (a descriptor)
                archive = Archive(stream)
                with suppress(TooLarge):
                    self._copy(job, archive)
                    archive.close()

        return reader, feed

    def _copy(self, job: Job, target: Archive | Folder) -> None:
        try:
            self._notes = copy_workspace(self.root, target, leave_out=job.dependencies, empty=job.masked)
        except TooLarge as why:
            self._failure = f"the workspace cannot be copied for the tests: {why}"
            raise

    def _pipe(self) -> tuple[int, int]:
        ends = os.pipe()
        self._descriptors.update(ends)
        return ends

    def _in_memory(self, name: str, content: bytes) -> int:
        """A descriptor of an unnamed file with this content, at its beginning."""
        assert sys.platform == "linux"
        descriptor = os.memfd_create(name)
        self._descriptors.add(descriptor)
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor

    def _close(self, descriptor: int) -> None:
        self._descriptors.remove(descriptor)
        os.close(descriptor)


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _sweep() -> None:
    """Remove what processes of ours that were killed have left behind."""
    for place in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*-*"):
        pid = place.name.removeprefix(_SCRATCH).partition("-")[0]
        with suppress(OSError):
            status = place.lstat()
            own = stat.S_ISDIR(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid == os.getuid())
            if own and pid.isdecimal() and not psutil.pid_exists(int(pid)):
                _remove(place)


def _remove(folder: Path) -> None:
    """Remove it all, also where a test has taken its own rights away. Links are removed, never followed."""
    for where, names, _ in os.walk(folder):
        for place in (Path(where, name) for name in names):
            if not place.is_symlink():
                place.chmod(0o700)  # before the walk goes into it
    shutil.rmtree(folder, ignore_errors=True)
