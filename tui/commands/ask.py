"""`codewitness ask`: one question, answered on stdout."""

from __future__ import annotations

import sys
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated

import typer

from tui.consent import AllowUnsandboxed, Yes, consent_by
from tui.exits import ExitCode, UsageInvalid
from tui.flags import Flags, with_flags

if TYPE_CHECKING:
    from agent.answer import Answer
    from tools.consent import AskConsent
    from tui.console import Output
    from tui.plain import PlainRun

MOST_CHARACTERS = 20_000
"""Of a question: some ten pages. A whole log belongs to `explain`."""


@with_flags
def ask(
    flags: Flags,
    question: Annotated[
        list[str],
        typer.Argument(
            metavar="QUESTION",
            help="The question, in any words; `-` reads it from stdin.",
            show_default=False,
        ),
    ],
    follow_up: Annotated[
        bool, typer.Option("--continue", help="Follow up on the last question in this workspace.")
    ] = False,
    changed_since: Annotated[
        str,
        typer.Option(
            metavar="REV",
            help="Search only files that differ from this commit, tag or branch.",
            show_default=False,
        ),
    ] = "",
    yes: Yes = False,
    allow_unsandboxed: AllowUnsandboxed = False,
) -> ExitCode:
    """Ask one question about the code.

    Every statement of the answer names the lines it rests on, and is printed only after the program has checked
    that these lines exist, were read in this run, have not changed, and hold what the statement names. Where
    nothing was found, the answer says what was searched, and the exit code is 1.

    Examples:

      codewitness ask "Where is the session cookie's domain decided?"

      codewitness ask --continue "and who calls that?"

      git log -1 --format=%B | codewitness ask -
    """
    from tui.interrupts import Interrupts
    from tui.opening import output_of
    from tui.plain import PlainRun

    output = output_of(flags)
    asked = question_text(question)
    with Interrupts(quiet=output.quiet) as interrupts:
        run = PlainRun(output)
        consent = consent_by(output, yes=yes, allow_unsandboxed=allow_unsandboxed)
        answering = _answer(asked, follow_up, changed_since, consent, flags, output, run)
        answer = interrupts.run(answering, kept=run.kept)
    if output.json:
        from tui.json_output import answer_document

        output.document(answer_document(answer))
    return exit_of(answer)


def question_text(words: list[str]) -> str:
    """The question as one text.

    Raises: UsageInvalid when there is none, when it is no text, and when nobody could have meant it.
    """
    text = _from_stdin() if words == ["-"] else " ".join(words)
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise _no_text("an argument holds bytes that are not UTF-8")
    if len(text) > MOST_CHARACTERS:
        raise UsageInvalid(
            "the question is too long",
            cause=f"it has {_length(text, words)} characters; at most {MOST_CHARACTERS:,} are read",
            hint="ask about the point that matters; a log or a traceback is for `codewitness explain`",
        )
    if not text.strip():
        raise UsageInvalid(
            "there is no question",
            cause="stdin was empty" if words == ["-"] else "the question is empty",
            hint='write it behind the command: `codewitness ask "where are sessions signed?"`',
        )
    return text.strip()


def _length(text: str, words: list[str]) -> str:
    return f"over {MOST_CHARACTERS:,}" if words == ["-"] else f"{len(text):,}"


def _from_stdin() -> str:
    """What is piped in, read a little further than can be used, so that an endless stream ends too."""
    data = sys.stdin.buffer.read(4 * MOST_CHARACTERS + 4)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        if problem.end == len(data) > 4 * MOST_CHARACTERS:  # cut inside a character
            return data[: problem.start].decode("utf-8-sig")
        raise _no_text(f"byte {problem.start + 1} of stdin is not UTF-8") from None


def _no_text(cause: str) -> UsageInvalid:
    return UsageInvalid(
        "the question is not UTF-8 text",
        cause=cause,
        hint="convert it first (`iconv -t UTF-8`), or type the question behind the command",
    )


def exit_of(answer: Answer) -> ExitCode:
    """The exit code that tells a script how the question fared."""
    match answer.status:
        case "answered" | "partial":
            return ExitCode.ANSWERED
        case "could_not_search":
            return ExitCode.COULD_NOT_SEARCH
        case "model_failed":
            return ExitCode.BUDGET_SPENT if answer.budget_spent == "seconds" else ExitCode.MODEL_UNAVAILABLE
        case "no_evidence":
            return ExitCode.BUDGET_SPENT if answer.budget_spent else ExitCode.NO_EVIDENCE


async def _answer(
    question: str,
    follow_up: bool,
    changed_since: str,
    consent: AskConsent,
    flags: Flags,
    output: Output,
    run: PlainRun,
) -> Answer:
    from agent.events import Answered
    from tui.index_lines import vectors_hint
    from tui.opening import opened_session

    answer: Answer | None = None
    try:
        async with (
            opened_session(flags, output, ask_consent=consent) as session,
            aclosing(session.ask(question, follow_up, changed_since)) as events,
        ):
            if follow_up and session.conversations.newest() is None:
                output.say("there is no earlier question in this workspace: this one begins anew")
            async for event in events:
                run.show(event)
                if isinstance(event, Answered):
                    answer = event.answer
            run.say_if_any(vectors_hint(session.index_status()))
    finally:
        run.close()
    assert answer is not None, "a run ends with Answered"
    return answer
