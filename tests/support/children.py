"""How a child process of a test finds the test's own modules: they are not installed."""

from __future__ import annotations

import os
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


def python_path() -> dict[str, str]:
    """The variable to add to a worker's environment."""
    return {"PYTHONPATH": os.pathsep.join((str(_ROOT), str(_ROOT / "tests")))}
