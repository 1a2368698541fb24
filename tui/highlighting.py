"""Source text as coloured lines: always one line out for each line in, whatever the language or the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textual.content import Content, Span

from tools.show import show
from tui.prose import MUTED

MOST_CHARACTERS = 200_000
"""Larger files are shown without colours: it would take seconds."""
MOST_COLUMNS = 2_000
STYLES: Mapping[str, str] = {
    "Comment": f"{MUTED} italic",
    "Keyword": "$text-accent",
    "Keyword.Constant": "bold $text-success",
    "Keyword.Type": "$text-secondary",
    "Literal.Number": "$text-warning",
    "Literal.String": "$text-success 90%",
    "Literal.String.Doc": "$text-success 80% italic",
    "Name.Builtin.Pseudo": "italic",
    "Name.Class": "$text-primary bold",
    "Name.Decorator": "$text-secondary",
    "Name.Function": "$text-primary bold",
    "Name.Tag": "$text-primary bold",
    "Operator.Word": "$text-accent",
    "Generic.Deleted": "$text-error",
    "Generic.Inserted": "$text-success",
    "Generic.Heading": "$text-primary bold",
    "Generic.Subheading": "$text-primary bold",
    "Generic.Strong": "bold",
    "Generic.Emph": "italic",
}
"""By Pygments' names of what a piece of text is; the nearest enclosing kind counts. Nothing is underlined: links are."""


def safe_lines(lines: Sequence[str]) -> list[str]:
    """The lines as they may be shown, very long ones cut with a mark."""
    return [show(line if len(line) <= MOST_COLUMNS else f"{line[:MOST_COLUMNS]} … cut") for line in lines]


def highlighted(path: str, lines: Sequence[str]) -> list[Content] | None:
    """The (safe) lines in colours; None where that is not possible. Takes a while: call it in a thread."""
    text = "\n".join(lines)
    if len(text) > MOST_CHARACTERS:
        return None
    styled: list[list[Span]] = [[]]
    column = 0
    for kind, piece in _lexer(path, text).get_tokens(text):
        style = _style(str(kind).removeprefix("Token."))
        for number, part in enumerate(piece.split("\n")):
            if number:
                styled.append([])
                column = 0
            if part and style:
                styled[-1].append(Span(column, column + len(part), style))
            column += len(part)
    if len(styled) < len(lines):
        return None
    return [Content(line, spans=spans) for line, spans in zip(lines, styled, strict=False)]


def _lexer(path: str, text: str) -> Any:
    # Pygments takes a tenth of a second to import, which the first paint need not wait for.
    from pygments import lexers
    from pygments.util import ClassNotFound

    untyped: Any = lexers
    try:
        return untyped.guess_lexer_for_filename(path, text, stripnl=False)
    except ClassNotFound:
        return untyped.get_lexer_by_name("text", stripnl=False)


def _style(kind: str) -> str:
    while kind and kind not in STYLES:
        kind = kind.rpartition(".")[0]
    return STYLES.get(kind, "")
