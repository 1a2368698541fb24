"""`codewitness explain`: a failure explained from its traceback, log, test output or issue text."""

from __future__ import annotations

import sys
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tui.commands.ask import exit_of
from tui.consent import AllowUnsandboxed, Yes, consent_by
from tui.exits import ExitCode, UsageInvalid
from tui.flags import Flags, with_flags

if TYPE_CHECKING:
    from agent.answer import Answer
    from tools.consent import AskConsent
    from tui.console import Output
    from tui.plain import PlainRun

MAX_BYTES = 64 * 1024 * 1024


@with_flags
def explain(
    flags: Flags,
    report: Annotated[
        str,
        typer.Argument(
            metavar="[FILE|-]",
            help="The report; `-`, or nothing behind a pipe, reads it from stdin.",
            show_default=False,
        ),
    ] = "",
    test: Annotated[
        str,
        typer.Option(
            "--test",
            metavar="NODE",
            help="Run this test first (`tests/test_cart.py::test_total`), isolated, and explain its failure.",
            show_default=False,
        ),
    ] = "",
    yes: Yes = False,
    allow_unsandboxed: AllowUnsandboxed = False,
) -> ExitCode:
    """Explain a failure from what was reported of it.

    That is a traceback, a log excerpt, a failing test's output, a compiler error or an issue's text. Tracebacks of Python, JavaScript and TypeScript, Go, Rust and Java are taken apart, and their frames are found in
    this workspace also when they come from another machine, a container or a build folder. The answer says what
    failed and where, the path of calls, why, where else the same pattern occurs, which tests there are, and what to
    change, and what changed lately in those lines; every statement names what it rests on. Nothing is run but the test
    that `--test` names, and that only once you have agreed to it.

    Examples:

      pytest -x 2>&1 | codewitness explain

      codewitness explain traceback.txt

      codewitness explain --test tests/test_cart.py::test_total

      docker logs web 2>&1 | tail -200 | codewitness explain - --json
    """
    from tui.interrupts import Interrupts
    from tui.opening import output_of
    from tui.plain import PlainRun

    output = output_of(flags)
    if test and report:
        raise UsageInvalid(
            "two things to explain were given",
            cause=f"`--test {test}` and the report `{report}`",
            hint="leave one of them out: `--test` runs the test and explains what it says",
        )
    text = "" if test else report_text(report)
    consent = consent_by(output, yes=yes, allow_unsandboxed=allow_unsandboxed)
    with Interrupts(quiet=output.quiet) as interrupts:
        run = PlainRun(output)
        answer = interrupts.run(_explained(text, test, consent, flags, output, run), kept=run.kept)
    if output.json:
        from tui.json_output import answer_document

        output.document(answer_document(answer))
    return exit_of(answer)


def report_text(report: str) -> str:
    """The report, from the file or from stdin; bytes that are no text are shown as such.

    Raises: UsageInvalid when there is none, or when it cannot be read.
    """
    if report in ("", "-") and (report or not sys.stdin.isatty()):
        data = sys.stdin.buffer.read(MAX_BYTES)
    elif report:
        data = _read(Path(report))
    else:
        raise _missing("no file was named and nothing is piped in")
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    if not text.strip():
        raise _missing(f"`{report}` is empty" if report not in ("", "-") else "stdin was empty")
    return text


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES)
    except OSError as error:
        raise UsageInvalid(
            f"`{path}` cannot be read",
            cause=error.strerror or str(error),
            hint="name a file with the traceback, or pipe it in: `pytest -x 2>&1 | codewitness explain`",
        ) from error


def _missing(cause: str) -> UsageInvalid:
    return UsageInvalid(
        "there is no report to explain",
        cause=cause,
        hint="name a file with the traceback, or pipe it in: `pytest -x 2>&1 | codewitness explain`",
    )


async def _explained(
    text: str, test: str, consent: AskConsent, flags: Flags, output: Output, run: PlainRun
) -> Answer:
    from agent.events import Answered
    from agent.explain import headline
    from agent.traces import read_report
    from tools.errors import ToolError
    from tools.show import show_name
    from tui.index_lines import vectors_hint
    from tui.opening import opened_session

    answer: Answer | None = None
    if text:
        output.say(f"reported: {show_name(headline(read_report(text)))}", "dim")
    try:
        async with (
            opened_session(flags, output, ask_consent=consent) as session,
            aclosing(session.explain_test(test) if test else session.explain(text)) as events,
        ):
            async for event in events:
                run.show(event)
                if isinstance(event, Answered):
                    answer = event.answer
            run.say_if_any(vectors_hint(session.index_status()))
    except ToolError as problem:
        raise UsageInvalid(
            f"the test `{show_name(test)}` cannot be run",
            cause=str(problem).rstrip("."),
            hint="name it by its file, or as its runner does: `tests/test_cart.py::test_total`",
        ) from None
    finally:
        run.close()
    assert answer is not None, "a run ends with Answered"
    return answer
