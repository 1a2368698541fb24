"""`codewitness config`: the settings in force, and where they are looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import typer

from tui.exits import ExitCode, UsageInvalid
from tui.flags import OF_THE_MODEL, OF_THE_WORKSPACE, Flags, keep, with_flags_but

if TYPE_CHECKING:
    from agent.errors import SettingsInvalid
    from tui.console import Output

app = typer.Typer(
    rich_markup_mode=None,
    help="The settings in force, and where each came from.",
)


@app.callback(invoke_without_command=True)
@with_flags_but(*OF_THE_MODEL, *OF_THE_WORKSPACE)
def config(flags: Flags, context: typer.Context) -> ExitCode:
    keep(context, flags)
    if context.invoked_subcommand is None:
        from tui.opening import output_of

        if not flags.json:
            output_of(flags).say(context.get_help() + "\n")
        raise UsageInvalid(
            "no command was given",
            cause="`codewitness config` does nothing by itself",
            hint="`codewitness config show` lists the settings, `codewitness config path` names their file",
        )
    return ExitCode.ANSWERED


@app.command("show")
@with_flags_but(*OF_THE_WORKSPACE)
def show_settings(flags: Flags) -> ExitCode:
    """Every setting with its value and its source.

    The source is a flag, the environment, the settings file, or the default.

    A setting is changed in the settings file (`codewitness config path` says where), or in the environment: the
    key `index.embedder` is the variable CODEWITNESS_INDEX__EMBEDDER. Nothing in a workspace configures the program.
    """
    from agent.errors import SettingsInvalid
    from tools.show import show_name
    from tui.opening import output_of, settings_of

    output = output_of(flags)
    try:
        loaded = settings_of(flags)
    except SettingsInvalid as invalid:
        if output.json:
            raise
        return _defaults(invalid, output)
    values = _leaves(loaded.settings.model_dump(mode="json"))
    if output.json:
        settings = {key: {"value": values[key], "source": source} for key, source in loaded.sources.items()}
        output.document({"schema": "codewitness.config/1", "path": str(loaded.path), "settings": settings})
        return ExitCode.ANSWERED
    width = max(map(len, values), default=0)
    for key, source in loaded.sources.items():
        output.answer(f"{key:<{width}}  {show_name(_written(values[key]))}  ({show_name(source)})")
    return ExitCode.ANSWERED


@app.command("path")
@with_flags_but(*OF_THE_MODEL, *OF_THE_WORKSPACE)
def show_path(flags: Flags) -> ExitCode:
    """Where the settings file is looked for; it need not exist."""
    from agent.settings import settings_path
    from tools.show import show_name
    from tui.opening import output_of

    output = output_of(flags)
    path = settings_path()
    if output.json:
        output.document({"schema": "codewitness.config/1", "path": str(path), "exists": path.is_file()})
    else:
        output.answer(show_name(str(path)))
        output.detail("it exists" if path.is_file() else "it does not exist: the defaults hold")
    return ExitCode.ANSWERED


def _defaults(invalid: SettingsInvalid, output: Output) -> ExitCode:
    """What is wrong, and then what there is to set: the hint of every such error leads here."""
    from agent.settings import known_settings

    output.error(invalid)
    output.say("\nthe settings that there are, with their defaults:")
    known = known_settings()
    width = max(map(len, known))
    for key, value in known.items():
        output.answer(f"{key:<{width}}  {_written(value)}")
    return ExitCode.USAGE


def _leaves(tree: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    leaves: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            leaves |= _leaves(cast(dict[str, Any], value), f"{prefix}{key}.")
        else:
            leaves[f"{prefix}{key}"] = value
    return leaves


def _written(value: object) -> str:
    return repr(value) if isinstance(value, str) else str(value)
