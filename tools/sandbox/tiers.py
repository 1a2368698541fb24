"""The tiers of isolation, what each one promises, and which is the strongest that works on this machine.

A tier works when `true` ran in it, started by the real command line: a kernel may have all that it takes and still
forbid it. Nothing falls to a weaker tier silently: the tier is part of what a person agrees to, and `why` says for
each stronger one what is missing.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from tools.sandbox.box import Box, CannotRun
from tools.sandbox.boxes import CopyBox, FolderBox, LandlockBox, NamespaceBox, OverlayBox
from tools.sandbox.bubblewrap import Programs
from tools.sandbox.job import Job, Limits
from tools.sandbox.seccomp import ArchitectureUnknown, filter_program
from tools.subprocesses import find_program

_PROBE_SECONDS = 10.0
_MAX_REASON = 200


class Tier(IntEnum):
    """From the strongest to none. The numbers are shown to people and kept in consents: they never change."""

    OVERLAY = 1
    COPY = 2
    NAMESPACES = 3
    LANDLOCK = 4
    NONE = 0

    @property
    def isolated(self) -> bool:
        """The tests can neither read the person's files nor reach the network."""
        return self is not Tier.NONE


TIERS = (Tier.OVERLAY, Tier.COPY, Tier.NAMESPACES, Tier.LANDLOCK)
"""Those that isolate, strongest first."""

NAMES: Mapping[Tier, str] = {
    Tier.OVERLAY: "bubblewrap on an overlay",
    Tier.COPY: "bubblewrap on a copy",
    Tier.NAMESPACES: "namespaces without bubblewrap, on a copy",
    Tier.LANDLOCK: "Landlock and a system call filter, on a copy",
    Tier.NONE: "no isolation",
}
PROMISES: Mapping[Tier, str] = {
    Tier.OVERLAY: "no network but its own loopback, no files of yours but the workspace and what is named here, the workspace untouched",
    Tier.COPY: "no network but its own loopback, no files of yours but the workspace and what is named here, the workspace untouched",
    Tier.NAMESPACES: "no network but its own loopback, no files of yours but the workspace and what is named here, the workspace untouched",
    Tier.LANDLOCK: "no network at all, no files of yours but the workspace and what is named here, the workspace untouched; "
    "tests that use loopback, process pools or shared memory fail there",
    Tier.NONE: "it runs as you: it can read and change your files and use the network",
}
_BOXES: Mapping[Tier, type[Box]] = {
    Tier.OVERLAY: OverlayBox,
    Tier.COPY: CopyBox,
    Tier.NAMESPACES: NamespaceBox,
    Tier.LANDLOCK: LandlockBox,
    Tier.NONE: FolderBox,
}
_HINTS = (
    (("RTM_NEWADDR", "uid map"), "this kernel restricts user namespaces to programs with an AppArmor profile: install the distribution's own bubblewrap"),
    (("unshare", "new namespaces"), "user namespaces are not allowed here (a container, or a setting of the kernel)"),
)  # fmt: skip


class TierMissing(Exception):
    """A tier does not work on this machine; the message says what is missing."""


@dataclass(frozen=True)
class Sandbox:
    """The isolation that this machine offers. Make one with `find_sandbox`, once per session."""

    tier: Tier
    why: Mapping[Tier, str] = field(default_factory=dict[Tier, str])
    """For each tier stronger than this one, what is missing."""
    programs: Programs | None = None

    def open(self, root: Path, support: Path) -> Box:
        """A box for one run on the workspace `root`; `support` is the folder of our own reporters."""
        return _BOXES[self.tier](root, support, self.programs)

    @property
    def name(self) -> str:
        return NAMES[self.tier]

    @property
    def promise(self) -> str:
        return PROMISES[self.tier]

    @property
    def lacks(self) -> str:
        """Why there is no stronger tier, in one line, or ""."""
        reasons = dict.fromkeys(self.why.values())
        return "; ".join(reasons)


def find_sandbox(outside: Path, *, strongest: Tier = Tier.OVERLAY) -> Sandbox:
    """The strongest tier that works, tried from `strongest` down. Programs that lie under `outside` are not used."""
    why: dict[Tier, str] = {}
    for tier in TIERS[TIERS.index(strongest) :]:
        try:
            return Sandbox(tier, why, _proven(tier, outside))
        except TierMissing as missing:
            why[tier] = str(missing)
    return Sandbox(Tier.NONE, why)


def _proven(tier: Tier, outside: Path) -> Programs | None:
    if sys.platform != "linux":
        system = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
        raise TierMissing(f"tests are isolated on Linux only, not on {system}")
    try:
        filter_program(platform.machine())
    except ArchitectureUnknown as unknown:
        raise TierMissing(str(unknown)) from None
    programs = _programs(tier, outside)
    _probe(tier, programs)
    return programs


def _programs(tier: Tier, outside: Path) -> Programs | None:
    if tier not in (Tier.OVERLAY, Tier.COPY):
        return None
    wanted = {"bwrap": "bubblewrap", "prlimit": "util-linux", "sh": "a shell"}
    wanted |= {"unshare": "util-linux", "mount": "mount"} if tier is Tier.OVERLAY else {"tar": "tar"}
    found = {name: find_program(name, outside=outside) for name in wanted}
    if missing := [f"`{name}` ({wanted[name]})" for name, place in found.items() if place is None]:
        raise TierMissing(f"{' and '.join(missing)} not found")
    bwrap, prlimit, shell = found["bwrap"], found["prlimit"], found["sh"]
    assert bwrap is not None
    assert prlimit is not None
    assert shell is not None
    return Programs(bwrap, prlimit, shell, found.get("unshare"))


def _probe(tier: Tier, programs: Programs | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "support").mkdir()
        job = Job(("/usr/bin/env", "true"), limits=Limits(seconds=_PROBE_SECONDS))
        try:
            with _BOXES[tier](root, root / "support", programs) as box:
                ended = box.run(job)
        except (OSError, CannotRun) as problem:
            raise TierMissing(str(problem)) from None
    if ended.reason != "exit" or ended.exit_code != 0:
        raise TierMissing(_reason(ended.output.decode("utf-8", "replace").strip() or ended.reason))


def _reason(said: str) -> str:
    line = said.splitlines()[-1][:_MAX_REASON]
    hint = next((hint for words, hint in _HINTS if any(word in said for word in words)), "")
    return f"{line}: {hint}" if hint else line
