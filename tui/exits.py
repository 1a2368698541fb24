"""Exit codes, and the two ways a command ends early that only a command line knows.

Scripts rely on these numbers. `tui/cli.py` alone maps errors to them; a command returns one for what it found.
"""

from __future__ import annotations

from enum import IntEnum

from tools.errors import UserError


class ExitCode(IntEnum):
    """How the program ended."""

    ANSWERED = 0
    """Answered whole or in part; search found something; verify: all hold."""
    NO_EVIDENCE = 1
    """Searched, and nothing was found; verify: something moved, is stale or gone."""
    USAGE = 2
    MODEL_UNAVAILABLE = 3
    """The model cannot be used, or its answer could not be read."""
    COULD_NOT_SEARCH = 4
    """The index or a tool could not work; doctor: a required check failed."""
    BUDGET_SPENT = 5
    """The budget ran out before anything was verified."""
    CONSENT_MISSING = 6
    BUG = 70
    """Ours. Python's own 1 would read as "no evidence"."""
    INTERRUPTED = 130


class UsageInvalid(UserError):
    """The command line asks for something that cannot be done."""


class AnswerUnwritable(UserError):
    """Stdout takes nothing more: the disk behind it is full, or its device fails."""

    def __init__(self, problem: OSError) -> None:
        super().__init__(
            "could not write the answer",
            cause=(problem.strerror or str(problem)).lower(),
            hint="make room where stdout goes, or send it elsewhere, and run the command again",
        )


class Interrupted(Exception):
    """The person pressed Ctrl-C once and the work stopped cleanly."""

    def __init__(self, kept: str) -> None:
        super().__init__(kept)
        self.kept = kept
        """One sentence: what the interruption did not lose."""
