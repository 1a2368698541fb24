"""Taking turns: who finds another process building the first index waits for it, and who finds an index uses that.

An index counts as built from the first run that went through the whole workspace: its folder then holds the file
`built`. Until then what is there is a beginning, and a question asked of it would miss most of the sources.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tools.index.lock import IndexBusy, writer
from tools.index.progress import IndexProgress, IndexReport

BUILT_NAME = "built"
SECONDS_BETWEEN_LOOKS = 0.2


def note_built(folder: Path) -> None:
    """Say that a run went through the whole workspace."""
    with suppress(OSError):  # the next run says it again
        (folder / BUILT_NAME).touch(mode=0o600)


def forget_built(folder: Path) -> None:
    """Say that the index begins anew."""
    (folder / BUILT_NAME).unlink(missing_ok=True)


def is_built(folder: Path) -> bool:
    """Whether there is a whole index, however old."""
    return (folder / BUILT_NAME).is_file()


def in_turn(
    refresh: Callable[[], IndexReport],
    folder: Path,
    progress: Callable[[IndexProgress], None],
    stop: Callable[[], bool],
) -> IndexReport:
    """Refresh; while another process builds the first index, wait for it.

    Raises: IndexBusy when there is an index to use meanwhile, or when it was stopped.
    """
    while True:
        try:
            return refresh()
        except IndexBusy:
            if is_built(folder) or stop():
                raise
        progress(IndexProgress("waiting", 0, 0, _holder(folder)))
        time.sleep(SECONDS_BETWEEN_LOOKS)


def _holder(folder: Path) -> str:
    now = writer(folder)
    return f"pid {now.pid}, which is indexing since {now.since:%H:%M}" if now else "another codewitness"
