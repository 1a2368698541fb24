"""Which commit last changed each line of a file as it is now, and which lines are not committed yet.

Git is asked about the commit alone, never about the working file: that would run the repository's filter drivers. So
the lines are first brought from the working file to the committed one, by comparing both here.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from tools.git import NotARepository, Repository
from tools.git_patch import mask_history
from tools.workspace import MAX_READ_BYTES, SourceFile

BLAME_SECONDS = 4.0
_MAX_BLAME_BYTES = 8 * 1024 * 1024
_MOST_COMPARED = 4_000
"""Lines between the first and the last difference that are compared one by one; longer ones count as changed."""


@dataclass(frozen=True, slots=True)
class CommittedLines:
    """Where lines of a working file stand in its last committed version."""

    by_line: dict[int, int]
    """Working line → committed line; what is missing is not committed yet."""
    is_tracked: bool = True
    """False where the last commit has no such file."""

    def range_of(self, first: int, last: int) -> tuple[int, int] | None:
        """The committed lines that these come from, as one range; None where all of them are new."""
        found = [self.by_line[line] for line in range(first, last + 1) if line in self.by_line]
        return (min(found), max(found)) if found else None


def committed_lines(repository: Repository, source: SourceFile) -> CommittedLines:
    """Compare a file as it was read with its last committed version."""
    blob = repository.blob("HEAD", source.path, MAX_READ_BYTES)
    if blob is None:
        return CommittedLines({}, is_tracked=False)
    text = blob.decode("utf-8", "replace").removeprefix("\ufeff").removesuffix("\n")
    old = _lines(mask_history(text).split("\n"))
    new = _lines(mask_history("\n".join(source.lines)).split("\n"))
    return CommittedLines(_matched(new, old))


def _lines(lines: Sequence[str]) -> list[str]:
    return [line.rstrip("\r") for line in lines]


def _matched(new: Sequence[str], old: Sequence[str]) -> dict[int, int]:
    most = min(len(new), len(old))
    head = next((at for at in range(most) if new[at] != old[at]), most)
    tail = next((at for at in range(most - head) if new[-1 - at] != old[-1 - at]), most - head)
    matched = {at + 1: at + 1 for at in range(head)}
    matched |= {len(new) - at: len(old) - at for at in range(tail)}
    middle, was = new[head : len(new) - tail], old[head : len(old) - tail]
    if max(len(middle), len(was)) <= _MOST_COMPARED:
        for block in difflib.SequenceMatcher(None, was, middle, autojunk=False).get_matching_blocks():
            for at in range(block.size):
                matched[head + block.b + at + 1] = head + block.a + at + 1
    return matched


def last_commits(
    repository: Repository, path: str, first: int, last: int, *, seconds: float = BLAME_SECONDS
) -> dict[int, str] | None:
    """Committed line → id of the commit that last changed it; None where git took too long.

    Raises: NotARepository, where git fails.
    """
    finished = repository.finished(
        "blame",
        "--porcelain",
        "--no-textconv",  # without it blame runs text converters, and filters for what they are given
        "--ignore-revs-file=",
        f"-L{first},{last}",
        "HEAD",
        "--",
        path,
        seconds=seconds,
        most_bytes=_MAX_BLAME_BYTES,
    )
    if finished.reason != "exit":
        return None
    if finished.exit_code:
        raise NotARepository(f"git failed with exit code {finished.exit_code}")
    return _read_blame(finished.stdout)


def _read_blame(output: bytes) -> dict[int, str]:
    """Porcelain: a line `SHA OLD NEW [COUNT]` for each line of the file, headers, then the line behind a tab."""
    found: dict[int, str] = {}
    heads = True
    for line in output.split(b"\n"):
        if line.startswith(b"\t"):
            heads = True
        elif heads and line:
            sha, _, now, *_ = line.split(b" ")
            found[int(now)] = sha.decode("ascii", "replace")
            heads = False
    return found
