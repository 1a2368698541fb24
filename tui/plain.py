"""A run's events as plain lines, for pipes and for terminals without the app.

Stdout gets the answer: claims one by one as they are verified, each with the cited lines beneath it, then what the
whole answer adds. Stderr gets the progress. All text of a model or a workspace goes through `show()`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import assert_never, cast

from rich.text import Text

from agent.answer import Answer, Citation, Claim, CommitCitation, FileToReview, LinesCitation, TestRunCitation
from agent.events import (
    Answered,
    ClaimVerified,
    ClaimWithheld,
    Event,
    Indexing,
    ModelWrote,
    RunStarted,
    ToolFinished,
    ToolRefused,
    ToolStarted,
    Waiting,
)
from agent.messages import BackendInfo, ToolCall
from tools.show import show, show_name
from tui.amounts import many
from tui.audit import audit_lines, index_line
from tui.console import Output
from tui.progress import ProgressLine
from tui.spoken import ENGLISH, Spoken, spoken_for

MOST_LINES = 8
MOST_COLUMNS = 200
_NAMED = re.compile(r"(?<!`)`(?!`)[^`]*`(?!`)")
"""A name or a piece of code in a statement; fences of three backticks are none."""
ALWAYS_TOLD = ("adapted", "no_tools", "not_used")
"""Details of a backend that change what an answer is worth; the rest is for `-v`."""


class PlainRun:
    """Prints one run as it happens."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._progress = ProgressLine(output)
        self._claims = 0
        self._thought = ""

    def show(self, event: Event) -> None:
        """Print what one event tells."""
        if self._thought and not (isinstance(event, ModelWrote) and event.thinking):
            self._thinking("\n")
        match event:
            case Indexing(progress):
                self._progress.index(progress)
            case RunStarted(backend=backend):
                self._started(backend)
            case Waiting(what):
                self._progress.status(f"waiting for {show_name(what)}")
            case ModelWrote(text, thinking):
                self._progress.status("the model is thinking" if thinking else "the model is writing")
                if thinking and self._output.verbose:
                    self._thinking(text)
            case ToolStarted(call):
                self._progress.status(call_line(call))
            case ToolFinished() | ToolRefused():
                self._tool(event)
            case ClaimVerified(claim, recommendation):
                if not recommendation:
                    self._claim(claim)
            case ClaimWithheld(withheld):
                if self._output.verbose:
                    self._progress.line(f"withheld, unverified: {show_name(withheld.text)}")
                    self._progress.line(f"  because {show_name(withheld.reason)}")
            case Answered(answer):
                self._answered(answer)
            case _:
                assert_never(event)

    def say_if_any(self, hint: str) -> None:
        """A line on stderr after the answer, where there is something to say."""
        if hint:
            self._output.say(hint, "dim")

    def kept(self) -> str:
        """What an interruption does not lose, in one sentence."""
        index = "what is indexed is kept, and the next run goes on from there"
        printed = self._claims and not self._output.json
        return f"{index}; every statement above stands" if printed else f"{index}; nothing was answered yet"

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._progress.clear()

    def _started(self, backend: BackendInfo) -> None:
        self._progress.line(f"answering with {described(backend)}")
        for key, why in backend.details.items():
            if key in ALWAYS_TOLD or (key != "num_ctx" and self._output.verbose):
                self._progress.line(f"  {show_name(why)}")

    def _thinking(self, text: str) -> None:
        """Whole lines of what the model thinks, on stderr: nothing of it is verified."""
        *lines, self._thought = (self._thought + text).split("\n")
        for line in filter(str.strip, lines):
            self._progress.line(f"thinking, unverified: {show(line)}")

    def _tool(self, event: ToolFinished | ToolRefused) -> None:
        if isinstance(event, ToolRefused):
            what = "failed" if event.broken else "sent back"
            self._progress.line(f"{call_line(event.call)}: {what}: {show_name(event.reason)}")
            return
        more = ", more exist" if event.truncated else ""
        self._progress.line(
            f"{call_line(event.call)}: {many(event.results, 'result')}{more} ({event.seconds:.1f} s)"
        )
        if event.reranked:
            self._progress.line(f"  {show_name(event.reranked)}")

    def _claim(self, claim: Claim) -> None:
        self._progress.clear()
        if self._claims:
            self._output.answer()
        self._claims += 1
        for line in claim_lines(claim):
            self._output.answer(line)

    def _answered(self, answer: Answer) -> None:
        self._progress.clear()
        for line in closing_lines(answer, ENGLISH if self._output.json else spoken_for(answer.question)):
            self._output.answer(line)
        for line in summary_lines(answer, verbose=self._output.verbose):
            self._output.say(line, "dim")


def claim_lines(claim: Claim) -> list[Text]:
    """A verified statement, and beneath it every place that it rests on."""
    lines = [Text(line) for line in shown_claim(claim.text).split("\n")]
    for citation in claim.citations:
        lines += citation_lines(citation)
    return lines


def shown_claim(text: str) -> str:
    """A statement, safe to show; what it sets in backticks stays on its line, whatever a file is called."""
    return show(_NAMED.sub(lambda named: show_name(named[0]), text))


def citation_lines(citation: Citation) -> list[Text]:
    """Where the evidence is, what was checked about it, and the evidence itself."""
    label = f"  {show_name(citation.label)}"
    match citation:
        case LinesCitation():
            moved = f", moved from {show_name(citation.moved_from)}" if citation.moved_from else ""
            mark = Text.assemble((label, "cyan"), (f"  [lines verified{moved}]", "green"))
            return [mark, *quoted_lines(citation.text, citation.first_line)]
        case TestRunCitation():
            took = f"  [reported by the test process, {citation.duration_seconds:.1f} s]"
            return [Text.assemble((label, "cyan"), took)]
        case CommitCitation():
            head = Text.assemble((label, "cyan"), f"  {citation.date}  {show_name(citation.subject)}")
            return [head, *(patch_lines(citation.text) if citation.text else ())]
        case _:
            assert_never(citation)


def patch_lines(text: str, *, most: int = MOST_LINES) -> list[Text]:
    """Cited lines of a commit; of many the beginning, and how many more there are."""
    lines = text.split("\n")
    shown = lines if len(lines) <= most else lines[: most - 1]
    quoted = [Text.assemble(("    | ", "dim"), _clipped(show(line))) for line in shown]
    more = [Text(f"    | {len(lines) - len(shown)} more lines", "dim")] if len(shown) < len(lines) else []
    return [*quoted, *more]


def quoted_lines(text: str, first_line: int, *, most: int = MOST_LINES) -> list[Text]:
    """The lines with their numbers; of a long quotation the beginning, and how much more there is."""
    lines = text.split("\n")
    shown = lines if len(lines) <= most else lines[: most - 1]
    width = len(str(first_line + len(lines) - 1))
    quoted = [
        Text.assemble((f"    {number:>{width}} | ", "dim"), _clipped(show(line)))
        for number, line in enumerate(shown, first_line)
    ]
    if len(shown) < len(lines):
        quoted.append(Text(f"    {'…':>{width}} | {len(lines) - len(shown)} more lines", "dim"))
    return quoted


def closing_lines(answer: Answer, spoken: Spoken = ENGLISH) -> list[Text]:
    """What follows the verified claims on stdout; the whole answer where there are none.

    The notice says how claims were chosen, so it stands only where there are some.
    """
    if answer.is_empty:
        return [Text(line) for line in audit_lines(answer, spoken)]
    lines: list[Text] = []
    if answer.recommendations:
        lines += _section(spoken.recommendations)
        for claim in answer.recommendations:
            lines += claim_lines(claim)
    if answer.steps:
        lines += _section(spoken.steps)
        lines += [Text(f"  {n}. {show_name(step)}") for n, step in enumerate(answer.steps, 1)]
    if answer.files_to_review:
        lines += _section(spoken.files_to_review)
        lines += [Text(f"  {_review_line(file, answer, spoken)}") for file in answer.files_to_review]
    return [*lines, *_notice(answer)]


def _review_line(file: FileToReview, answer: Answer, spoken: Spoken) -> str:
    """The file with the lines of it that are cited; why else, where none is."""
    cited = [
        (citation.first_line, citation.last_line)
        for claim in (*answer.observed, *answer.recommendations)
        for citation in claim.citations
        if isinstance(citation, LinesCitation) and citation.path == file.path
    ]
    name = show_name(file.path)
    if not cited:
        return f"{name}: {show_name(file.why)}"
    lines = joined_lines(cited)
    return f"{name}  {spoken.line if lines.isdigit() else spoken.lines} {lines}"


def joined_lines(ranges: Iterable[tuple[int, int]]) -> str:
    """Ranges of lines in order, those that touch as one: `189-190, 199, 351-353`."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in joined)


def summary_lines(answer: Answer, *, verbose: bool) -> list[str]:
    """How the answer came about, for stderr."""
    usage = answer.usage
    lines = [
        f"{answer.status.replace('_', ' ')} in {usage.seconds:.1f} s, "
        f"{many(usage.tool_calls, 'look-up')}, {index_line(answer.index)}"
    ]
    if answer.budget_spent:
        lines.append(f"stopped early: the budget of {show_name(answer.budget_spent)} was spent")
    if answer.withheld:
        were = many(len(answer.withheld), "statement was", "statements were")
        lines.append(f"{were} withheld: not verified{'' if verbose else ' (-v shows them and why)'}")
    lines += [f"note: {show_name(note)}" for note in answer.index.notes]
    return lines


def described(backend: BackendInfo) -> str:
    """Who answers: `extractive`, or `ollama, qwen3:8b at 127.0.0.1`."""
    model = f", {show_name(backend.model)}" if backend.model else ""
    host = f" at {show_name(backend.host)}" if backend.host else ""
    return f"{backend.name}{model}{host}"


def call_line(call: ToolCall) -> str:
    """A tool call on one line, its arguments as short as they are understood."""
    parts = [
        name.replace("_", " ") if value is True else _argument(value)
        for name, value in call.arguments.items()
        if value not in (None, False, "", [], ())
    ]
    return f"{show_name(call.name)} {', '.join(parts)}".rstrip()


def _argument(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_argument, cast(Sequence[object], value)))
    return _clipped(show_name(str(value)), 60)


def _section(title: str) -> list[Text]:
    return [Text(), Text(title, "bold")]


def _notice(answer: Answer) -> list[Text]:
    return [Text(), Text(show(answer.notice), "dim")] if answer.notice else []


def _clipped(line: str, most: int = MOST_COLUMNS) -> str:
    return line if len(line) <= most else line[: most - 1] + "…"
