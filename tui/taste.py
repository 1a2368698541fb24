"""Which colours the person chose, kept beside their settings file: a word in a file, read before the first paint."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tui.themes import DARK, OFFERED

FILE_NAME = "theme.txt"


def theme_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Where it is kept."""
    if named := environment.get("CODEWITNESS_SETTINGS_FILE", ""):
        return Path(named).expanduser().parent / FILE_NAME
    import platformdirs

    return Path(platformdirs.user_config_dir("codewitness", appauthor=False)) / FILE_NAME


def chosen_theme(file: Path) -> str:
    """The theme that was chosen last; the dark one where none was, or where it is none of ours."""
    with suppress(OSError, ValueError):
        name = file.read_text(encoding="utf-8").strip()
        return name if name in OFFERED else DARK.name
    return DARK.name


def keep_theme(file: Path, name: str) -> None:
    """Remember the choice; where that cannot be written it holds for this time only."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{name}\n", encoding="utf-8")
