"""Why a drafted test is not kept. The sentences for people are said elsewhere, in their language."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tools.secrets import mask
from tools.show import show

_MAX_DETAIL = 300


class Why(StrEnum):
    """What is wrong with a test."""

    IMPORT_FAILS = "import_fails"
    """The file cannot be collected."""
    NOT_COLLECTED = "not_collected"
    FAILS = "fails"
    SKIPPED = "skipped"
    TIMED_OUT = "timed_out"
    ORDER = "order"
    """It fails alone, or after other tests."""
    CLOCK = "clock"
    """It fails at another time or in another time zone."""
    RANDOM = "random"
    """It fails when it is repeated."""
    NETWORK = "network"
    HOME = "home"
    """It looks into the person's home, or fails with another one."""
    WRITES_TREE = "writes_tree"
    MACHINE = "machine"
    """It names a path that is there in the sandbox only."""
    ASSERTS_NOTHING = "asserts_nothing"
    REPEATS_IMPLEMENTATION = "repeats_implementation"
    TARGET_NOT_CALLED = "target_not_called"
    KILLS_NOTHING = "kills_nothing"
    """It passes however the target is broken."""
    UNDECIDED = "undecided"
    """The time was spent before it could be judged."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that is wrong with a test."""

    why: Why
    detail: str = ""
    """The bare fact, safe for a screen: the host that was tried, the path written to, the error's first line."""


def reason(why: Why, detail: str = "") -> Reason:
    """A reason with a detail that code of the workspace has had a say in."""
    return Reason(why, show(mask(detail)[0])[:_MAX_DETAIL])
