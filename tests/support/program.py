"""The installed command, run as people run it: a process of its own, with a home of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("codewitness.exe" if sys.platform == "win32" else "codewitness")
PATIENCE_SECONDS = 60


def environment(home: Path, **more: str) -> dict[str, str]:
    """Everything the program inherits; vectors are off unless asked for, since they cost seconds."""
    home.mkdir(exist_ok=True)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "USERPROFILE": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "CODEWITNESS_INDEX__EMBEDDER": "none",
        "CODEWITNESS_MODEL__BACKEND": "extractive",
        **more,
    }


def codewitness(
    *arguments: str,
    home: Path,
    here: Path,
    stdin: str = "",
    program: Path = PROGRAM,
    variables: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end; stdout and stderr apart."""
    return subprocess.run(
        [program, *arguments],
        cwd=here,
        env=environment(home, **(variables or {})),
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )
