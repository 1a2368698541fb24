"""`codewitness doctor`: every check of this machine, each with its remedy."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from tui.exits import ExitCode
from tui.flags import Flags, with_flags

if TYPE_CHECKING:
    from agent.doctor import Check
    from tui.console import Output


@with_flags
def doctor(
    flags: Flags,
    measure: Annotated[
        bool,
        typer.Option(
            "--measure",
            help="Also load the model and measure what it does here; kept, and adapted to. Takes a minute or more.",
        ),
    ] = False,
) -> ExitCode:
    """Check this machine: what is missing, and what to do.

    Exit code 0 when every required check passes, 4 when one fails. The others only say what would be gained.

    Examples:

      codewitness doctor

      codewitness doctor --measure

      codewitness doctor --measure --model qwen3.5:9b
    """
    from agent.doctor import examine
    from tui.opening import given_settings, output_of, workspace_of

    output = output_of(flags)
    root = workspace_of(flags, output)
    checks: list[Check] = []
    for check in examine(root, measuring=measure, flags=given_settings(flags)):
        checks.append(check)
        if not output.json:
            _print(check, output)
    passed = all(check.passed or not check.required for check in checks)
    if output.json:
        output.document(
            {
                "schema": "codewitness.doctor/1",
                "passed": passed,
                "checks": [asdict(check) for check in checks],
            }
        )
    return ExitCode.ANSWERED if passed else ExitCode.COULD_NOT_SEARCH


def _print(check: Check, output: Output) -> None:
    from rich.text import Text

    from tools.show import show_name

    mark, style = (
        ("ok", "green") if check.passed else ("FAILED", "bold red") if check.required else ("--", "yellow")
    )
    output.answer(Text.assemble((f"{mark:<7}", style), f"{check.name}: {show_name(check.found)}"))
    if not check.passed and check.remedy:
        output.answer(f"         {show_name(check.remedy)}")
