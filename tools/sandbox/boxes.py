"""One box per tier, and one for none."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from tools.sandbox.box import Box, CannotRun, Start
from tools.sandbox.bubblewrap import (
    SYSTEM_FILES,
    SYSTEM_LINKS,
    Confinement,
    can_be_known_by,
    on_copy,
    on_overlay,
    system_mounts,
)
from tools.sandbox.copying import Folder, TooLarge
from tools.sandbox.job import Job

_LAUNCHER = Path(__file__).with_name("launcher.py")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_OWN_PROCESS = ("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/sys/vm/overcommit_memory")


class OverlayBox(Box):
    """Tier 1."""

    def _start(self, job: Job) -> Start:
        seccomp = self._seccomp()
        return Start(on_overlay(job, self._confinement(seccomp), self._scratch), (seccomp,))

    def _confinement(self, seccomp: int) -> Confinement:
        assert self._programs is not None
        return Confinement(self._programs, self.root, self.layout, self._support, seccomp)


class CopyBox(OverlayBox):
    """Tier 2."""

    def _start(self, job: Job) -> Start:
        seccomp = self._seccomp()
        archive, feed = self._archive(job)
        return Start(on_copy(job, self._confinement(seccomp), archive), (seccomp, archive), feed)


class NamespaceBox(Box):
    """Tier 3."""

    def _start(self, job: Job) -> Start:
        seccomp = self._seccomp()
        archive, feed = self._archive(job)
        inside = self.layout.workspace
        space = {
            "base": str(self._scratch),
            "mounts": list(self._mounts(job)),
            "archive": archive,
            "workspace": inside,
            "over_workspace": [(str(self.root / path), f"{inside}/{path}") for path in job.dependencies],
        }
        folder = self.layout.folder(job.folder)
        orders = self._orders(job, seccomp, folder=folder, counted=True, namespaces=space)
        return Start(_launch(orders), (orders, seccomp, archive), feed)

    def _mounts(self, job: Job) -> Sequence[tuple[str, str, str]]:
        layout, limits = self.layout, job.limits
        known = can_be_known_by(self.root, (target for _, target in job.read_only), layout)
        return [
            *system_mounts(),
            ("processes", "", "/proc"),
            ("devices", "", "/dev"),
            ("temporary", str(limits.shared_memory_bytes), "/dev/shm"),
            ("temporary", str(limits.temporary_bytes), layout.temporary),
            ("folder", "", layout.home),
            ("read_only", str(self._support), layout.support),
            *(("read_only", str(source), target) for source, target in job.read_only),
            ("temporary", str(limits.workspace_bytes), layout.workspace),
            *([("link", layout.workspace, str(self.root))] if known else []),
        ]


class FolderBox(Box):
    """No tier: a copy in a folder, without isolation. What the copy does not hold is as open as to anybody."""

    sees_own_paths: ClassVar[bool] = False

    def _places(self) -> tuple[str, str, str, str]:
        folders = [self._scratch / name for name in ("workspace", "home", "tmp")]
        for folder in folders:
            folder.mkdir()
        return str(folders[0]), str(folders[1]), str(folders[2]), str(self._support)

    def _start(self, job: Job) -> Start:
        self._fill(job)
        return Start(list(job.argv), options={"scratch": self._scratch})

    def _folder(self, job: Job) -> str:
        return self.layout.folder(job.folder)

    def _fill(self, job: Job) -> None:
        copy = Path(self.layout.workspace)
        try:
            self._copy(job, Folder(copy))
        except TooLarge:
            raise CannotRun(self._failure) from None
        for path in job.dependencies:
            (copy / path).symlink_to(self.root / path, target_is_directory=True)
        for source, target in job.read_only:
            if str(source) != target:
                Path(target).parent.mkdir(parents=True, exist_ok=True)
                Path(target).symlink_to(source, target_is_directory=source.is_dir())


class LandlockBox(FolderBox):
    """Tier 4."""

    def _start(self, job: Job) -> Start:
        self._fill(job)
        seccomp = self._seccomp(deny_sockets=True)
        readable = [
            *("/usr", *(f"/{name}" for name in SYSTEM_LINKS), *(f"/etc/{name}" for name in SYSTEM_FILES)),
            *_OWN_PROCESS,
            str(self._support),
            *(str(source) for source, _ in job.read_only),
            *(str(self.root / path) for path in job.dependencies),
        ]
        landlock = {"read": readable, "write": [str(self._scratch), *_DEVICES]}
        folder = self.layout.folder(job.folder)
        orders = self._orders(job, seccomp, folder=folder, counted=False, landlock=landlock)
        options = {"scratch": self._scratch, "sweeps": True}
        return Start(_launch(orders), (orders, seccomp), options=options)

    def _folder(self, job: Job) -> str:
        return "/"


def _launch(orders: int) -> list[str]:
    return [sys.executable, "-I", "-S", str(_LAUNCHER), str(orders)]
