"""The account of a draft as plain lines on stderr: what each test pins down, what it would notice, what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from agent.answer import Claim
from agent.drafting.report import DraftEvent, Drafting, DraftReport, Step, TargetReport, TestsDrafted
from agent.phrases import Language
from tools.consent import AskConsent, ConsentRequest
from tools.show import show, show_name
from tui.console import Output
from tui.plain import PlainRun, shown_claim
from tui.progress import ProgressLine
from tui.spoken import DRAFTS, SpokenDrafts

_MOST_SURVIVORS = 6
STEPS: dict[Step, str] = {
    "style": "reading how this project tests",
    "contract": "reading the target, its callers and its tests",
    "observe": "calling it in the sandbox",
    "write": "writing the draft",
    "run": "running the draft",
    "mutants": "breaking the target to see whether the tests notice",
    "repair": "sending back what was not kept",
}


class PlainDrafting:
    """Shows one drafting as it happens."""

    def __init__(self, output: Output, language: Language) -> None:
        self._output = output
        self._progress = ProgressLine(output)
        self._run = PlainRun(output)
        self._words = DRAFTS[language]
        self._last: tuple[str, Step] | None = None

    def show(self, event: DraftEvent) -> None:
        """Print what one event tells."""
        match event:
            case Drafting():
                self._step(event)
            case TestsDrafted(report):
                self._progress.clear()
                for line in account_lines(report, self._words):
                    self._output.say(line)
            case _:
                self._run.show(event)

    def paused(self, ask: AskConsent) -> AskConsent:
        """The same question, asked with no moving line in its way."""

        async def asked(request: ConsentRequest) -> bool:
            self.close()
            return await ask(request)

        return asked

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._run.close()
        self._progress.clear()

    def _step(self, step: Drafting) -> None:
        """A moving line; where there can be none, one line for each step of a target."""
        count = f" {step.done}/{step.total}" if step.total > 1 else ""
        what = f"{STEPS[step.step]}{count}: {show_name(step.target)}"
        self._run.close()
        if self._output.live:
            self._progress.status(what)
        elif self._last != (step.target, step.step):
            self._progress.line(what)
        self._last = step.target, step.step


def account_lines(report: DraftReport, words: SpokenDrafts) -> Iterator[Text]:
    """The whole account; every statement about code has its places beneath it."""
    if report.style:
        yield Text(words.style, "bold")
        yield from _claims(report.style)
    for target in report.targets:
        yield Text()
        yield Text.assemble((show_name(target.place), "bold"), f"  {outcome(target, words)}")
        yield from _claims(target.contract)
        yield from _claims(target.pins)
        yield from left_lines(target, words)
    yield Text()
    if report.command:
        ran = f"{show_name(report.command)} ({show_name(report.isolation)}), {report.seconds:.1f} s"
        yield Text(ran, "dim")
    yield from (Text(show_name(warning), "yellow") for warning in report.warnings)


def _claims(claims: Sequence[Claim]) -> Iterator[Text]:
    for claim in claims:
        yield Text(f"  {shown_claim(claim.text)}")
        labels = ", ".join(show_name(citation.label) for citation in claim.citations)
        yield Text(f"    {labels}", "cyan")


def outcome(target: TargetReport, words: SpokenDrafts) -> str:
    """How it ended, in a phrase."""
    if target.outcome == "scaffold":
        return words.scaffold
    if target.outcome == "nothing":
        return words.nothing
    kept = words.kept.format(count=len(target.pins))
    if not target.total:
        return kept
    return f"{kept}; {words.noticed.format(killed=target.killed, total=target.total)}"


def left_lines(target: TargetReport, words: SpokenDrafts) -> Iterator[Text]:
    """What is not noticed, was not kept, stays untested; with the reasons."""
    for one in target.survivors[:_MOST_SURVIVORS]:
        after = show(one.after).strip() or words.removed
        yield Text(
            f"  {words.unnoticed}: {show_name(one.path)}:{one.line}: {show(one.before).strip()} → {after}"
        )
    if len(target.survivors) > _MOST_SURVIVORS:
        yield Text(f"  … {len(target.survivors) - _MOST_SURVIVORS}")
    for dropped in target.dropped:
        yield Text(f"  {words.dropped}: {show_name(dropped.name)}: {show('; '.join(dropped.why))}")
    for why in target.untested:
        yield Text(f"  {words.untested}: {show(why)}")
