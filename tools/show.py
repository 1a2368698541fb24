"""Untrusted text made safe for a screen: file names, file contents, model output, error text, everything we did
not write ourselves.

Characters that act on a terminal or hide from the reader are replaced one by one by something visible; sequences
are never parsed, so text may be cut anywhere between two calls. This says nothing about markup: pass the result
as plain text (`Content(…)`, `Text(…)`, `markup=False`).
"""

from __future__ import annotations

import re

_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ufe00-\ufe0f\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
_UNSAFE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_INVISIBLE}]")
_HIDDEN_RUN = re.compile(f"[{_INVISIBLE}]+")

_PICTURE = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_EMOJI = re.compile(
    f"{_PICTURE}[\U0001f3fb-\U0001f3ff]?\ufe0f?(?:\u200d{_PICTURE}[\U0001f3fb-\U0001f3ff]?\ufe0f?)*"
    "|[0-9#*]\ufe0f\u20e3"
)
_EMOJI_JOINERS = re.compile("[\u200d\ufe0f]")

# The blocks of combining marks, and the marks of scripts that are stacked for mischief.
_MARK = (
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
_TOO_MANY_MARKS = re.compile(f"({_MARK}{{8}}){_MARK}+")


def show(text: str) -> str:
    """The text with line breaks kept, tabs as spaces, and every acting or hidden character made visible."""
    return _visible(text.replace("\r\n", "\n")).replace("\t", "    ")


def show_name(text: str) -> str:
    """The same for what must stay on one line: a path, a branch, the id of a test."""
    return _visible(text).replace("\n", "\u2424").replace("\t", "\u2409")


def hidden_characters(text: str) -> int:
    """How many characters a reader cannot see: zero width, direction changing, tags; not those inside emoji."""
    if text.isascii():
        return 0
    hidden = sum(len(run) for run in _HIDDEN_RUN.findall(text))
    return hidden - _emoji_joiners(text) if hidden else 0


def _visible(text: str) -> str:
    if text.isascii():
        return _UNSAFE.sub(_stand_in, text)
    safe = _outside_emoji(text) if _EMOJI_JOINERS.search(text) else _UNSAFE.sub(_stand_in, text)
    return _TOO_MANY_MARKS.sub(r"\1", safe)


def _outside_emoji(text: str) -> str:
    """Replace what is unsafe everywhere but inside emoji, whose joiners are part of one picture."""
    parts: list[str] = []
    end = 0
    for emoji in _EMOJI.finditer(text):
        parts += (_UNSAFE.sub(_stand_in, text[end : emoji.start()]), emoji[0])
        end = emoji.end()
    return "".join([*parts, _UNSAFE.sub(_stand_in, text[end:])])


def _emoji_joiners(text: str) -> int:
    return sum(len(_EMOJI_JOINERS.findall(emoji)) for emoji in _EMOJI.findall(text))


def _stand_in(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"<U+{code:04X}>"
