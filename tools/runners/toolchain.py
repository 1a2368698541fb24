"""Programs of this machine that a runner needs, and what of it a sandbox must show."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tools.runners.runner import RunnerLacks
from tools.sandbox.job import Layout
from tools.subprocesses import find_program
from tools.workspace import Workspace


def program(name: str, workspace: Workspace, *, needed_for: str) -> Path:
    """The full path of a program, outside the workspace. Raises: RunnerLacks."""
    found = find_program(name, outside=workspace.root)
    if found is None:
        raise RunnerLacks(f"{needed_for} need `{name}`, which is not on PATH")
    return found


def shown(*places: Path) -> tuple[tuple[Path, str], ...]:
    """Files and folders that are there, seen where they are; the system itself is shown anyway."""
    return tuple(
        (Path(os.path.realpath(place)), str(place))
        for place in dict.fromkeys(places)
        if place.exists() and not place.is_relative_to("/usr")
    )


def home_of(environment: Mapping[str, str]) -> Path:
    """The person's home folder, where tool chains keep what they fetched."""
    return Path(environment.get("HOME") or environment.get("USERPROFILE") or "/nonexistent")


def to_report(layout: Layout, *argv: str, errors_too: bool = False) -> tuple[str, ...]:
    """The command with what it prints going to the report, since it has no other way to report."""
    if not layout.report.isdecimal():
        raise RunnerLacks("this runner needs a POSIX system")
    errors = " 2>&1" if errors_too else ""
    return ("/bin/sh", "-c", f'exec "$@" >{layout.report_path}{errors}', "sh", *argv)
