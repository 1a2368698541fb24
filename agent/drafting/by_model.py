"""Drafts that a model writes: it looks around with the tools, writes a file, and mends what the judge did not keep.

The model proposes text and statements. Whether a test is kept is the judge's decision, whether a statement is shown
the verifier's; a statement that is not accepted is replaced by one of the program's own.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from agent.answer import Claim
from agent.backends.base import Backend
from agent.budget import Budget
from agent.drafting.account import Account, coded
from agent.drafting.contract import Contract
from agent.drafting.judged import Court, kept_names, survivors
from agent.drafting.model_draft import ModelDraft, model_draft_schema, read_model_draft
from agent.drafting.progress import Told
from agent.drafting.report import DraftEvent, Drafting, TargetReport, place_of
from agent.drafting.surroundings import Surroundings
from agent.events import Event, ModelWrote, Waiting
from agent.loop import run
from agent.messages import Message, TextDelta, ToolCall
from agent.prompts import prompt
from agent.transcript import Transcript
from tools.drafting.draft import Draft
from tools.drafting.judgement import Judgement
from tools.drafting.target import Target
from tools.evidence import TestRun
from tools.toolbox import Toolbox

_MOST_TEST_LINES = 80
"""Of the test file that is shown as an example."""
_MOST_USES = 3


@dataclass(frozen=True, slots=True)
class Written:
    """A test file of which something was kept."""

    path: str
    text: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class ModelDrafts:
    """What a model needs to draft."""

    backend: Backend
    toolbox: Toolbox
    new_budget: Callable[[], Budget]
    repairs: int
    """How often a draft may go back to the model."""

    def begin(
        self,
        target: Target,
        contract: Contract,
        around: Surroundings,
        style: Sequence[Claim],
        account: Account,
        court: Court,
    ) -> ModelDrafting:
        """The drafting for one target; nothing is asked yet."""
        told = prompt("draft_tests").format(
            target=place_of(target),
            path=around.place.path,
            style="\n".join(f"- {claim.text}" for claim in style) or "- pytest, plain functions",
            contract="\n".join(f"- {claim.text}" for claim in contract.claims),
        )
        transcript = Transcript(
            f"Write unit tests for `{target.qualified_name}` in `{target.path}`", told=told
        )
        return ModelDrafting(self, target, contract, around, account, court, transcript, self.new_budget())


@dataclass
class _Asking:
    """The end of the loop for a draft: one reply by schema."""

    around: Surroundings
    draft: ModelDraft | None = None

    async def give(
        self, transcript: Transcript, backend: Backend, budget: Budget
    ) -> AsyncGenerator[Event, None]:
        """Ask for the file."""
        asked = [
            *transcript.messages(),
            Message("user", prompt("draft_write").format(path=self.around.place.path)),
        ]
        async with aclosing(self.ask(asked, transcript, backend, budget)) as events:
            async for event in events:
                yield event

    async def ask(
        self, asked: Sequence[Message], transcript: Transcript, backend: Backend, budget: Budget
    ) -> AsyncGenerator[Event, None]:
        """Ask once; what cannot be read leaves the draft as it was."""
        yield Waiting(backend.info.model or backend.info.name)
        async with aclosing(backend.answer(asked, model_draft_schema(transcript.ledger.ids))) as pieces:
            async for piece in pieces:
                if isinstance(piece, TextDelta):
                    yield ModelWrote(piece.text, piece.thinking)
                else:
                    budget.charge(piece)
                    self.draft = read_model_draft(piece.content) or self.draft


@dataclass
class ModelDrafting:
    """One target; `report` and `written` are there when the events have ended."""

    _drafts: ModelDrafts
    _target: Target
    _contract: Contract
    _around: Surroundings
    _account: Account
    _court: Court
    _transcript: Transcript
    _budget: Budget
    report: TargetReport = field(init=False)
    written: Written | None = None
    command: str = ""
    isolation: str = ""

    async def events(self) -> AsyncGenerator[DraftEvent, None]:
        """Gather, write, judge, repair.

        Raises: ModelUnavailable, ConsentRefused, TestsUnusable.
        """
        self.report = TargetReport(self._target, "nothing", self._contract.claims)
        asking = _Asking(self._around)
        gathering = run(
            self._transcript,
            self._drafts.backend,
            self._drafts.toolbox,
            self._budget,
            asking,
            self._first_look_ups(),
        )
        async with aclosing(gathering) as gathered:
            async for event in gathered:
                yield event
        best: tuple[ModelDraft, Judgement] | None = None
        for left in range(self._drafts.repairs, -1, -1):
            draft = asking.draft
            if draft is None:
                break
            judging = Told[Judgement](
                lambda tell, draft=draft: self._court.judged(self._file(draft), self._target, tell)
            )
            async with aclosing(judging.events()) as steps:
                async for step in steps:
                    yield step
            if best is None or _worth(judging.result) >= _worth(best[1]):
                best = draft, judging.result
            wrong = [test for test in judging.result.tests if not test.kept]
            if not left or not (wrong or not judging.result.kept):
                break
            yield Drafting(
                "repair", place_of(self._target), self._drafts.repairs - left + 1, self._drafts.repairs
            )
            asked = self._repair(draft, judging.result)
            asking.draft = None
            async with aclosing(
                asking.ask(asked, self._transcript, self._drafts.backend, self._budget)
            ) as again:
                async for event in again:
                    yield event
        self._conclude(best)

    def _file(self, draft: ModelDraft) -> Draft:
        return Draft(self._around.place.path, draft.text)

    def _first_look_ups(self) -> tuple[ToolCall, ...]:
        """The target, who calls it, and the test file that shows most."""
        target = self._target
        places = [(target.path, target.first_line, target.last_line)]
        if self._around.near:
            places.append((self._around.near, 1, _MOST_TEST_LINES))
        for use in (*self._contract.callers[:_MOST_USES], *self._contract.tests[:_MOST_USES]):
            places.append((use.path, max(1, use.line - 3), use.line + 3))
        return tuple(
            ToolCall(f"call_{at}", "read_file_lines", {"path": path, "first_line": first, "last_line": last})
            for at, (path, first, last) in enumerate(dict.fromkeys(places))
        )

    def _repair(self, draft: ModelDraft, judgement: Judgement) -> list[Message]:
        """The draft, and why some of it is not kept."""
        reasons: list[str] = []
        for dropped in self._court.dropped(judgement):
            reasons.append(f"- {dropped.name or 'the file'}: {'; '.join(dropped.why)}")
        messages = [test.message for test in judgement.tests if test.message and not test.kept]
        said = prompt("draft_repair").format(
            reasons="\n".join(reasons) or "- no test was found in the file",
            messages="\n".join(messages)[:3_000],
            kept=", ".join(kept_names(judgement)) or "none",
        )
        written = Message("assistant", draft.text)
        return [*self._transcript.messages(), written, Message("user", said)]

    def _conclude(self, best: tuple[ModelDraft, Judgement] | None) -> None:
        if best is None:
            nothing = self._account.phrases.write("draft_untested_unreadable")
            self.report = replace(self.report, untested=(nothing,))
            return
        draft, judgement = best
        self.command, self.isolation = judgement.command, judgement.sandbox.name
        self.report = replace(self.report, dropped=self._court.dropped(judgement))
        left = judgement.drop(self._file(draft))
        names = kept_names(judgement)
        if left is None or not names:
            dropped = self._account.phrases.write("draft_untested_dropped")
            self.report = replace(self.report, untested=(dropped,))
            return
        evidence = self._court.run_of(judgement, [left.text])
        self.written = Written(left.path, left.text, names)
        self.report = replace(
            self.report,
            outcome="kept",
            pins=tuple(pin for name in names if (pin := self._pin(name, draft, evidence))),
            killed=judgement.killed,
            total=judgement.total,
            survivors=survivors(judgement),
        )

    def _pin(self, name: str, draft: ModelDraft, evidence: TestRun) -> Claim | None:
        """What the model says that the test pins down, if that holds; else that it is a test of the target."""
        short = name.rpartition("::")[2]
        claim = next((one.claim for one in draft.pins if one.test.rpartition("::")[2] == short), None)
        if claim is not None:
            said = f"{coded(short)}: {claim.text.strip()}"
            held = self._account.model_claim(said, claim.citations, evidence, self._transcript.ledger)
            if held is not None:
                return held
        return self._account.claim(
            "draft_pins_plain",
            [self._contract.definition, evidence],
            test=coded(short),
            name=coded(self._target.symbol),
        )


def _worth(judgement: Judgement) -> tuple[int, int]:
    return len(judgement.kept), judgement.killed
