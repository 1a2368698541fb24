"""Source lines with their numbers, the cited ones marked, and a cursor that rests on names.

Draws only the lines in sight, so the length of a file does not matter. Columns are of the text as it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

_NAME = re.compile(r"[^\W\d]\w*")
MARK = "▌"
LINES_ABOVE = 5
"""How many lines of context stay in sight above the first cited line, where there is room."""


class SourceView(ScrollView, can_focus=True):
    """One file."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home,g", "go_to(1)", "First line", show=False),
        Binding("end,G", "go_to(-1)", "Last line", show=False),
        Binding("left,h", "name(-1)", "Name before", show=False),
        Binding("right,l", "name(1)", "Next name", show=False),
        Binding("d", "definition", "Definition"),
        Binding("r", "references", "References"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "source--number",
        "source--mark",
        "source--cited",
        "source--cursor",
        "source--name",
    }
    DEFAULT_CSS = """
    SourceView {
        background: $surface; color: $foreground; scrollbar-size: 1 1;
        .source--number { color: $foreground 45%; }
        .source--mark { color: $success; text-style: bold; }
        .source--cited { background: $success 14%; }
        .source--cursor { background: $foreground 12%; }
        .source--name { text-style: bold reverse; }
        &.-stale .source--mark { color: $warning; }
        &.-stale .source--cited { background: $warning 14%; }
    }
    """

    cursor: reactive[int] = reactive(1)
    """The line the cursor is on, counted from 1."""

    class NameWanted(Message):
        """The person wants to go from this name to its definition or its uses."""

        def __init__(self, name: str, find: str) -> None:
            super().__init__()
            self.name = name
            self.find = find

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._lines: list[str] = []
        self._coloured: list[Content] | None = None
        self._cited = range(0)
        self._name_at = 0

    def show_lines(self, lines: Sequence[str], cited: range) -> None:
        """Show these (safe) lines, uncoloured at first, the cited ones in sight."""
        self._lines = list(lines)
        self._coloured = None
        self._cited = cited
        self._name_at = 0
        width = self._gutter + max(map(cell_len, self._lines), default=0) + 1
        self.virtual_size = Size(width, len(self._lines))
        self.set_reactive(SourceView.cursor, max(1, min(cited.start, len(self._lines))))
        self.refresh()
        self.call_after_refresh(self._reveal_cited)  # a pane that was hidden has no size yet

    def colour(self, coloured: list[Content] | None) -> None:
        """The same lines in colours."""
        self._coloured = coloured
        self.refresh()

    @property
    def name_under_cursor(self) -> str:
        """The name that the cursor rests on, or ""."""
        names = self._names(self.cursor)
        return names[min(self._name_at, len(names) - 1)][0] if names else ""

    def render_line(self, y: int) -> Strip:
        """One line in sight."""
        x, top = round(self.scroll_x), round(self.scroll_y)
        at = top + y
        if at >= len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        number = at + 1
        cited = number in self._cited
        classes = [
            name for name, on in (("source--cited", cited), ("source--cursor", self._is_at(number))) if on
        ]
        base = self.get_visual_style(*classes) if classes else self.visual_style
        gutter = Strip(
            [
                Segment(
                    f"{number:>{self._gutter - 2}}",
                    (base + self.get_visual_style("source--number", partial=True)).rich_style,
                ),
                Segment(
                    MARK if cited else " ",
                    (base + self.get_visual_style("source--mark", partial=True)).rich_style,
                ),
                Segment(" ", base.rich_style),
            ]
        )
        text = Strip(self._content(at).render_segments(base))
        width = max(0, self.size.width - self._gutter)
        return Strip.join([gutter, text.extend_cell_length(x + width, base.rich_style).crop(x, x + width)])

    def action_move(self, by: int) -> None:
        """Move the cursor some lines."""
        self.action_go_to(max(1, self.cursor + by))

    def action_page(self, by: int) -> None:
        """Move the cursor by what is in sight."""
        self.action_move(by * max(1, self.size.height - 2))

    def action_go_to(self, line: int) -> None:
        """Put the cursor on a line; -1 is the last one."""
        self._name_at = 0
        self.cursor = len(self._lines) if line < 0 else max(1, min(line, len(self._lines)))

    def action_name(self, by: int) -> None:
        """Move to the next name, over the end of the line too."""
        names = self._names(self.cursor)
        if 0 <= self._name_at + by < len(names):
            self._name_at += by
            self._reveal_name()
        elif 1 <= self.cursor + by <= len(self._lines):
            self.action_go_to(self.cursor + by)
            if by < 0:
                self._name_at = max(0, len(self._names(self.cursor)) - 1)
        self.refresh()

    def action_definition(self) -> None:
        """Go to where the name is defined."""
        self._want("definition")

    def action_references(self) -> None:
        """List where the name is used."""
        self._want("any")

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the name that was clicked."""
        line = round(self.scroll_y) + event.y + 1
        if line <= len(self._lines):
            self.action_go_to(line)
            column = round(self.scroll_x) + event.x - self._gutter
            for at, (_, start, end) in enumerate(self._names(line)):
                text = self._lines[line - 1]
                if cell_len(text[:start]) <= column < cell_len(text[:end]):
                    self._name_at = at
            self.refresh()

    def watch_cursor(self) -> None:
        """Keep the cursor in sight."""
        self.scroll_to_region(
            Region(round(self.scroll_x), self.cursor - 1, 1, 1), animate=False, immediate=True
        )
        self.refresh()

    def watch_has_focus(self, has_focus: bool) -> None:
        """The cursor is shown only where keys move it."""
        self.refresh()

    @property
    def _gutter(self) -> int:
        return len(str(max(len(self._lines), 100))) + 2

    def _is_at(self, number: int) -> bool:
        return self.has_focus and number == self.cursor

    def _content(self, at: int) -> Content:
        content = self._coloured[at] if self._coloured else Content(self._lines[at])
        names = self._names(at + 1) if self._is_at(at + 1) else []
        if names:
            _, start, end = names[min(self._name_at, len(names) - 1)]
            content = content.stylize("bold reverse", start, end)
        return content

    def _names(self, line: int) -> list[tuple[str, int, int]]:
        text = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        return [(found[0], found.start(), found.end()) for found in _NAME.finditer(text)]

    def _reveal_name(self) -> None:
        _, start, end = self._names(self.cursor)[self._name_at]
        text = self._lines[self.cursor - 1]
        left, width = cell_len(text[:start]), cell_len(text[start:end]) + self._gutter
        self.scroll_to_region(Region(left, self.cursor - 1, width, 1), animate=False, immediate=True)

    def _reveal_cited(self) -> None:
        above = min(LINES_ABOVE, max(1, self.size.height // 4))
        self.scroll_to(0, max(0, self._cited.start - 1 - above), animate=False, immediate=True)

    def _want(self, find: str) -> None:
        if name := self.name_under_cursor:
            self.post_message(self.NameWanted(name, find))
