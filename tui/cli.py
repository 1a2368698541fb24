"""The command `codewitness`: runs one command line, and turns every ending into an exit code.

This module alone maps errors to exit codes (`tui/exits.py`). It imports next to nothing: without arguments the app is
opened at once, and what parses a command line (`tui/command_line.py`) is not even loaded.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile

from agent.errors import ConsentMissing, ModelUnavailable, SettingsInvalid
from tools.errors import UserError, WorkspaceInvalid
from tui.exits import AnswerUnwritable, ExitCode, Interrupted, UsageInvalid

DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
ASKS_FOR_COMPLETION = "_CODEWITNESS_COMPLETE"
"""The shell sets it, and gives no argument."""


def main() -> None:
    """Run the program and end it with the code that says how it went."""
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
    except OSError as problem:
        code = _report(AnswerUnwritable(problem), [])
    sys.exit(code)


def run(arguments: Sequence[str]) -> ExitCode:
    """Run one command line, say what went wrong if anything did, and return the exit code."""
    try:
        return _run(arguments)
    except SystemExit as end:
        return (
            ExitCode.USAGE if end.code else ExitCode.ANSWERED
        )  # how typer ends whatever concerns completion
    except BrokenPipeError:
        _forget_stdout()
        return ExitCode.ANSWERED  # the reader has what it wanted (`codewitness search … | head -1`)
    except BaseException as error:
        return _report(error, arguments)


def _run(arguments: Sequence[str]) -> ExitCode:
    if not arguments and ASKS_FOR_COMPLETION not in os.environ:
        from tui.commands.app import open_app
        from tui.given import Flags

        return open_app(Flags())
    from tui.command_line import run_command

    return run_command(arguments)


def exit_code_of(error: BaseException) -> ExitCode:
    """The exit code for an error; the one place that decides it."""
    match error:
        case Interrupted() | KeyboardInterrupt():
            return ExitCode.INTERRUPTED
        case UsageInvalid() | SettingsInvalid() | WorkspaceInvalid():
            return ExitCode.USAGE
        case ModelUnavailable():
            return ExitCode.MODEL_UNAVAILABLE
        case ConsentMissing():
            return ExitCode.CONSENT_MISSING
        case OSError() if error.errno in DISK_FULL:
            return ExitCode.COULD_NOT_SEARCH
        case UserError():
            return ExitCode.COULD_NOT_SEARCH
        case _:
            return ExitCode.BUG


def told(error: BaseException) -> UserError:
    """Any error in the three parts that a person is told."""
    match error:
        case UserError():
            return error
        case Interrupted():
            return UserError("interrupted", cause="Ctrl-C was pressed", hint=f"{error.kept}")
        case KeyboardInterrupt():
            return UserError("interrupted", cause="Ctrl-C was pressed", hint="nothing was changed")
        case OSError() if error.errno in DISK_FULL:
            return AnswerUnwritable(error) if error.filename is None else _disk_full(error)
        case _:
            return UserError(
                "Codewitness failed, and it is our bug",
                cause=f"{type(error).__name__}: {error}",
                hint="please report it with what `--debug` prints when you run the same command again",
            )


def _report(error: BaseException, arguments: Sequence[str]) -> ExitCode:
    from tui.console import Output
    from tui.json_output import error_document

    code, tell = exit_code_of(error), told(error)
    if isinstance(tell, AnswerUnwritable):
        _forget_stdout()  # first of all: whatever touches it tries to write again what could not be written
    flags = list(takewhile(lambda argument: argument != "--", arguments))
    output = Output()
    if code is ExitCode.BUG and "--debug" in flags:
        output.trace("".join(traceback.format_exception(error)))
    with suppress(BrokenPipeError):
        if "--json" in flags and not isinstance(tell, AnswerUnwritable):
            output.document(error_document(tell, code))
        else:
            output.error(tell)
    return code


def _disk_full(error: OSError) -> UserError:
    return UserError(
        f"`{error.filename}` could not be written",
        cause=(error.strerror or str(error)).lower(),
        hint="make room on that disk; `codewitness index prune` deletes what is left of workspaces that are gone",
    )


def _forget_stdout() -> None:
    """Nobody reads stdout any more: let the interpreter's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
