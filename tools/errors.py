"""What can go wrong below: `ToolError` is told to the model, `UserError` and its kinds to a person.

A bug is neither: let it surface.
"""

from __future__ import annotations


class ToolError(Exception):
    """The model can mend this: the message says what was wrong and what to ask instead. The run goes on."""


class UserError(Exception):
    """What failed, why, and what to do next. It cannot be built without all three."""

    def __init__(self, what: str, *, cause: str, hint: str) -> None:
        super().__init__(f"{what}: {cause}")
        self.what = what
        self.cause = cause
        self.hint = hint


class IndexUnusable(UserError):
    """The index of this workspace cannot be read or written now."""


class WorkspaceInvalid(UserError):
    """The folder cannot be a workspace."""


class RevisionUnknown(WorkspaceInvalid):
    """The workspace has no such commit, tag or branch to compare with."""
