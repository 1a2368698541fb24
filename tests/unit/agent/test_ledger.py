from __future__ import annotations

import pytest

from agent.ledger import Ledger
from tools.evidence import CommitShown, LinesShown

A = LinesShown("src/a b.py", 10, 12, "x\ny\nz", "0" * 64)
B = LinesShown("b.py", 1, 1, "q", "1" * 64)
COMMIT = CommitShown("abc", "Fix it", "2026-01-01")


@pytest.fixture
def ledger() -> Ledger:
    full = Ledger()
    full.add((A, B, COMMIT))
    return full


def test_pieces_are_numbered_in_the_order_shown_and_keep_their_number(ledger: Ledger) -> None:
    assert ledger.ids == ("E1", "E2", "E3")
    assert ledger.add((B, A)) == ("E2", "E1")
    assert len(ledger) == 3


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("E1", (A, 10, 12)),
        ("[E1]", (A, 10, 12)),
        ("E1:11", (A, 11, 11)),
        ("[E1:11-12]", (A, 11, 12)),
        (" E1: L11 - L12 ", (A, 11, 12)),
        ("E3", (COMMIT, 0, 0)),
        ("b.py:1", (B, 1, 1)),
        ("[b.py:1-1]", (B, 1, 1)),
        ("E4", None),
        ("E01x", None),
        ("b.py:2", None),
        ("b.py:1-2", None),
        ("c.py:1", None),
        ("", None),
        ("see E1", None),
    ],
)
def test_a_reference_resolves_only_to_what_was_shown(
    ledger: Ledger, reference: str, expected: tuple[object, int, int] | None
) -> None:
    assert ledger.resolve(reference) == expected


def test_lines_outside_a_piece_are_resolved_as_asked_so_that_the_verifier_can_say_so(ledger: Ledger) -> None:
    assert ledger.resolve("E1:9-12") == (A, 9, 12)
