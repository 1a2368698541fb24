"""A few lines of the program's own in the conversation: what a command did, what was said earlier."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class Note(Static):
    """Not an answer, and drawn so."""

    DEFAULT_CSS = """
    Note { height: auto; padding: 0 1; margin-bottom: 1; color: $text-muted; border-left: thick $panel; }
    """

    def __init__(self, text: str | Content) -> None:
        super().__init__(text if isinstance(text, Content) else Content(text))
