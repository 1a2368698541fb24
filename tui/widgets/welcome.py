"""What an empty conversation shows: what this is, and how to begin."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

HINTS = (
    ("Ask", "anything about this code: where, how, who calls it, what breaks if it changes"),
    ("@", "names a file or a symbol"),
    ("/", "lists the commands"),
    ("Ctrl-F", "searches without a model"),
    ("F1", "shows every key"),
)


class Welcome(Static):
    """Gone with the first question."""

    DEFAULT_CSS = """
    Welcome { height: auto; margin: 1 2; color: $text-muted; }
    """

    def __init__(self) -> None:
        lines = [Content.assemble((f"{key:>8}", "bold $text-primary"), f"  {what}") for key, what in HINTS]
        promise = "Every statement about the code names lines that were read and checked, or you are told there is no evidence."
        super().__init__(
            Content("\n").join(
                [Content.assemble(("codewitness", "bold")), Content(promise), Content(), *lines]
            )
        )
