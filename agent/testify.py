"""From the transcript to the Answer: ask for a draft by schema, verify each claim, repair once, withhold the rest.

No claim leaves here before it is verified; each is verified, and shown, as soon as the model has written it whole.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from agent.answer import (
    Answer,
    Citation,
    Claim,
    FileToReview,
    IndexState,
    LinesCitation,
    Status,
    Usage,
    Withheld,
)
from agent.backends.base import Backend
from agent.budget import Budget, TimeIsUp
from agent.citations import Rejected, Verifier
from agent.draft_stream import DraftStream, StreamedClaim
from agent.drafts import Draft, DraftClaim, draft_schema, read_draft
from agent.events import Answered, ClaimVerified, ClaimWithheld, Event, ModelWrote, Waiting
from agent.messages import Message, TextDelta
from agent.prompts import prompt
from agent.second_opinion import OPPOSED, SecondOpinion, heard_twice, is_wanted
from agent.transcript import Transcript
from tools.evidence import LinesShown
from tools.workspace import Workspace

_MAX_FILES_TO_REVIEW = 5


@dataclass
class _Findings:
    """What survived so far."""

    verifier: Verifier
    draft: Draft | None = None
    """The first one that was whole; its claims are judged already."""
    observed: list[Claim] = field(default_factory=list[Claim])
    recommendations: list[Claim] = field(default_factory=list[Claim])
    rejected: list[Rejected] = field(default_factory=list[Rejected])
    withheld: list[Withheld] = field(default_factory=list[Withheld])
    out_of_time: bool = False
    """The time was up before the answer was whole: nothing more is asked."""
    _judged: set[DraftClaim] = field(default_factory=set[DraftClaim])

    @property
    def claims(self) -> tuple[Claim, ...]:
        return (*self.observed, *self.recommendations)

    @property
    def has_heard(self) -> bool:
        """True once something was said that can be judged, even if the whole cannot be read."""
        return self.draft is not None or bool(self._judged)

    @property
    def denies(self) -> bool:
        """True when the draft says that there is no evidence; what it states beside that is verified all the same."""
        return self.draft is not None and self.draft.no_evidence

    def judge(self, claims: Iterable[StreamedClaim]) -> Iterator[ClaimVerified]:
        """Verify each claim once; what is said again, or is shown in the same words already, is passed over."""
        for each in claims:
            shown = any(claim.text == each.claim.text.strip() for claim in self.claims)
            if shown or each.claim in self._judged:
                continue
            self._judged.add(each.claim)
            verdict = self.verifier.verify(each.claim)
            if isinstance(verdict, Rejected):
                self.rejected.append(verdict)
            else:
                (self.recommendations if each.recommendation else self.observed).append(verdict)
                yield ClaimVerified(verdict, each.recommendation)

    def withdraw(self, claim: Claim) -> None:
        """Take back a verified claim that was not shown yet."""
        self.observed = [kept for kept in self.observed if kept != claim]
        self.recommendations = [kept for kept in self.recommendations if kept != claim]
        self.withheld.append(Withheld(claim.text, OPPOSED))


@dataclass(frozen=True)
class Witness:
    """Turns what was shown into an answer that holds nothing unverified."""

    workspace: Workspace
    index_state: Callable[[], IndexState]
    second_opinion: SecondOpinion = "off"

    async def give(
        self, transcript: Transcript, backend: Backend, budget: Budget
    ) -> AsyncGenerator[Event, None]:
        """Yield `ClaimVerified` and `ClaimWithheld` one by one, then `Answered`.

        Raises: ModelUnavailable.
        """
        findings = _Findings(Verifier(transcript.ledger, self.workspace))
        spent = budget.spent()
        budget.begin_answer()
        if len(transcript.ledger):
            judged = _judged(transcript, backend, budget, findings)
            if is_wanted(self.second_opinion, backend.info, budget):
                judged = heard_twice(judged, backend, budget, findings.withdraw)
            async with aclosing(judged) as testimony:
                async for event in testimony:
                    yield event
        for withheld in findings.withheld:
            yield ClaimWithheld(withheld)
        spent = spent or ("seconds" if findings.out_of_time else "")
        yield Answered(self._answer(transcript, backend, budget, findings, spent))

    def _answer(
        self,
        transcript: Transcript,
        backend: Backend,
        budget: Budget,
        findings: _Findings,
        spent: str,
    ) -> Answer:
        draft, verifier = findings.draft or Draft(), findings.verifier
        steps = [text for text in draft.steps if verifier.names_only_verified(text, findings.claims)]
        steps = [] if findings.denies else steps
        dropped = [
            Withheld(text, "a step that names nothing verified") for text in draft.steps if text not in steps
        ]
        index = self.index_state()
        return Answer(
            question=transcript.question,
            status=_status(transcript, findings, spent),
            backend=backend.info,
            observed=tuple(findings.observed),
            recommendations=tuple(findings.recommendations),
            steps=tuple(steps),
            files_to_review=self._files_to_review(transcript, findings, draft),
            withheld=(*findings.withheld, *dropped),
            searched=tuple(transcript.searched),
            index=index,
            usage=Usage(
                round(budget.seconds, 3),
                budget.turns,
                budget.tool_calls,
                budget.prompt_tokens,
                budget.output_tokens,
            ),
            notice=backend.notice(transcript.question),
            budget_spent=spent,
        )

    def _files_to_review(
        self, transcript: Transcript, findings: _Findings, draft: Draft
    ) -> tuple[FileToReview, ...]:
        """Files that tools showed in this run, those of the draft first; the reason is the evidence, not the model's word."""
        if not findings.claims:
            return ()
        shown: dict[str, LinesShown] = {}
        for _, piece in transcript.ledger.shown():
            if isinstance(piece, LinesShown):
                shown.setdefault(piece.path, piece)
        wanted = [path for path in dict.fromkeys(draft.files_to_review) if path in shown]
        cited = [
            citation.path
            for claim in findings.claims
            for citation in claim.citations
            if isinstance(citation, LinesCitation)
        ]
        paths = list(dict.fromkeys([*wanted, *cited]))[:_MAX_FILES_TO_REVIEW]
        return tuple(FileToReview(path, _why(shown[path], findings.claims)) for path in paths)


def _asked(transcript: Transcript, *more: str) -> list[Message]:
    """The conversation, with what asks for the answer."""
    return [*transcript.messages(), *(Message("user", text) for text in (prompt("answer"), *more))]


async def _judged(
    transcript: Transcript, backend: Backend, budget: Budget, findings: _Findings
) -> AsyncGenerator[Event, None]:
    """Ask for a draft, a second time where nothing of it can be read, then once more for what failed."""
    for more in ((), (prompt("unreadable"),)):
        asked = _asked(transcript, *more)
        async with aclosing(_hear(asked, transcript, backend, budget, findings)) as hearing:
            async for event in hearing:
                yield event
        if findings.has_heard or findings.out_of_time:
            break
    if findings.draft is None:
        late, unread = "the time was up before", "the model's answer was not the JSON that was asked for"
        findings.withheld.append(
            Withheld("", f"{late} the model's answer was whole" if findings.out_of_time else unread)
        )
    async with aclosing(_repair(transcript, backend, budget, findings)) as repairing:
        async for event in repairing:
            yield event


async def _repair(
    transcript: Transcript, backend: Backend, budget: Budget, findings: _Findings
) -> AsyncGenerator[Event, None]:
    """Send what failed back once, with the reasons; what fails again, or is not said again, is withheld.

    A model that says itself that there is no evidence need not mend what it says all the same.
    """
    if findings.rejected and not (findings.denies or findings.out_of_time):
        asked = _asked(transcript, f"{prompt('repair')}\n\n{_reasons(findings.rejected)}")
        async with aclosing(_hear(asked, transcript, backend, budget, findings)) as hearing:
            async for event in hearing:
                yield event
    findings.withheld += [Withheld(rejected.draft.text, rejected.reason) for rejected in findings.rejected]


async def _hear(
    asked: Sequence[Message], transcript: Transcript, backend: Backend, budget: Budget, findings: _Findings
) -> AsyncGenerator[Event, None]:
    """Ask for a draft, and judge its claims as they come; what comes too late is not waited for."""
    yield Waiting(backend.info.model or backend.info.name)
    stream = DraftStream()
    reply = budget.in_time(backend.answer(asked, draft_schema(transcript.ledger.ids)))
    try:
        async with aclosing(reply) as pieces:
            async for piece in pieces:
                if isinstance(piece, TextDelta):
                    yield ModelWrote(piece.text, piece.thinking)
                    claims = [] if piece.thinking else stream.take(piece.text)
                else:
                    budget.charge(piece)
                    draft = read_draft(piece.content)
                    findings.draft = findings.draft or draft
                    claims = _claims(draft)
                for event in findings.judge(claims):
                    yield event
    except TimeIsUp:
        findings.out_of_time = True


def _claims(draft: Draft | None) -> list[StreamedClaim]:
    if draft is None:
        return []
    return [
        *(StreamedClaim(claim, recommendation=False) for claim in draft.observed),
        *(StreamedClaim(claim, recommendation=True) for claim in draft.recommendations),
    ]


def _reasons(rejected: list[Rejected]) -> str:
    return "\n".join(f"- {entry.draft.text}\n  not accepted: {entry.reason}" for entry in rejected)


def _status(transcript: Transcript, findings: _Findings, spent: str) -> Status:
    if findings.claims:
        whole = not (findings.withheld or findings.denies or spent or transcript.broken)
        return "answered" if whole else "partial"
    if transcript.broken:
        return "could_not_search"
    if findings.out_of_time and findings.draft is None:
        return "model_failed"
    return "no_evidence" if findings.has_heard or not len(transcript.ledger) else "model_failed"


def _why(shown: LinesShown, claims: tuple[Claim, ...]) -> str:
    cited: list[Citation] = [citation for claim in claims for citation in claim.citations]
    lines = [entry for entry in cited if isinstance(entry, LinesCitation) and entry.path == shown.path]
    if lines:
        return f"cited above: {', '.join(dict.fromkeys(entry.label for entry in lines))}"
    return f"shown in this run: {shown.symbol or shown.path}"
