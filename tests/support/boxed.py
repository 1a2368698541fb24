"""Programs run in each tier that works on this machine, on a workspace with a home and sockets around it."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from pathlib import Path

from tools.sandbox.job import Ended, Job, Limits
from tools.sandbox.tiers import TIERS, Sandbox, Tier, find_sandbox

SUPPORT = Path(__file__).parents[2] / "tools" / "runners" / "inside"
NOWHERE = Path("/nonexistent")


def sandboxes() -> list[Sandbox]:
    """Every tier that works here, each by itself. None on other systems than Linux."""
    found = [find_sandbox(NOWHERE, strongest=tier) for tier in TIERS]
    return [one for one, tier in zip(found, TIERS, strict=True) if one.tier is tier]


def why_missing() -> str:
    """Which tiers do not work here, and why."""
    found = {tier: find_sandbox(NOWHERE, strongest=tier) for tier in TIERS}
    return "; ".join(f"tier {tier}: {one.why[tier]}" for tier, one in found.items() if one.tier is not tier)


def python() -> tuple[str, tuple[tuple[Path, str], ...]]:
    """This interpreter without its packages, and what it needs to be seen."""
    prefix = Path(sys.base_prefix).resolve()
    program = prefix / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    read_only = () if prefix.is_relative_to("/usr") else ((prefix, str(prefix)),)
    return str(program), read_only


def run_code(
    sandbox: Sandbox,
    root: Path,
    code: str,
    *arguments: str,
    limits: Limits | None = None,
    masked: tuple[str, ...] = (),
) -> Ended:
    """Run Python code on a workspace; `{report}` in the arguments is the report's descriptor."""
    program, read_only = python()
    with sandbox.open(root, SUPPORT) as box:
        given = tuple(one.replace("{report}", box.layout.report) for one in arguments)
        job = Job(
            (program, "-I", "-c", code, *given),
            read_only=read_only,
            masked=masked,
            limits=limits or Limits(seconds=20),
        )
        return box.run(job)


def tree(root: Path) -> dict[str, str]:
    """Every path below a folder with what is there, to hold before against after."""
    found: dict[str, str] = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            place = Path(folder, name)
            status = place.lstat()
            content = (
                hashlib.sha256(place.read_bytes()).hexdigest()
                if place.is_file() and not place.is_symlink()
                else ""
            )
            found[str(place)] = (
                f"{status.st_mode:o} {status.st_size if content else ''} {status.st_mtime_ns} {content}"
            )
    return found


def named(value: Sandbox | Tier) -> str:
    """How a tier is called in the id of a test."""
    tier = value.tier if isinstance(value, Sandbox) else value
    return f"tier{tier.value}"


ON_LINUX = platform.system() == "Linux"
