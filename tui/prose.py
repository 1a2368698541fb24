"""A model's sentence as styled text: code between backticks, bold between double stars, lists and fences as they stand.

Only these few marks of Markdown are read, and only into styles: links, images and HTML stay the plain text they are,
so nothing that a model or a file says can make the terminal or the app do something. One claim is one widget.
"""

from __future__ import annotations

import re

from textual.content import Content

from tools.show import show

_MARKS = re.compile(
    r"(?P<fence>^```[^\n]*\n(?P<block>.*?)(?:\n```[ ]*$|\Z))|`(?P<code>[^`\n]+)`|\*\*(?P<bold>[^*\n]+)\*\*",
    re.S | re.M,
)
CODE = "$text-accent on $boost"
FENCED = "$text-secondary"
BOLD = "bold"
MUTED = "$foreground 60%"
"""Beside what matters. `$text-muted` works in style sheets only: it depends on what is behind."""


def prose(text: str) -> Content:
    """The text, safe to show, with its few marks as styles."""
    safe = show(text)
    parts: list[str | tuple[str, str]] = []
    end = 0
    for found in _MARKS.finditer(safe):
        parts += (safe[end : found.start()], _styled(found))
        end = found.end()
    return Content.assemble(*parts, safe[end:])


def _styled(found: re.Match[str]) -> tuple[str, str]:
    if found["fence"] is not None:
        return "\n".join(f"    {line}" for line in found["block"].split("\n")), FENCED
    if found["code"] is not None:
        return found["code"], CODE
    return found["bold"], BOLD
