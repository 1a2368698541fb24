"""From the transcript to the Answer: ask for a draft by schema, verify each claim, repair once, withhold the rest.

No claim leaves here before it is verified, and claims survive one by one.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from agent.answer import Answer, Citation, Claim, FileToReview, IndexState, LinesCitation, Status, Usage, Withheld
from agent.backends.base import Backend
from agent.budget import Budget
from agent.citations import Rejected, Verifier
from agent.drafts import Draft, DraftClaim, draft_schema, read_draft
from agent.events import Answered, ClaimVerified, ClaimWithheld, Event, ModelWrote, Waiting
from agent.messages import Message, TextDelta
from agent.prompts import prompt
from agent.transcript import Transcript
from tools.evidence import LinesShown
from tools.workspace import Workspace

_MAX_FILES_TO_REVIEW = 5


@dataclass
class _Findings:
    """What survived so far."""

    observed: list[Claim] = field(default_factory=list[Claim])
    recommendations: list[Claim] = field(default_factory=list[Claim])
    rejected: list[tuple[Rejected, bool]] = field(default_factory=list[tuple[Rejected, bool]])
    withheld: list[Withheld] = field(default_factory=list[Withheld])

    @property
    def claims(self) -> tuple[Claim, ...]:
        return (*self.observed, *self.recommendations)


@dataclass(frozen=True)
class Witness:
    """Turns what was shown into an answer that holds nothing unverified."""

    workspace: Workspace
    index_state: Callable[[], IndexState]

    async def give(self, transcript: Transcript, backend: Backend, budget: Budget) -> AsyncGenerator[Event, None]:
        """Yield `ClaimVerified` and `ClaimWithheld` one by one, then `Answered`.

        Raises: ModelUnavailable.
        """
        findings = _Findings()
        spent = budget.spent()
        draft = Draft(no_evidence=True)
        if len(transcript.ledger):
            conversation = [*transcript.messages(), Message("user", prompt("answer"))]
            drafts: list[Draft | None] = []
            async with aclosing(_ask(conversation, transcript, backend, budget, drafts)) as asking:
                async for event in asking:
                    yield event
            draft = drafts[0] or Draft()
            if drafts[0] is None:
                findings.withheld.append(Withheld("", "the model's answer was not the JSON that was asked for"))
        verifier = Verifier(transcript.ledger, self.workspace)
        if not draft.no_evidence:
            for event in _verify(draft, verifier, findings):
                yield event
            async with aclosing(self._repair(transcript, backend, budget, verifier, findings)) as repairing:
                async for event in repairing:
                    yield event
        for withheld in findings.withheld:
            yield ClaimWithheld(withheld)
        yield Answered(self._answer(transcript, backend, budget, verifier, findings, draft, spent))

    async def _repair(
        self,
        transcript: Transcript,
        backend: Backend,
        budget: Budget,
        verifier: Verifier,
        findings: _Findings,
    ) -> AsyncGenerator[Event, None]:
        """Send what failed back once, with the reasons; what fails again, or is not said again, is withheld."""
        if not findings.rejected:
            return
        first, findings.rejected = findings.rejected, []
        conversation = [
            *transcript.messages(),
            Message("user", prompt("answer")),
            Message("user", f"{prompt('repair')}\n\n{_reasons(first)}"),
        ]
        drafts: list[Draft | None] = []
        async with aclosing(_ask(conversation, transcript, backend, budget, drafts)) as asking:
            async for event in asking:
                yield event
        known = {claim.text for claim in findings.claims}
        failed = {rejected.draft for rejected, _ in first}
        repaired = _without(drafts[0] or Draft(), known, failed)
        for event in _verify(repaired, verifier, findings):
            yield event
        findings.withheld += [Withheld(rejected.draft.text, rejected.reason) for rejected, _ in first]
        findings.withheld += [Withheld(rejected.draft.text, rejected.reason) for rejected, _ in findings.rejected]

    def _answer(
        self,
        transcript: Transcript,
        backend: Backend,
        budget: Budget,
        verifier: Verifier,
        findings: _Findings,
        draft: Draft,
        spent: str,
    ) -> Answer:
        steps = [text for text in draft.steps if verifier.names_only_verified(text, findings.claims)]
        dropped = [Withheld(text, "a step that names nothing verified") for text in draft.steps if text not in steps]
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
                round(budget.seconds, 3), budget.turns, budget.tool_calls, budget.prompt_tokens, budget.output_tokens
            ),
            notice=backend.notice(transcript.question),
            budget_spent=spent,
        )

    def _files_to_review(self, transcript: Transcript, findings: _Findings, draft: Draft) -> tuple[FileToReview, ...]:
        """Files that tools showed in this run, those of the draft first; the reason is the evidence, not the model's word."""
        if not findings.claims:
            return ()
        shown: dict[str, LinesShown] = {}
        for _, piece in transcript.ledger.shown():
            if isinstance(piece, LinesShown):
                shown.setdefault(piece.path, piece)
        wanted = [path for path in dict.fromkeys(draft.files_to_review) if path in shown]
        cited = [citation.path for claim in findings.claims for citation in claim.citations if isinstance(citation, LinesCitation)]
        paths = list(dict.fromkeys([*wanted, *cited]))[:_MAX_FILES_TO_REVIEW]
        return tuple(FileToReview(path, _why(shown[path], findings.claims)) for path in paths)


async def _ask(
    conversation: Sequence[Message],
    transcript: Transcript,
    backend: Backend,
    budget: Budget,
    drafts: list[Draft | None],
) -> AsyncGenerator[Event, None]:
    """Ask for a draft; it is appended to `drafts`, None when the reply is no JSON object."""
    yield Waiting(backend.info.model or backend.info.name)
    async with aclosing(backend.answer(conversation, draft_schema(transcript.ledger.ids))) as pieces:
        async for piece in pieces:
            if isinstance(piece, TextDelta):
                yield ModelWrote(piece.text, piece.thinking)
            else:
                budget.charge(piece)
                drafts.append(read_draft(piece.content))
    if not drafts:
        drafts.append(None)


def _verify(draft: Draft, verifier: Verifier, findings: _Findings) -> list[ClaimVerified]:
    events: list[ClaimVerified] = []
    for claims, recommendation in ((draft.observed, False), (draft.recommendations, True)):
        for claim in claims:
            verdict = verifier.verify(claim)
            if isinstance(verdict, Rejected):
                findings.rejected.append((verdict, recommendation))
            elif verdict not in findings.claims:
                (findings.recommendations if recommendation else findings.observed).append(verdict)
                events.append(ClaimVerified(verdict, recommendation))
    return events


def _without(draft: Draft, known: set[str], failed: set[DraftClaim]) -> Draft:
    """The draft less what is verified already and less what is said again unchanged."""

    def fresh(claims: tuple[DraftClaim, ...]) -> tuple[DraftClaim, ...]:
        return tuple(claim for claim in claims if claim.text.strip() not in known and claim not in failed)

    return Draft(observed=fresh(draft.observed), recommendations=fresh(draft.recommendations))


def _reasons(rejected: list[tuple[Rejected, bool]]) -> str:
    return "\n".join(f"- {entry.draft.text}\n  not accepted: {entry.reason}" for entry, _ in rejected)


def _status(transcript: Transcript, findings: _Findings, spent: str) -> Status:
    if findings.claims:
        return "partial" if findings.withheld or spent or transcript.broken else "answered"
    return "could_not_search" if transcript.broken else "no_evidence"


def _why(shown: LinesShown, claims: tuple[Claim, ...]) -> str:
    cited: list[Citation] = [citation for claim in claims for citation in claim.citations]
    lines = [entry for entry in cited if isinstance(entry, LinesCitation) and entry.path == shown.path]
    if lines:
        return f"cited above: {', '.join(dict.fromkeys(entry.label for entry in lines))}"
    return f"shown in this run: {shown.symbol or shown.path}"
