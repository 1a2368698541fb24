"""`codewitness verify`: does an old answer still hold?"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from tui.amounts import many
from tui.exits import ExitCode, UsageInvalid
from tui.flags import OF_THE_MODEL, Flags, with_flags_but

if TYPE_CHECKING:
    from agent.recheck import Rechecked
    from tui.console import Output

VERDICTS = {
    "holds": "hold",
    "moved": "moved",
    "stale": "stale",
    "gone": "gone",
    "unchecked": "not checked",
}
MOST_BYTES = 32 * 1024 * 1024


@with_flags_but(*OF_THE_MODEL)
def verify(
    flags: Flags,
    answer: Annotated[
        str,
        typer.Argument(
            metavar="ANSWER.json",
            help="What `codewitness ask --json` printed; `-` reads it from stdin.",
            show_default=False,
        ),
    ],
) -> ExitCode:
    """Check an old answer against the code of today.

    Each citation holds (the quoted lines are where they were), has moved (they are elsewhere in the file), is stale
    (they are not there any more) or is gone (the file is). Exit code 1 unless all of them hold.

    Examples:

      codewitness ask "where are sessions signed?" --json > answer.json

      codewitness verify answer.json
    """
    from tui.json_output import verify_document
    from tui.opening import output_of

    output = output_of(flags)
    checked = _checked(_document(answer), flags, output)
    verdict = holds(checked)
    if output.json:
        output.document(verify_document(checked, holds=verdict))
    else:
        _print(checked, output)
    return ExitCode.ANSWERED if verdict else ExitCode.NO_EVIDENCE


def holds(checked: list[Rechecked]) -> bool:
    """Whether the answer still holds: all citations that can be checked do, and there is at least one."""
    verdicts = {citation.verdict for citation in checked} - {"unchecked"}
    return verdicts == {"holds"}


def _document(name: str) -> dict[str, Any]:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    except OSError as problem:
        raise _unusable(name, problem.strerror or str(problem)) from None
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise _unusable(name, f"it is no JSON ({problem})") from None
    if len(data) > MOST_BYTES or not isinstance(value, dict):
        raise _unusable(name, "it is not one JSON object of a reasonable size")
    return cast(dict[str, Any], value)


def _checked(document: dict[str, Any], flags: Flags, output: Output) -> list[Rechecked]:
    import asyncio

    from agent.recheck import AnswerInvalid
    from tui.opening import opened_session

    async def run() -> list[Rechecked]:
        async with opened_session(flags, output, looking_only=True) as session:
            return session.verify(document)

    try:
        return asyncio.run(run())
    except AnswerInvalid as error:
        raise UsageInvalid(error.what, cause=error.cause, hint=error.hint) from None


def _print(checked: list[Rechecked], output: Output) -> None:
    from tools.show import show_name
    from tui.plain import shown_claim

    claim = None
    for citation in checked:
        if citation.claim != claim:
            claim = citation.claim
            output.answer(shown_claim(claim))
        now = f", now {show_name(citation.now)}" if citation.now else ""
        why = f": {show_name(citation.reason)}" if citation.reason else ""
        output.answer(f"  {citation.verdict:<9}  {show_name(citation.label)}{now}{why}")
    output.answer()
    output.answer(summary(checked))
    if any(citation.verdict == "gone" for citation in checked) and not known(checked):
        output.say(
            "none of its files is here: the answer may belong to another workspace (`-C DIR` names one)"
        )


def summary(checked: list[Rechecked]) -> str:
    """How the citations fared, in one line."""
    if not checked:
        return "The answer has no citations, so there is nothing that could hold."
    counts = Counter(citation.verdict for citation in checked)
    parts = [f"{counts[verdict]} {word}" for verdict, word in VERDICTS.items() if counts[verdict]]
    return f"{many(len(checked), 'citation')}: {', '.join(parts)}"


def known(checked: list[Rechecked]) -> bool:
    """Whether any file that the answer cites is in this workspace."""
    return any(citation.verdict in ("holds", "moved", "stale") for citation in checked)


def _unusable(name: str, cause: str) -> UsageInvalid:
    return UsageInvalid(
        f"the answer `{name}` cannot be read",
        cause=cause,
        hint="give a file that `codewitness ask --json` wrote, or `-` and the same on stdin",
    )
