"""Patches of git, taken apart: which files a commit changed, and the lines; secrets withheld or masked.

A patch is data that anyone may have written. What is a header and what is a line is told by the counts of each hunk,
never by how a line looks. The two columns of a patch (old and new) are masked as texts of their own, since the rules
for secrets look at the beginnings of lines and at several lines together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tools.secrets import is_secret_file, mask
from tools.show import show, show_name

MAX_LINE_CHARACTERS = 300
_HUNK = re.compile(r"@@ -\d+(?:,(?P<old>\d+))? \+\d+(?:,(?P<new>\d+))? @@")
_ESCAPED = re.compile(r"\\([0-7]{3}|.)")
_LETTERS = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_KEY_LINE = re.compile(r"[A-Za-z0-9+/]{60,76}={0,2}\Z")
"""A line of a private key whose marker is not part of the patch."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a commit changed in one file."""

    path: str
    """Its path after the commit; of a deleted file the last one."""
    was: str = ""
    """Its path before, where it was renamed or copied."""
    note: str = ""
    """What the lines do not say: new file, deleted, binary, withheld."""
    lines: tuple[str, ...] = ()
    """Hunk headers and lines with their mark (` `, `+`, `-`), safe to show, secrets masked."""

    @property
    def heading(self) -> str:
        """The file in one line."""
        told = ", ".join(part for part in (f"was {self.was}" if self.was else "", self.note) if part)
        return f"{self.path} ({told})" if told else self.path


def read_patch(patch: str) -> tuple[FileChange, ...]:
    """The files of one commit's patch, as `git log --patch` writes it."""
    lines = patch.split("\n")
    bounds = [*_file_starts(lines), len(lines)]
    return tuple(_file(lines[start:end]) for start, end in pairwise(bounds))


def _file_starts(lines: Sequence[str]) -> Iterator[int]:
    """Where each file's part begins: hunks are skipped by their counts."""
    at = 0
    while at < len(lines):
        if hunk := _HUNK.match(lines[at]):
            at = _after_hunk(lines, at, hunk)
            continue
        if lines[at].startswith("diff --git "):
            yield at
        at += 1


def _after_hunk(lines: Sequence[str], at: int, hunk: re.Match[str]) -> int:
    old, new = int(hunk["old"] or 1), int(hunk["new"] or 1)
    at += 1
    while at < len(lines) and (old > 0 or new > 0 or lines[at].startswith("\\")):
        mark = lines[at][:1]
        old -= mark in (" ", "-", "")
        new -= mark in (" ", "+", "")
        at += 1
    return at


def _file(lines: Sequence[str]) -> FileChange:
    first = next((at for at, line in enumerate(lines) if _HUNK.match(line)), len(lines))
    head = lines[:first]
    old, new = _path_of(head, "--- ", "a/"), _path_of(head, "+++ ", "b/")
    was, now = _path_of(head, "rename from "), _path_of(head, "rename to ")
    if not (was or now):
        was, now = _path_of(head, "copy from "), _path_of(head, "copy to ")
    path = now or new or old or _same_path(head[0])
    note = next((told for mark, told in _NOTES.items() if any(line.startswith(mark) for line in head)), "")
    if is_secret_file(path) or (was and is_secret_file(was)):
        return FileChange(show_name(path), show_name(was), "withheld (secret file)")
    body = [line for line in lines[first:] if line]
    return FileChange(show_name(path), show_name(was), note, _masked(body))


_NOTES = {
    "Binary files ": "binary",
    "new file mode 160000": "new submodule",
    "deleted file mode 160000": "submodule removed",
    "new file mode ": "new file",
    "deleted file mode ": "deleted",
    "Submodule ": "submodule",
}


def _path_of(head: Sequence[str], mark: str, side: str = "") -> str:
    for line in head:
        if line.startswith(mark):
            name = _unquoted(line.removeprefix(mark).removesuffix("\t"))
            return "" if name == "/dev/null" else name.removeprefix(side)
    return ""


def _same_path(line: str) -> str:
    """The path of `diff --git a/PATH b/PATH`, where no other line names it."""
    names = line.removeprefix("diff --git ")
    if names.startswith('"'):
        return _unquoted(names[: len(names) // 2]).removeprefix("a/")
    return names[: len(names) // 2].removeprefix("a/")


def _unquoted(name: str) -> str:
    """A path as git writes it: in quotes, its odd bytes escaped, where it has any."""
    if not (name.startswith('"') and name.endswith('"') and len(name) > 1):
        return name
    plain = _ESCAPED.sub(
        lambda one: chr(int(one[1], 8)) if one[1].isdigit() else _LETTERS.get(one[1], one[1]), name[1:-1]
    )
    try:
        return plain.encode("latin-1").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return plain


def _masked(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines, each column masked as one text."""
    bodies = [line[1:] if line[:1] in ("+", "-", " ") else line for line in lines]
    by_column = {
        column: mask_history("\n".join(bodies[at] for at in _column(lines, column))).split("\n")
        for column in "+-"
    }
    masked = list(bodies)
    for column, texts in by_column.items():
        for at, text in zip(_column(lines, column), texts, strict=False):
            if text != bodies[at]:  # a line of both columns stays masked if either one hides something in it
                masked[at] = text
    return tuple(
        _clipped(show((line[:1] if line[:1] in ("+", "-", " ") else "") + body))
        for line, body in zip(lines, masked, strict=True)
    )


def _column(lines: Sequence[str], column: str) -> list[int]:
    return [at for at, line in enumerate(lines) if line[:1] in (column, " ", "@")]


def mask_history(text: str) -> str:
    """Secrets masked, lines of keys too whose beginning is not among the lines; as many lines as before."""
    lines = mask(text)[0].split("\n")
    is_key = [_KEY_LINE.match(line.strip()) is not None for line in lines]
    return "\n".join(
        "[REDACTED:key]"
        if here and (any(is_key[max(0, at - 1) : at]) or any(is_key[at + 1 : at + 2]))
        else line
        for at, (here, line) in enumerate(zip(is_key, lines, strict=True))
    )


def _clipped(line: str) -> str:
    return line if len(line) <= MAX_LINE_CHARACTERS else f"{line[:MAX_LINE_CHARACTERS]}…"
