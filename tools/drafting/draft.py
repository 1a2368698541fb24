"""A draft: one file of tests that is not written anywhere yet."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Draft:
    """A file of tests as it would stand in the workspace. It is laid over what is there, in the sandbox only."""

    path: str
    """Canonical, of a name that the test runner collects; the file need not exist."""
    text: str
