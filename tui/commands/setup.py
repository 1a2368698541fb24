"""`codewitness setup`: prepare the model server, step by step."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Generator
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from agent.errors import ConsentMissing
from tui.exits import ExitCode
from tui.flags import OF_THE_WORKSPACE, Flags, with_flags_but

if TYPE_CHECKING:
    from agent.backends.recommend import Recommendation
    from tui.console import Output

KEPT = "what was downloaded is kept; `codewitness setup` goes on from there"


@with_flags_but(*OF_THE_WORKSPACE)
def setup(
    flags: Flags,
    check: Annotated[bool, typer.Option("--check", help="Only say what is missing; change nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Pull the model without asking.")] = False,
) -> ExitCode:
    """Prepare a local model, step by step.

    Find the model server, pull a model if there is none, warm it up, and try it on one question. Nothing is downloaded before you agree. Ctrl-C stops a download; the next run goes on from there. Without any of
    this Codewitness still works: `search` needs no model, and `ask --backend extractive` answers without one.

    Exit code 0 when the model is ready, 3 when something is missing, 6 when nobody could be asked.

    Examples:

      codewitness setup --check

      codewitness setup --model qwen3.5:9b
    """
    from tui.interrupts import Interrupts
    from tui.opening import output_of

    output = output_of(flags)
    with Interrupts(quiet=output.quiet) as interrupts:
        interrupts.run(_prepare(flags, output, check_only=check, yes=yes), kept=KEPT)
    return ExitCode.ANSWERED


async def _prepare(flags: Flags, output: Output, *, check_only: bool, yes: bool) -> None:
    from agent.machine import measured_machine
    from agent.setup import prepare
    from tui.opening import settings_of
    from tui.setup_lines import SetupRun, setup_document

    machine = await asyncio.to_thread(measured_machine)

    async def agree(missing: Recommendation) -> bool:
        return yes or _asked(missing)

    run = SetupRun(output)
    try:
        steps = prepare(settings_of(flags).settings, machine, agree, check_only=check_only)
        async with aclosing(steps):
            async for step in steps:
                run.show(step)
    finally:
        run.close()
    if output.json:
        output.document(setup_document(run.steps))


def _asked(missing: Recommendation) -> bool:
    """Whether the person agrees to the download.

    Raises: ConsentMissing when there is nobody to ask.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConsentMissing(
            f"`{missing.model}` would have to be downloaded",
            cause="nobody can be asked: this is no terminal",
            hint="run it again with `--yes` to agree",
        )
    with _plain_interrupts():
        return typer.confirm(f"Pull {missing.model}?", default=True, err=True)


@contextmanager
def _plain_interrupts() -> Generator[None]:
    """While a person is asked, the first Ctrl-C ends the question: nothing is under way that could be stopped cleanly."""
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, ours)
