"""Source text as coloured lines: always one line out for each line in, whatever the language or the text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from textual.content import Content

from tools.show import show
from tui.prose import MUTED

MOST_CHARACTERS = 400_000
"""Larger files are shown without colours: it would take seconds."""
MOST_COLUMNS = 2_000


def safe_lines(lines: Sequence[str]) -> list[str]:
    """The lines as they may be shown, very long ones cut with a mark."""
    return [show(line if len(line) <= MOST_COLUMNS else f"{line[:MOST_COLUMNS]} … cut") for line in lines]


def highlighted(path: str, lines: Sequence[str]) -> list[Content] | None:
    """The (safe) lines in colours; None where that is not possible. Takes a while: call it in a thread."""
    if sum(map(len, lines)) > MOST_CHARACTERS:
        return None
    # Pygments takes a tenth of a second to import, which the first paint need not wait for.
    from textual.highlight import highlight

    coloured = highlight("\n".join(lines), path=path, theme=_theme()).split("\n", allow_blank=True)
    return coloured[: len(lines)] if len(coloured) >= len(lines) else None


@cache
def _theme() -> type:
    """Textual's colours without the underlined names, which look like links among real ones."""
    from pygments.token import Token
    from textual.highlight import HighlightTheme

    class SourceTheme(HighlightTheme):
        STYLES = HighlightTheme.STYLES | {
            Token.Comment: f"{MUTED} italic",
            Token.Keyword.Namespace: "$text-accent",
            Token.Name: "",
            Token.Name.Function: "$text-primary bold",
            Token.Name.Function.Magic: "$text-primary bold",
            Token.Name.Class: "$text-primary bold",
            Token.Name.Decorator: "$text-secondary",
            Token.Operator: "",
            Token.Literal.String.Doc: "$text-success 80% italic",
        }

    return SourceTheme
