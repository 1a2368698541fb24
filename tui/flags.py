"""The flags that every command takes, before or after its name.

`@with_flags` adds them to a command's own parameters, so that typer parses, documents and completes them there;
the program's callback takes the same ones and leaves them in the context. What stands after the command wins.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Concatenate, Literal, ParamSpec, TypeAlias, get_args

import typer

from tui.exits import ExitCode
from tui.given import Flags

PANEL = "Everywhere"

BackendName: TypeAlias = Literal["auto", "ollama", "openai", "llamacpp", "extractive"]

ThinkLevel: TypeAlias = Literal["low", "medium", "high", "max"]

Parameters = ParamSpec("Parameters")


OPTIONS: Mapping[str, Any] = {
    "directory": Annotated[
        Path | None,
        typer.Option(
            "-C",
            metavar="DIR",
            help="The workspace: exactly this folder. Without it: the nearest folder above that holds `.git`, else this one.",
            rich_help_panel=PANEL,
            show_default=False,
        ),
    ],
    "backend": Annotated[
        BackendName | None,
        typer.Option(
            help="Who writes the answer. `auto`: a local model server when one answers, else `extractive` (no model at all).",
            rich_help_panel=PANEL,
            show_default=False,
        ),
    ],
    "model": Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The model to ask, as its server names it.",
            rich_help_panel=PANEL,
            show_default=False,
        ),
    ],
    "think": Annotated[
        bool | None,
        typer.Option(
            "--think/--no-think",
            help="Let a model that can think do so before it acts: slower. `-v` shows it, labelled, on stderr.",
            rich_help_panel=PANEL,
            show_default=False,
        ),
    ],
    "think_level": Annotated[
        ThinkLevel | None,
        typer.Option(
            help="How long it thinks, for models that know levels; means `--think`.",
            rich_help_panel=PANEL,
            show_default=False,
        ),
    ],
    "json": Annotated[
        bool,
        typer.Option("--json", help="Print one JSON document on stdout, errors too.", rich_help_panel=PANEL),
    ],
    "quiet": Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Nothing on stderr but errors.", rich_help_panel=PANEL),
    ],
    "verbose": Annotated[
        bool,
        typer.Option(
            "--verbose",
            "-v",
            help="More on stderr: what was searched, what was withheld.",
            rich_help_panel=PANEL,
        ),
    ],
    "debug": Annotated[
        bool,
        typer.Option("--debug", help="On a bug of ours, print the whole traceback.", rich_help_panel=PANEL),
    ],
    "force": Annotated[
        bool,
        typer.Option(
            "--force",
            help="Take the home folder or `/` as the workspace all the same.",
            rich_help_panel=PANEL,
        ),
    ],
}


Command: TypeAlias = Callable[Concatenate[Flags, Parameters], ExitCode]

OF_THE_MODEL = ("backend", "model", "think", "think_level")
OF_THE_WORKSPACE = ("directory", "force")


def with_flags(command: Command[Parameters]) -> Callable[..., ExitCode]:
    """The same command for typer: its first parameter, the flags, becomes one option for each of them.

    A command that also wants typer's context has a parameter named `context`.
    """
    return _with_flags(command, frozenset())


def with_flags_but(*hidden: str) -> Callable[[Command[Parameters]], Callable[..., ExitCode]]:
    """The same for a command to which some flags mean nothing: they are taken, and not shown."""

    def decorate(command: Command[Parameters]) -> Callable[..., ExitCode]:
        return _with_flags(command, frozenset(hidden))

    return decorate


def _with_flags(command: Command[Parameters], hidden: frozenset[str]) -> Callable[..., ExitCode]:
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    wants_context = any(parameter.name == "context" for parameter in own)

    @functools.wraps(command)
    def parsed(context: typer.Context, **given: Any) -> ExitCode:
        after = Flags(**{name: given.pop(name) for name in OPTIONS})
        if wants_context:
            given["context"] = context
        return command(_before(context).then(after), **given)  # pyright: ignore[reportCallIssue]

    return _as_typed(parsed, [parameter for parameter in own if parameter.name != "context"], hidden)


def keep(context: typer.Context, flags: Flags) -> None:
    """Remember flags that stood before the command's name, for the command to come."""
    context.obj = flags


def _before(context: typer.Context) -> Flags:
    return context.obj if isinstance(context.obj, Flags) else Flags()


def _shown(name: str, hidden: frozenset[str]) -> Any:
    """What typer reads of one flag, left out of the help page where it is hidden."""
    if name not in hidden:
        return OPTIONS[name]
    kind, option = get_args(OPTIONS[name])
    unseen = copy(option)
    unseen.hidden = True
    return Annotated[kind, unseen]


def _as_typed(
    function: Callable[..., ExitCode], own: list[inspect.Parameter], hidden: frozenset[str]
) -> Callable[..., ExitCode]:
    """Give the function the signature that typer reads: context, its own parameters, then the flags."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    defaults = {field.name: field.default for field in fields(Flags)}
    parameters = [
        inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context),
        *(parameter.replace(kind=keyword) for parameter in own),
        *(
            inspect.Parameter(name, keyword, annotation=_shown(name, hidden), default=defaults[name])
            for name in OPTIONS
        ),
    ]
    function.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return function
