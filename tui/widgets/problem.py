"""What failed, why, and what to do next: shown where it happened, never as a traceback."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from tools.errors import UserError
from tools.show import show


class Problem(Static):
    """One error."""

    DEFAULT_CSS = """
    Problem { height: auto; padding: 0 1; margin-bottom: 1; border-left: thick $error; }
    """

    def __init__(self, error: UserError) -> None:
        super().__init__(
            Content.assemble(
                ("✗ ", "$text-error"),
                (show(error.what), "bold"),
                "\n  cause: ",
                show(error.cause),
                ("\n  hint:  ", "bold"),
                show(error.hint),
            )
        )
        self.error = error


def told(error: BaseException) -> UserError:
    """Any error in the three parts that a person is told."""
    if isinstance(error, UserError):
        return error
    return UserError(
        "Codewitness failed, and it is our bug",
        cause=f"{type(error).__name__}: {error}",
        hint="please report it with what `codewitness ask --debug` prints for the same question",
    )
