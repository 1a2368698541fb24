"""The ledger of a run: every piece of Evidence that a tool showed, numbered E1, E2, … in the order shown.

The same lines of the same bytes keep their number, so a model that reads a place twice cites one id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tools.evidence import CommitShown, Evidence, LinesShown, TestRun

_ID = re.compile(r"\[?\s*(E\d+)\s*(?::\s*L?(\d{1,9})(?:\s*[-–]\s*L?(\d{1,9}))?)?\s*\]?", re.ASCII)
_TYPED = re.compile(r"\[?(?P<path>[^\s\[\]]+?):L?(?P<first>\d{1,9})(?:[-–]L?(?P<last>\d{1,9}))?\]?", re.ASCII)


class Ledger:
    """Evidence by id. Append-only."""

    def __init__(self) -> None:
        self._by_id: dict[str, Evidence] = {}
        self._ids: dict[Evidence, str] = {}

    def add(self, evidence: Sequence[Evidence]) -> tuple[str, ...]:
        """Number new pieces, find the number of known ones; ids in the order given."""
        return tuple(self._number(piece) for piece in evidence)

    def _number(self, piece: Evidence) -> str:
        if piece not in self._ids:
            self._ids[piece] = f"E{len(self._ids) + 1}"
            self._by_id[self._ids[piece]] = piece
        return self._ids[piece]

    def __getitem__(self, evidence_id: str) -> Evidence:
        return self._by_id[evidence_id]

    def __contains__(self, evidence_id: str) -> bool:
        return evidence_id in self._by_id

    def __len__(self) -> int:
        return len(self._by_id)

    @property
    def ids(self) -> tuple[str, ...]:
        """All ids, oldest first."""
        return tuple(self._by_id)

    def shown(self) -> Iterator[tuple[str, Evidence]]:
        """Every piece with its id, oldest first."""
        yield from self._by_id.items()

    def resolve(self, reference: str) -> tuple[Evidence, int, int] | None:
        """What `E3`, `[E3:41-52]` or a typed `path:41-52` refers to, with the lines meant (0, 0: no lines, or all of a commit).

        Returns None when it is nothing that was shown. The lines are not checked here.
        """
        match = _ID.fullmatch(reference.strip())
        if match and match[1] in self._by_id:
            piece = self._by_id[match[1]]
            if isinstance(piece, TestRun) or (isinstance(piece, CommitShown) and not match[2]):
                return piece, 0, 0
            whole = piece.first_line if isinstance(piece, LinesShown) else 1
            first = int(match[2] or whole)
            end = piece.last_line if isinstance(piece, LinesShown) else first
            return piece, first, int(match[3] or match[2] or end)
        typed = _TYPED.fullmatch(reference.strip())
        return (
            self._covering(typed["path"], int(typed["first"]), int(typed["last"] or typed["first"]))
            if typed
            else None
        )

    def _covering(self, path: str, first: int, last: int) -> tuple[Evidence, int, int] | None:
        for piece in reversed(self._by_id.values()):
            if (
                isinstance(piece, LinesShown)
                and piece.path == path
                and piece.first_line <= first <= last <= piece.last_line
            ):
                return piece, first, last
        return None
