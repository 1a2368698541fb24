"""Drafted files as one patch that `git apply` takes.

Line ends and a missing last one are kept as they are in the texts. Paths with quotes, backslashes or control
characters are quoted as git quotes them.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator

from agent.drafting.report import DraftedFile

_NO_NEWLINE = "\\ No newline at end of file"
_CONTEXT = 3


def patch_of(files: Iterable[DraftedFile]) -> str:
    """The patch; "" where nothing changes."""
    return "".join(f"{line}\n" for file in files for line in _file(file))


def _file(file: DraftedFile) -> Iterator[str]:
    old, new = _lines(file.before or ""), _lines(file.text)
    if old == new and file.before is not None:
        return
    ours, theirs = _quoted(f"a/{file.path}"), _quoted(f"b/{file.path}")
    yield f"diff --git {ours} {theirs}"
    if file.before is None:
        yield "new file mode 100644"
    yield f"--- {ours if file.before is not None else '/dev/null'}"
    yield f"+++ {theirs}"
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
        for kind, old_first, old_last, new_first, new_last in group:
            if kind == "equal":
                yield from _marked(" ", old[old_first:old_last])
                continue
            yield from _marked("-", old[old_first:old_last])
            yield from _marked("+", new[new_first:new_last])


def _lines(text: str) -> list[str]:
    """With their ends, so that a line without one differs from a line that has it."""
    return re.findall(r"[^\n]*\n|[^\n]+$", text)


def _marked(mark: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield f"{mark}{line.removesuffix(chr(10))}"
        if not line.endswith("\n"):
            yield _NO_NEWLINE


def _range(first: int, last: int) -> str:
    count = last - first
    return f"{first + 1 if count else first},{count}"


def _quoted(path: str) -> str:
    if not re.search(r'["\\\x00-\x1f\x7f]|[^\x00-\x7f]', path):
        return path
    out = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in (34, 92) else f"\\{byte:03o}"
        for byte in path.encode("utf-8", "surrogateescape")
    )
    return f'"{out}"'
