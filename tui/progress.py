"""Progress on stderr: a moving line where the terminal can draw one, sparse plain lines elsewhere, nothing with -q.

The moving line is always gone before anything is printed on stdout, which may be the same terminal.
"""

from __future__ import annotations

import time

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.status import Status
from rich.text import Text

from tools.index.progress import IndexProgress
from tools.show import show_name
from tui.amounts import PIECES_PER_SECOND, about
from tui.console import Output

SECONDS_BETWEEN_LINES = 2.5
SECONDS_BEFORE_ESTIMATES = 5.0
"""What a rate measured over less is worth nothing: the embedder has to start."""
PHASES = {
    "listing": "looking for files",
    "parsing": "reading files",
    "vectors": "computing vectors",
    "done": "done",
}
PATH_WIDTH = 48


class _Timed:
    """What is being done, and for how many seconds: a slow model must not look like a dead one."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._began = time.monotonic()

    def __rich__(self) -> Text:
        seconds = int(time.monotonic() - self._began)
        return Text(f"{self._what}  {seconds} s" if seconds else self._what)


class ProgressLine:
    """What the program is doing now."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._status: Status | None = None
        self._doing = ""
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self._phase = ""
        self._last_line = 0.0
        self._began = (0.0, 0)
        """When this phase began, and how much was done then."""

    def status(self, what: str) -> None:
        """Something that takes a while and has no known length."""
        if not self._output.live:
            return
        self._stop_bar()
        if self._status is None:
            self._status = Status(_Timed(what), console=self._output.stderr, spinner="dots")
            self._status.start()
        elif what != self._doing:
            self._status.update(_Timed(what))
        self._doing = what

    def line(self, what: str | Text) -> None:
        """Something that has happened, worth a line of its own."""
        self.clear()
        self._output.say(what, "dim")

    def index(self, progress: IndexProgress) -> None:
        """One step of an index run."""
        if progress.phase == "done":
            self.clear()
        elif progress.phase == "waiting":
            self._wait(progress.current)
        elif self._output.live:
            self._draw(progress)
        else:
            self._write(progress)

    def clear(self) -> None:
        """Take the moving line away."""
        self._stop_bar()
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _draw(self, progress: IndexProgress) -> None:
        if self._status is not None:
            self.clear()
        if self._bar is None:
            self._bar = _bar(self._output)
            self._task = self._bar.add_task("", total=None, path="")
            self._bar.start()
        if progress.phase != self._phase:
            self._phase = progress.phase
            self._bar.reset(self._task, description=PHASES[progress.phase])
        self._bar.update(
            self._task,
            completed=progress.done,
            total=progress.total or None,
            path=_shortened(show_name(progress.current)),
        )

    def _write(self, progress: IndexProgress) -> None:
        now = time.monotonic()
        if progress.phase == self._phase and now - self._last_line < SECONDS_BETWEEN_LINES:
            return
        if progress.phase != self._phase:
            self._began = (now, progress.done)
        self._phase, self._last_line = progress.phase, now
        count = f" {progress.done}/{progress.total}" if progress.total else ""
        self._output.say(f"{PHASES[progress.phase]}{count}{self._left(progress, now)}")

    def _left(self, progress: IndexProgress, now: float) -> str:
        """How long vectors will still take, by the rate of this run; by the usual one until it is known."""
        left = progress.total - progress.done
        if progress.phase != "vectors" or left <= 0:
            return ""
        began, done_before = self._began
        measured = now - began >= SECONDS_BEFORE_ESTIMATES and progress.done > done_before
        rate = (progress.done - done_before) / (now - began) if measured else PIECES_PER_SECOND
        return f", {about(left / rate)} left"

    def _wait(self, holder: str) -> None:
        """Say once who is waited for."""
        what = f"waiting for {show_name(holder)}; Ctrl-C stops"
        if self._output.live:
            self.status(what)
        elif self._phase != "waiting":
            self._output.say(what)
        self._phase = "waiting"

    def _stop_bar(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            self._phase = ""


def _bar(output: Output) -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[path]}", markup=False, style="dim"),
        console=output.stderr,
        transient=True,
        refresh_per_second=10,
    )


def _shortened(path: str) -> str:
    return path if len(path) <= PATH_WIDTH else "…" + path[-PATH_WIDTH + 1 :]
