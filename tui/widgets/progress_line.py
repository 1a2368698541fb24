"""What a run is doing now, and for how long: one line that is gone when the run is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from tools.show import show_name

if TYPE_CHECKING:  # the first paint comes before
    from tools.index.progress import IndexProgress

PHASES = {
    "listing": "looking for files",
    "parsing": "reading files",
    "vectors": "computing vectors",
    "done": "reading",
}
SECONDS_BETWEEN_LOOKS = 0.5
SILENT_SECONDS = 2.0
"""Below that no time is shown: it would only flicker."""


class ProgressLine(Static):
    """Redrawn on a timer, so that a fast model costs no more than a slow one."""

    DEFAULT_CSS = """
    ProgressLine { height: 1; color: $text-muted; }
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._what = "opening the workspace"
        self._since = clock()

    def on_mount(self) -> None:
        """Look up twice a second."""
        self._draw()
        self.set_interval(SECONDS_BETWEEN_LOOKS, self._draw)

    def say(self, what: str) -> None:
        """Something else is happening now."""
        if what != self._what:
            self._what, self._since = what, self._clock()
            self._draw()

    def index(self, progress: IndexProgress) -> None:
        """The index is being brought up to date first."""
        count = f" {progress.done}/{progress.total}" if progress.total > 1 else ""
        self._what = f"indexing first: {PHASES[progress.phase]}{count}"
        self._draw()

    def _draw(self) -> None:
        seconds = self._clock() - self._since
        took = f" · {seconds:.0f} s" if seconds >= SILENT_SECONDS else ""
        self.update(Content.assemble(("● ", "$text-primary"), show_name(self._what), took, "   Esc stops"))
