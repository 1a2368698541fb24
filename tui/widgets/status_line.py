"""The line at the top: workspace, branch, how far the index is, who answers and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from tools.show import show_name
from tui.widgets.progress_line import PHASES

if TYPE_CHECKING:  # the first paint comes before
    from agent.messages import BackendInfo
    from tools.errors import UserError
    from tools.index.progress import IndexProgress, IndexStatus

MOST_WORDS = 4


class StatusLine(Static):
    """Redrawn when one of its parts changes."""

    DEFAULT_CSS = """
    StatusLine { height: 1; padding: 0 1; background: $panel; color: $foreground; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    workspace: reactive[str] = reactive("")
    branch: reactive[str] = reactive("")
    backend: reactive[BackendInfo | None] = reactive(None)
    trouble: reactive[str] = reactive("")
    """Why nobody can answer now, or ""."""
    index: reactive[IndexStatus | None] = reactive(None)
    progress: reactive[IndexProgress | None] = reactive(None)
    index_trouble: reactive[UserError | None] = reactive(None)
    """Why the index is not kept up to date now, or None."""

    context: reactive[tuple[int, int]] = reactive((0, 0))
    """Tokens of the newest turn, and of the model's window; 0 where it is not known."""
    sandbox: reactive[str] = reactive("")
    """What tests are isolated by, in a word."""

    def render(self) -> Content:
        """As much as there is room for: what is said in fewer words first, then what is wanted least."""
        line = Content("")
        for room in range(MOST_WORDS, -1, -1):
            parts = [
                self._where(),
                self._index(room),
                self._who(room),
                self._window(room),
                self._tests(room),
            ]
            line = Content("  │  " if room > 1 else " │ ").join(part for part in parts if part)
            if line.cell_length <= self.content_size.width:
                break
        return line

    def _where(self) -> Content:
        branch = (f" {show_name(self.branch)}", "$text-secondary") if self.branch else ""
        return Content.assemble((show_name(self.workspace) or "codewitness", "bold"), branch)

    def _index(self, room: int) -> Content:
        progress = self.progress
        if progress is not None and progress.phase in ("listing", "parsing"):
            count = f" {progress.done}/{progress.total}" if progress.total else ""
            return Content.assemble((f"{PHASES[progress.phase]}{count}", "$text-warning"))
        if self.index is None:
            return Content("opening…")
        filling = progress is not None and progress.phase == "vectors"
        if self.index.embedder.startswith("none"):
            vectors = "no vectors"
        else:
            vectors = f"vectors {self.index.vectors_share:.0%}{'…' if filling else ''}"
        held = (
            Content.assemble((", not followed (/index says why)", "$text-warning"))
            if self.index_trouble
            else ""
        )
        if room == 0:
            return Content.assemble(vectors, held)
        if room < MOST_WORDS:
            return Content.assemble(f"{self.index.files:,} files, {vectors}", held)
        return Content.assemble(
            f"{self.index.files:,} files, {self.index.chunks:,} pieces, {vectors}", held or ", watching"
        )

    def _who(self, room: int) -> Content:
        if self.trouble:
            return Content.assemble((f"✗ {show_name(self.trouble)}", "$text-error"))
        if self.backend is None:
            return Content("")
        from tui.plain import described

        if room < 2:
            return Content.assemble((show_name(self.backend.model or self.backend.name), "$text-primary"))
        return Content.assemble((described(self.backend), "$text-primary"))

    def _window(self, room: int) -> Content:
        used, window = self.context
        if not (used and window):
            return Content("")
        share = f"{used / window:.0%}"
        style = "$text-warning" if used > 0.8 * window else ""
        return Content.assemble((f"context {share}" if room > 2 else share, style))

    def _tests(self, room: int) -> Content:
        if not self.sandbox or room < 1:
            return Content("")
        style = "" if self.sandbox.startswith("tier") else "$text-warning"
        return Content.assemble((f"tests: {self.sandbox}" if room > 2 else self.sandbox, style))
