"""What is being typed, kept on disk so that it survives a crash: one file, readable by its owner only."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from tools.secrets import mask

FILE_NAME = "draft.txt"


def save_draft(folder: Path, text: str) -> None:
    """Keep the text in place of the one before, secrets masked; what cannot be written is not worth a word."""
    with suppress(OSError):
        if not text:
            (folder / FILE_NAME).unlink(missing_ok=True)
            return
        descriptor = os.open(folder / FILE_NAME, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(mask(text)[0])


def saved_draft(folder: Path) -> str:
    """What was being typed when the program ended, or ""."""
    with suppress(OSError, ValueError):
        return (folder / FILE_NAME).read_text(encoding="utf-8")
    return ""
