"""The command line of `codewitness`: its commands, their help pages, and completion, parsed by typer.

It imports nothing heavy: `--help` and shell completion must be immediate, so each command imports what it needs when
it runs.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from tui.commands import (
    ask,
    config,
    doctor,
    draft_tests,
    eval,
    explain,
    index,
    install_hooks,
    search,
    setup,
    verify,
)
from tui.commands.app import open_app
from tui.exits import ExitCode, UsageInvalid
from tui.flags import Flags, keep, with_flags

PROGRAM = "codewitness"
COMPLETION_FLAGS = ("--show-completion", "--install-completion")

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
app.command("draft-tests")(draft_tests.draft_tests)
app.command("search")(search.search)
app.command("verify")(verify.verify)
app.add_typer(index.app, name="index")
app.command("install-hooks")(install_hooks.install_hooks)
app.command("setup")(setup.setup)
app.command("doctor")(doctor.doctor)
app.add_typer(config.app, name="config")
app.add_typer(eval.app, name="eval")


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


def run_command(arguments: Sequence[str]) -> ExitCode:
    """Parse one command line and run it.

    Raises: UsageInvalid when it is not understood; whatever the command raises.
    """
    if len(arguments) == 2 and arguments[0] in COMPLETION_FLAGS:
        return _complete_for(arguments[1], install=arguments[0] == "--install-completion")
    try:
        code = typer.main.get_command(app).main(list(arguments), prog_name=PROGRAM, standalone_mode=False)
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    except typer.TyperException as error:
        raise UsageInvalid(
            "the command line was not understood",
            cause=error.format_message(),
            hint="`codewitness --help` lists the commands, `codewitness COMMAND --help` the flags of one",
        ) from error
    return ExitCode(code or 0)


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
