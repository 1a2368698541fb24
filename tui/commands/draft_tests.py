"""`codewitness draft-tests`: unit tests for a target, drafted, run and judged; a patch on stdout, the account on stderr."""

from __future__ import annotations

import os
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from tui.consent import AllowUnsandboxed, Yes, consent_by
from tui.exits import ExitCode, UsageInvalid
from tui.flags import Flags, with_flags
from tui.locale import language_of

if TYPE_CHECKING:
    from agent.drafting.report import DraftReport, DraftRequest
    from tui.console import Output
    from tui.plain_drafting import PlainDrafting

DraftLanguage: TypeAlias = Literal["en", "es", "pt", "ja"]


@with_flags
def draft_tests(
    flags: Flags,
    target: Annotated[
        str,
        typer.Argument(
            metavar="[TARGET|REV]",
            help="`path:symbol`, `path` or a symbol; with `--changed` a revision.",
            show_default=False,
        ),
    ] = "",
    changed: Annotated[
        bool,
        typer.Option("--changed", help="The functions changed since REV (HEAD) that no test calls."),
    ] = False,
    write: Annotated[
        bool,
        typer.Option("--write", help="Write the new files; over existing ones only with --force."),
    ] = False,
    yes: Yes = False,
    allow_unsandboxed: AllowUnsandboxed = False,
    language: Annotated[
        DraftLanguage | None,
        typer.Option(help="Of the account; without it that of your locale.", show_default=False),
    ] = None,
) -> ExitCode:
    """Draft unit tests in the style of the tests that exist.

    The draft is run isolated and judged: a test is kept only if it passes each time and in any order, touches no
    network, home or file of the project, asserts something, and fails when the target is broken. Without a model, pure
    Python functions are called in the sandbox and their results pinned down, for you to review; where that is not
    possible, and for other languages, there is a scaffold, marked unfinished. Nothing is written without `--write`.

    Examples:

      codewitness draft-tests shop/prices.py:discount | git apply

      codewitness draft-tests Cart.total --write

      codewitness draft-tests --changed main --yes
    """
    from agent.drafting.report import DraftRequest
    from tui.interrupts import Interrupts
    from tui.opening import output_of
    from tui.plain_drafting import PlainDrafting

    if not target and not changed:
        raise UsageInvalid(
            "there is nothing to draft tests for",
            cause="no target was named",
            hint="name `path:symbol`, `path` or a symbol, or use `--changed`",
        )
    spoken = language or language_of(os.environ)
    request = DraftRequest(
        target="" if changed else target,
        changed=(target or "HEAD") if changed else None,
        replace=flags.force,
        language=spoken,
    )
    output = output_of(flags)
    shown = PlainDrafting(output, spoken)
    with Interrupts(quiet=output.quiet) as interrupts:
        drafted = _drafted(
            request, flags, output, shown, write=write, yes=yes, allow_unsandboxed=allow_unsandboxed
        )
        report, written = interrupts.run(drafted, kept="nothing was written")
    if output.json:
        from tui.draft_document import draft_document

        output.document(draft_document(report, written))
    elif written:
        output.raw("".join(f"{path}\n" for path in written))
    else:
        output.raw(report.patch)
    return ExitCode.ANSWERED if report.files else ExitCode.NO_EVIDENCE


async def _drafted(
    request: DraftRequest,
    flags: Flags,
    output: Output,
    shown: PlainDrafting,
    *,
    write: bool,
    yes: bool,
    allow_unsandboxed: bool,
) -> tuple[DraftReport, tuple[str, ...]]:
    from agent.drafting.report import TestsDrafted
    from agent.drafting.writing import write_files
    from tui.opening import opened_session

    report: DraftReport | None = None
    ask_consent = shown.paused(consent_by(output, yes=yes, allow_unsandboxed=allow_unsandboxed))
    try:
        async with (
            opened_session(flags, output, ask_consent=ask_consent) as session,
            aclosing(session.draft_tests(request)) as events,
        ):
            async for event in events:
                shown.show(event)
                if isinstance(event, TestsDrafted):
                    report = event.report
            assert report is not None, "drafting ends with TestsDrafted"
            written = write_files(session.workspace, report, request.replace) if write else ()
    finally:
        shown.close()
    return report, written
