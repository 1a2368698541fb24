"""The line at the top: workspace, branch, how far the index is, who answers and where."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from agent.messages import BackendInfo
from tools.errors import UserError
from tools.index.progress import IndexProgress, IndexStatus
from tools.show import show_name
from tui.plain import described
from tui.widgets.progress_line import PHASES


class StatusLine(Static):
    """Redrawn when one of its parts changes."""

    DEFAULT_CSS = """
    StatusLine { height: 1; padding: 0 1; background: $panel; color: $foreground; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    workspace: reactive[str] = reactive("")
    branch: reactive[str] = reactive("")
    backend: reactive[BackendInfo | None] = reactive[BackendInfo | None](None)
    trouble: reactive[str] = reactive("")
    """Why nobody can answer now, or ""."""
    index: reactive[IndexStatus | None] = reactive[IndexStatus | None](None)
    progress: reactive[IndexProgress | None] = reactive[IndexProgress | None](None)
    index_trouble: reactive[UserError | None] = reactive[UserError | None](None)
    """Why the index is not kept up to date now, or None."""

    def render(self) -> Content:
        """The parts that are known, the most wanted first."""
        parts = [self._where(), self._index(), self._who()]
        return Content("  │  ").join(part for part in parts if part)

    def _where(self) -> Content:
        branch = (f" {show_name(self.branch)}", "$text-secondary") if self.branch else ""
        return Content.assemble((show_name(self.workspace) or "codewitness", "bold"), branch)

    def _index(self) -> Content:
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
        if self.app.size.width < 100:
            return Content.assemble(f"{self.index.files:,} files, {vectors}", held)
        return Content.assemble(
            f"{self.index.files:,} files, {self.index.chunks:,} pieces, {vectors}", held or ", watching"
        )

    def _who(self) -> Content:
        if self.trouble:
            return Content.assemble((f"✗ {show_name(self.trouble)}", "$text-error"))
        return Content.assemble((described(self.backend), "$text-primary")) if self.backend else Content("")
