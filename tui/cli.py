"""The command `codewitness`: parses, runs one command, and turns every ending into an exit code.

This module alone maps errors to exit codes (`tui/exits.py`). It imports nothing heavy: `--help` and shell
completion must be immediate, so each command imports what it needs when it runs.
"""

from __future__ import annotations

import errno
import os
import platform
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Annotated

import typer

from agent.errors import ConsentMissing, ModelUnavailable, SettingsInvalid
from tools.errors import UserError, WorkspaceInvalid
from tui.commands import ask, config, doctor, explain, index, search, setup, verify
from tui.commands.app import open_app
from tui.exits import AnswerUnwritable, ExitCode, Interrupted, UsageInvalid
from tui.flags import Flags, keep, with_flags

PROGRAM = "codewitness"
COMPLETION_FLAGS = ("--show-completion", "--install-completion")
DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

app = typer.Typer(
    name=PROGRAM,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    help=(
        "A private assistant for one codebase: every statement about the code carries a citation that the program"
        " has verified, or it says that it found no evidence.\n\n"
        "It runs on this machine and reads one folder, the workspace: the nearest folder above the current one that"
        " holds `.git`, or the one that `-C DIR` names.\n\n"
        "Start with:\n\n"
        '  codewitness ask "Where is the session cookie\'s domain decided?"\n\n'
        "Exit codes: 0 answered, 1 no evidence, 2 usage or settings, 3 model unavailable, 4 could not search,"
        " 5 budget spent, 6 consent missing, 70 a bug of ours, 130 interrupted."
    ),
)
app.command("ask")(ask.ask)
app.command("explain")(explain.explain)
app.command("search")(search.search)
app.command("verify")(verify.verify)
app.add_typer(index.app, name="index")
app.command("setup")(setup.setup)
app.command("doctor")(doctor.doctor)
app.add_typer(config.app, name="config")


@app.callback(invoke_without_command=True)
@with_flags
def program(
    flags: Flags,
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> ExitCode:
    keep(context, flags)
    if version:
        _print_version(flags)
        raise typer.Exit(ExitCode.ANSWERED)
    if context.invoked_subcommand is None:
        raise typer.Exit(open_app(flags))
    return ExitCode.ANSWERED


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
        if len(arguments) == 2 and arguments[0] in COMPLETION_FLAGS:
            return _complete_for(arguments[1], install=arguments[0] == "--install-completion")
        code = typer.main.get_command(app).main(list(arguments), prog_name=PROGRAM, standalone_mode=False)
    except SystemExit as end:
        return (
            ExitCode.USAGE if end.code else ExitCode.ANSWERED
        )  # how typer ends whatever concerns completion
    except BrokenPipeError:
        _forget_stdout()
        return ExitCode.ANSWERED  # the reader has what it wanted (`codewitness search … | head -1`)
    except BaseException as error:
        return _report(error, arguments)
    return ExitCode(code or 0)


def exit_code_of(error: BaseException) -> ExitCode:
    """The exit code for an error; the one place that decides it."""
    match error:
        case Interrupted() | KeyboardInterrupt() | typer.Abort():
            return ExitCode.INTERRUPTED
        case UsageInvalid() | SettingsInvalid() | WorkspaceInvalid() | typer.TyperException():
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
        case KeyboardInterrupt() | typer.Abort():
            return UserError("interrupted", cause="Ctrl-C was pressed", hint="nothing was changed")
        case OSError() if error.errno in DISK_FULL:
            return AnswerUnwritable(error) if error.filename is None else _disk_full(error)
        case typer.TyperException():
            return UserError(
                "the command line was not understood",
                cause=error.format_message(),
                hint="`codewitness --help` lists the commands, `codewitness COMMAND --help` the flags of one",
            )
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


def _complete_for(shell: str, *, install: bool) -> ExitCode:
    """Completion for the shell that was named; typer itself only knows the one it runs in.

    Raises: UsageInvalid for a shell that there is no completion for.
    """
    # Typer has no public way to ask for another shell than the one it finds itself in.
    from typer._completion_classes import completion_init
    from typer._completion_shared import Shells, get_completion_script
    from typer._completion_shared import install as install_for

    known = [one.value for one in Shells]
    if shell not in known:
        raise UsageInvalid(
            f"there is no completion for `{shell}`",
            cause=f"it is written for {', '.join(known)}",
            hint="name one of them, or none for the shell that you are in",
        )
    completion_init()
    if install:
        _, path = install_for(shell=shell, prog_name=PROGRAM)
        typer.echo(f"completion for {shell} is installed in {path}; open a new terminal to have it")
    else:
        typer.echo(
            get_completion_script(prog_name=PROGRAM, complete_var=f"_{PROGRAM.upper()}_COMPLETE", shell=shell)
        )
    return ExitCode.ANSWERED


def _print_version(flags: Flags) -> None:
    from importlib.metadata import version

    from tui.json_output import version_document
    from tui.opening import output_of

    output = output_of(flags)
    if output.json:
        output.document(version_document(version(PROGRAM), platform.python_version(), sys.platform))
    else:
        output.answer(f"{PROGRAM} {version(PROGRAM)}")


def _forget_stdout() -> None:
    """Nobody reads stdout any more: let the interpreter's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
