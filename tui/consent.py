"""Asking at the terminal before code of the workspace is run: on stderr, and No unless the person says otherwise."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:  # `--help` must stay immediate
    from tools.consent import AskConsent, ConsentRequest
    from tui.console import Output

Yes: TypeAlias = Annotated[
    bool, typer.Option("--yes", help="Agree beforehand to isolated runs of this workspace's code.")
]
AllowUnsandboxed: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--allow-unsandboxed-tests",
        help="Agree beforehand to a run WITHOUT isolation; --yes does not cover that.",
    ),
]
_AGREED = frozenset({"y", "yes"})


def consent_by(output: Output, *, yes: bool, allow_unsandboxed: bool) -> AskConsent:
    """Who agrees: the flags first, then the person, where there is one."""
    from tools.consent import granted_by_flags

    asked = ask_at_terminal(output)
    return granted_by_flags(yes=yes, allow_unsandboxed=allow_unsandboxed, otherwise=asked)


def ask_at_terminal(output: Output) -> AskConsent:
    """Asks on stderr and reads the answer from stdin; where either is no terminal the answer is no."""

    async def ask(request: ConsentRequest) -> bool:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        for line in request.text.split("\n"):
            output.ask(line)
        output.ask("type `yes` to run it; anything else means no")
        _forget_typed()
        return (await _typed_line()).strip().lower() in _AGREED

    return ask


def _forget_typed() -> None:
    """What was typed before the question was shown is no answer to it."""
    if sys.platform != "win32":
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


async def _typed_line() -> str:
    """A line of the terminal, waited for so that Ctrl-C still stops everything."""
    import asyncio  # not needed for help pages, which import this module for its options

    loop = asyncio.get_running_loop()
    if sys.platform == "win32":
        return await asyncio.to_thread(sys.stdin.readline)
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(sys.stdin.fileno(), lambda: None if ready.done() else ready.set_result(None))
    try:
        await ready
    finally:
        loop.remove_reader(sys.stdin.fileno())
    return sys.stdin.readline()
