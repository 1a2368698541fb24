"""One question and all that comes of it: look-ups, claims as they are verified, what the whole answer adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal, TypeAlias, assert_never

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from agent.answer import Answer, Claim, LinesCitation, Withheld
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
from tools.errors import UserError
from tools.show import show
from tui.places import Place, cited
from tui.plain import described
from tui.prose import prose
from tui.spoken import ENGLISH, Spoken
from tui.widgets.claim_view import ClaimView
from tui.widgets.closing import Closing
from tui.widgets.fold import Fold
from tui.widgets.no_evidence import NoEvidence
from tui.widgets.problem import Problem
from tui.widgets.progress_line import ProgressLine
from tui.widgets.question_line import QuestionLine
from tui.widgets.tool_call import ToolCallLine

Kind: TypeAlias = Literal["ask", "explain", "test", "draft"]
"""What is asked: a question, a report to explain, a test to run and explain, tests to draft."""
MOST_THINKING = 20_000
"""Characters of a model's thinking that are kept, the newest."""


class Exchange(Vertical):
    """Grows while its run goes on."""

    DEFAULT_CSS = """
    Exchange {
        height: auto; margin-bottom: 1;
        & > Vertical { height: auto; }
        & > .lookups { display: none; margin-bottom: 1; }
        & > .lookups.-any { display: block; }
        & > .advice > .section { text-style: bold; color: $text-accent; }
        & > .thinking { margin-bottom: 1; }
        .stopped { color: $text-warning; }
    }
    """

    def __init__(
        self,
        question: str,
        clock: Callable[[], float],
        kind: Kind = "ask",
        heading: str = "",
        spoken: Spoken = ENGLISH,
    ) -> None:
        """`heading` stands above it in place of a question that is long; `spoken` is what it is answered in."""
        super().__init__()
        self.question = question
        self.kind: Kind = kind
        self.spoken = spoken
        self._heading = heading or question
        self.answer: Answer | None = None
        self.places: list[Place] = []
        """Every place that a verified claim cites, in order, each once."""
        self._withheld: list[Withheld] = []
        self._thinking = ""
        self._calls: list[ToolCallLine] = []
        self.progress = ProgressLine(clock)
        self._lookups = Fold("looking", classes="lookups")
        self._claims = Vertical(classes="claims")
        self._advice = Vertical(classes="advice")
        self.rest = Vertical(classes="rest")

    def compose(self) -> ComposeResult:
        yield QuestionLine(self, self._heading)
        yield self._lookups
        yield self._claims
        yield self._advice
        yield self.rest
        yield self.progress

    def on_mount(self) -> None:
        """Look-ups are in sight as long as they go on."""
        self._lookups.open = True

    @property
    def withheld_text(self) -> tuple[Withheld, ...]:
        """Statements that were not shown."""
        return tuple(self._withheld)

    async def take(self, event: Event) -> None:
        """Draw what one event tells."""
        match event:
            case Indexing(progress):
                self.progress.index(progress)
            case RunStarted(backend=backend):
                self.progress.say(f"{described(backend)} begins")
            case Waiting(what):
                self.progress.say(f"waiting for {what}")
            case ModelWrote(text, thinking):
                self._wrote(text, thinking)
            case ToolStarted(call):
                self.progress.say(f"looking: {call.name}")
                await self._called(ToolCallLine(call))
            case ToolFinished() | ToolRefused():
                await self._finished(event)
            case ClaimVerified():
                await self._verified(event)
            case ClaimWithheld(withheld):
                self._withheld.append(withheld)
                self.progress.say("a statement could not be verified and is withheld")
            case Answered(answer):
                await self._answered(answer)
            case _:
                assert_never(event)

    async def fail(self, error: UserError) -> None:
        """The run could not go on; what was shown until then stays."""
        await self.end()
        await self.rest.mount(Problem(error))

    async def stop(self) -> None:
        """The person stopped the run."""
        await self.end()
        kept = "; the statements above stand" if self.places else ""
        await self.rest.mount(Static(Content(f"■ stopped{kept}"), classes="stopped"))

    def toggle_withheld(self) -> None:
        """Show or hide the statements that could not be verified."""
        for fold in self.query(".withheld").results(Fold):
            fold.open = not fold.open

    def _wrote(self, text: str, thinking: bool) -> None:
        if thinking:
            self._thinking = (self._thinking + text)[-MOST_THINKING:]
        self.progress.say(
            "the model is thinking"
            if thinking
            else "the model is writing; nothing is shown before it is verified"
        )

    async def _called(self, line: ToolCallLine) -> None:
        self._calls.append(line)
        self._lookups.heading = Content(_counted(self._calls))
        self._lookups.add_class("-any")
        await self._lookups.body.mount(line)

    async def _finished(self, event: ToolFinished | ToolRefused) -> None:
        line = next((one for one in reversed(self._calls) if one.call == event.call), None)
        if line is None:
            line = ToolCallLine(event.call)
            await self._called(line)
        await line.finish(event)

    def cite(self, claim: Claim) -> None:
        """Its places can be read from now on."""
        for citation in claim.citations:
            if isinstance(citation, LinesCitation) and (place := cited(citation)) not in self.places:
                self.places.append(place)

    async def _verified(self, event: ClaimVerified) -> None:
        self.cite(event.claim)
        where = self._advice if event.recommendation else self._claims
        if event.recommendation and not self._advice.children:
            await self._advice.mount(Static(Content(self.spoken.recommendations), classes="section"))
        await where.mount(ClaimView(event.claim, recommendation=event.recommendation))

    async def _answered(self, answer: Answer) -> None:
        self.answer = answer
        await self.end()
        if answer.is_empty:
            await self.rest.mount(NoEvidence(answer, self.spoken))
        await self.rest.mount(Closing(answer, self.spoken))
        if answer.withheld:
            await self.rest.mount(_withheld_fold(answer.withheld))

    async def end(self) -> None:
        """Nothing goes on any more: look-ups and thinking are folded."""
        await self.progress.remove()
        if self._thinking:
            body = Static(prose(self._thinking))
            fold = Fold("what the model thought: unverified", [body], classes="thinking")
            await self.mount(fold, after=self._lookups)
        self._lookups.open = False


def _counted(calls: list[ToolCallLine]) -> str:
    names = Counter(call.call.name for call in calls)
    told = ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in names.items())
    return f"{len(calls)} look-up{'s' if len(calls) > 1 else ''}: {told}"


def _withheld_fold(withheld: tuple[Withheld, ...]) -> Fold:
    many = "1 statement" if len(withheld) == 1 else f"{len(withheld)} statements"
    body = [
        Static(Content.assemble("UNVERIFIED  ", prose(one.text), f"\n  because {show(one.reason)}"))
        for one in withheld
    ]
    return Fold(Content(f"{many} withheld: not verified"), body, classes="withheld")
