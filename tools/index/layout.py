"""Units → chunks: every line of a file in exactly one chunk, in order.

A unit is a stretch of lines with a chunk of its own; a unit may hold others (a class its methods), and then its
chunk is its head. What lies between units is a gap. Lines are numbered from 1 here, as in a chunk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from tools.index.chunk import Chunk, Kind

MAX_LINES = 120
"""A longer piece is split."""
_SMALL_LINES = 12
"""Two touching gaps that make up no more than this become one."""
_NO_BLANK_BEFORE = 1000
_MIN_PART = 40
"""No split leaves a part shorter than this before it."""

_CLOSERS = re.compile(r"\W*(?:\b(?:end|fi|done|esac)\b\W*)?\Z")
"""A line that only ends what came before it; blank lines are such."""

Boundaries = Callable[[int, int], Sequence[tuple[int, int]]]
"""Asked for (first, last): lines inside at which a statement begins, each with its depth, in order."""


@dataclass(slots=True)
class Unit:
    """Lines with a chunk of their own."""

    first: int
    last: int
    kind: Kind
    symbol: str = ""
    qualified_name: str = ""
    signature: str = ""
    docstring: str = ""
    children: list[Unit] = field(default_factory=list["Unit"])
    """Units inside, in order."""


@dataclass(frozen=True, slots=True)
class _Piece:
    first: int
    last: int
    unit: Unit
    is_gap: bool


def lay_out(
    lines: Sequence[str],
    units: Sequence[Unit],
    *,
    gap_kind: Kind = "module",
    openings: Collection[int] = (),
    boundaries: Boundaries | None = None,
) -> list[Chunk]:
    """The chunks of all lines. Units may overlap or lie outside: earlier ones win, the rest is cut.

    `openings` are lines that only open what follows (`impl Cache {`): alone in a gap they go to the next unit.
    """
    if not lines:
        return []
    pieces = _pieces(units, Unit(1, len(lines), gap_kind), 1, len(lines))
    pieces = _open(_close(pieces, lines), lines, openings)
    pieces = _join_small_gaps(pieces, gap_kind)
    return [
        _chunk(lines, piece, start, stop, is_first=start == piece.first)
        for piece in pieces
        for start, stop in split(lines, piece.first, piece.last, boundaries or _by_indentation(lines))
    ]


def _pieces(units: Sequence[Unit], owner: Unit, first: int, last: int) -> list[_Piece]:
    """Units, heads and gaps from `first` to `last`, without a line between them. Depth is bounded by the caller."""
    pieces: list[_Piece] = []
    cursor = first
    for unit in units:
        start, stop = max(unit.first, cursor), min(unit.last, last)
        if stop < start:
            continue
        if start > cursor:
            pieces.append(_Piece(cursor, start - 1, owner, is_gap=True))
        inner = _pieces(unit.children, unit, start + 1, stop) if start < stop else []
        if inner and inner[0].is_gap:
            inner[0] = _Piece(start, inner[0].last, unit, is_gap=False)
        else:
            inner.insert(0, _Piece(start, inner[0].first - 1 if inner else stop, unit, is_gap=False))
        pieces.extend(inner)
        cursor = stop + 1
    if cursor <= last:
        pieces.append(_Piece(cursor, last, owner, is_gap=True))
    return pieces


def _close(pieces: list[_Piece], lines: Sequence[str]) -> list[_Piece]:
    """Give the blank lines and closing brackets at a gap's beginning to the piece before it."""
    closed: list[_Piece] = []
    for piece in pieces:
        first = piece.first
        if piece.is_gap and closed:
            while first <= piece.last and _CLOSERS.match(lines[first - 1]):
                first += 1
            closed[-1] = replace(closed[-1], last=first - 1)
        if first <= piece.last:
            closed.append(replace(piece, first=first))
    return closed


def _open(pieces: list[_Piece], lines: Sequence[str], openings: Collection[int]) -> list[_Piece]:
    """Give a gap that only opens what follows to the unit after it, and so a file's first blank lines."""
    opened: list[_Piece] = []
    for piece in pieces:
        before = opened[-1] if opened else None
        if before is not None and before.is_gap and not piece.is_gap and _only_opens(before, lines, openings):
            opened.pop()
            piece = replace(piece, first=before.first)
        opened.append(piece)
    return opened


def _only_opens(gap: _Piece, lines: Sequence[str], openings: Collection[int]) -> bool:
    numbers = range(gap.first, gap.last + 1)
    return all(number in openings or _CLOSERS.match(lines[number - 1]) for number in numbers)


def _join_small_gaps(pieces: list[_Piece], gap_kind: Kind) -> list[_Piece]:
    """Make one of two gaps that touch, where both are small."""
    joined: list[_Piece] = []
    for piece in pieces:
        before = joined[-1] if joined else None
        if (
            before is not None
            and before.is_gap
            and piece.is_gap
            and (piece.last - before.first < _SMALL_LINES or before.unit is piece.unit)
        ):
            unit = before.unit if before.unit is piece.unit else Unit(before.first, piece.last, gap_kind)
            joined[-1] = _Piece(before.first, piece.last, unit, is_gap=True)
        else:
            joined.append(piece)
    return joined


def _chunk(lines: Sequence[str], piece: _Piece, first: int, last: int, *, is_first: bool) -> Chunk:
    unit = piece.unit
    return Chunk(
        first_line=first,
        last_line=last,
        kind=unit.kind,
        text="\n".join(lines[first - 1 : last]),
        symbol=unit.symbol,
        qualified_name=unit.qualified_name,
        signature=unit.signature if not piece.is_gap else "",
        docstring=unit.docstring if is_first and not piece.is_gap else "",
    )


def split(lines: Sequence[str], first: int, last: int, boundaries: Boundaries) -> list[tuple[int, int]]:
    """Cut what is longer than `MAX_LINES` where the shallowest statement begins, after a blank line if it can."""
    if last - first < MAX_LINES:
        return [(first, last)]
    parts: list[tuple[int, int]] = []
    places = [place for place in boundaries(first, last) if first < place[0] <= last]
    at = 0
    while last - first >= MAX_LINES:
        while at < len(places) and places[at][0] < first + _MIN_PART:
            at += 1
        limit = min(first + MAX_LINES, last)
        window: list[tuple[int, int]] = []
        ahead = at
        while ahead < len(places) and places[ahead][0] <= limit:
            window.append(places[ahead])
            ahead += 1
        cut = min(window, key=lambda place: _cost(place, lines), default=(first + MAX_LINES, 0))[0]
        parts.append((first, cut - 1))
        first = cut
    parts.append((first, last))
    return parts


def _cost(place: tuple[int, int], lines: Sequence[str]) -> tuple[int, bool, int]:
    line, depth = place
    return depth, bool(lines[line - 2].strip()), -line


def _by_indentation(lines: Sequence[str]) -> Boundaries:
    """Where there is no syntax: any line may begin something, best after a blank one, and the less indented."""

    def begun(first: int, last: int) -> list[tuple[int, int]]:
        return [
            (line, _indentation(lines[line - 1]) + (_NO_BLANK_BEFORE if lines[line - 2].strip() else 0))
            for line in range(first + 1, last + 1)
            if lines[line - 1].strip()
        ]

    return begun


def _indentation(line: str) -> int:
    return min(len(line) - len(line.lstrip()), _NO_BLANK_BEFORE)
