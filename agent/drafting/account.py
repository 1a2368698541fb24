"""Statements about code in the account of a draft: put together from evidence, and verified as any claim is.

What a statement says stands in backticks and is held by the cited lines, or by the run of the tests that it names.
One that the verifier does not accept is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.answer import Claim
from agent.citations import Verifier
from agent.drafts import DraftClaim
from agent.ledger import Ledger
from agent.phrases import Phrases
from tools.evidence import Evidence, LinesShown, TestRun
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.sources import Sources
from tools.workspace import Unreadable, Workspace

MOST_LINES = 60
"""Of one place that is shown."""
_MOST_QUOTED = 160


class Account:
    """One account: what was shown for it, and how it speaks."""

    def __init__(
        self, workspace: Workspace, catalog: Catalog, workers: ChunkWorkers, ledger: Ledger, phrases: Phrases
    ) -> None:
        self._workspace = workspace
        self._sources = Sources(workspace, catalog, workers)
        self._verifier = Verifier(ledger, workspace)
        self._ledger = ledger
        self.phrases = phrases

    async def shown(self, path: str, first_line: int, last_line: int) -> LinesShown | None:
        """These lines as evidence; None where they cannot be read any more."""
        await self._sources.load([path])
        try:
            source = self._sources.opened(path)
        except Unreadable:
            return None
        last = min(last_line, source.n_lines, first_line + MOST_LINES - 1)
        if not 1 <= first_line <= last:
            return None
        return source.show(first_line, last)

    def claim(self, phrase: str, evidence: Iterable[Evidence | None], **parts: str) -> Claim | None:
        """The phrase as a verified statement; None where the evidence does not hold it."""
        pieces = [one for one in evidence if one is not None]
        return self.verified(self.phrases.write(phrase, **parts), pieces)

    def verified(self, text: str, evidence: Sequence[Evidence]) -> Claim | None:
        """A statement that this evidence holds, or None."""
        verdict = self._verifier.verify(DraftClaim(text, self._ledger.add(evidence)))
        return verdict if isinstance(verdict, Claim) else None

    def model_claim(self, text: str, citations: Sequence[str], run: TestRun, shown: Ledger) -> Claim | None:
        """A model's statement about a test, held against what it cites of its own run and the run of the tests."""
        run_id = shown.add([run])[0]
        cited = [one for one in citations if shown.resolve(one) is not None]
        verdict = Verifier(shown, self._workspace).verify(DraftClaim(text, (*cited, run_id)))
        return verdict if isinstance(verdict, Claim) else None


def coded(text: str) -> str:
    """A text as code: in backticks, on one line, and cut where it is long."""
    line = " ".join(text.split())
    if len(line) > _MOST_QUOTED:
        line = line[:_MOST_QUOTED].rsplit(" ", 1)[0]
    if "`" not in line:
        return f"`{line}`"
    return f"`` {line} ``"
