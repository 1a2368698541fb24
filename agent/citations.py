"""Checks every claim against the evidence that this run was shown (design.md §3: location, shown, fresh, support).

A `Claim` with its citations is made here and nowhere else; what fails comes back as `Rejected` with a reason
that a model can act on. What this proves is that the lines exist, were read, are current and hold what the
claim names. It does not prove meaning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from agent.answer import Citation, Claim, CommitCitation, LinesCitation, TestRunCitation
from agent.code_tokens import CodeToken, Held, code_tokens
from agent.drafts import DraftClaim
from agent.ledger import Ledger
from tools.evidence import CommitShown, Evidence, LinesShown, TestRun
from tools.workspace import SourceFile, Unreadable, Workspace

MAX_CITED_LINES = 150
"""A citation of more lines than a person can check proves nothing."""

_TESTS_PASS = re.compile(
    r"\b(?:tests?|suite)\b[^.]{0,40}\b(?:pass|passes|passed|passing|succeed|succeeds|green)\b"
    r"|\b(?:pruebas?|tests?|testes?)\b[^.]{0,40}\b(?:pasan?|pasaron|passam?|passaram|passou)\b"
    r"|テスト[^。]{0,20}(?:通|成功|パス)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rejected:
    """A claim that is not shown, with the reason."""

    draft: DraftClaim
    reason: str


Verdict: TypeAlias = Claim | Rejected


@dataclass(frozen=True, slots=True)
class _Checked:
    citation: Citation
    held: Held


class Verifier:
    """Verifies the claims of one run."""

    def __init__(self, ledger: Ledger, workspace: Workspace) -> None:
        self._ledger = ledger
        self._workspace = workspace

    def verify(self, draft: DraftClaim) -> Verdict:
        """Check one claim; every check reads the file again, so the verdict holds for this moment's bytes."""
        text = draft.text.strip()
        if not text:
            return Rejected(draft, "the claim is empty")
        if not draft.citations:
            return Rejected(draft, "no citation: name the evidence ids that show it")
        checked: list[_Checked] = []
        for reference in dict.fromkeys(draft.citations):
            outcome = self._check(reference)
            if isinstance(outcome, str):
                return Rejected(draft, outcome)
            checked.append(outcome)
        return self._support(draft, text, checked)

    def names_only_verified(self, text: str, claims: tuple[Claim, ...]) -> bool:
        """True when everything that `text` names is held by the verified lines of `claims`, and it names something."""
        tokens = code_tokens(text)
        held = Held.joined(_held_by(citation) for claim in claims for citation in claim.citations)
        return any(map(held.in_lines, tokens)) and all(map(held.holds, tokens))

    def _check(self, reference: str) -> _Checked | str:
        resolved = self._ledger.resolve(reference)
        if resolved is None:
            return f"`{reference}` was not shown in this run: cite only ids that a tool returned"
        piece, first, last = resolved
        if isinstance(piece, LinesShown):
            return self._check_lines(reference, piece, first, last)
        return _Checked(citation := _plain_citation(piece), _held_by(citation, piece))

    def _check_lines(self, reference: str, piece: LinesShown, first: int, last: int) -> _Checked | str:
        if not piece.first_line <= first <= last <= piece.last_line:
            return f"`{reference}` is outside what was shown ({piece.path}:{piece.first_line}-{piece.last_line})"
        if last - first + 1 > MAX_CITED_LINES:
            return f"`{reference}` cites {last - first + 1} lines: cite the {MAX_CITED_LINES} or fewer that show it"
        wanted = piece.lines()[first - piece.first_line : last - piece.first_line + 1]
        try:
            source = self._workspace.read(piece.path)
        except Unreadable as problem:
            return f"`{piece.path}` cannot be read any more: {problem.reason}"
        found = locate(source, wanted, first, unchanged=source.sha256 == piece.sha256)
        if found is None:
            return f"stale: `{piece.path}` changed after it was read, and these lines are gone or stand there more than once"
        moved_from = "" if found == first else f"{piece.path}:{first}-{last}"
        citation = LinesCitation(
            piece.path, found, found + len(wanted) - 1, "\n".join(wanted), source.sha256, moved_from
        )
        return _Checked(citation, _held_by(citation, piece, header=last <= piece.header_until))

    def _support(self, draft: DraftClaim, text: str, checked: list[_Checked]) -> Verdict:
        tokens = code_tokens(text)
        held = Held.joined(entry.held for entry in checked)
        if absent := [token.text for token in tokens if not held.holds(token)]:
            return Rejected(draft, f"the cited lines do not hold {_listed(absent)}")
        if not any(map(held.in_lines, tokens)):
            return Rejected(draft, "it names nothing of the code that the cited lines hold: put a name from them in backticks")
        if _TESTS_PASS.search(_prose(text)) and not any(isinstance(entry.citation, TestRunCitation) for entry in checked):
            return Rejected(draft, "that tests pass can only be said with a test run of this run as evidence")
        kept = [entry.citation for entry in checked if _contributes(entry.held, tokens)]
        return Claim(text, tuple(kept))


def locate(source: SourceFile, wanted: list[str], first: int, *, unchanged: bool) -> int | None:
    """The line where `wanted` stands now: at `first` if it is there, else where it is found exactly once, else None."""
    lines = list(source.lines)
    if lines[first - 1 : first - 1 + len(wanted)] == wanted:
        return first
    if unchanged:
        return None
    places = [
        index + 1
        for index in range(len(lines) - len(wanted) + 1)
        if lines[index] == wanted[0] and lines[index : index + len(wanted)] == wanted
    ]
    return places[0] if len(places) == 1 else None


def _contributes(held: Held, tokens: tuple[CodeToken, ...]) -> bool:
    return any(map(held.in_lines, tokens))


def _plain_citation(piece: TestRun | CommitShown) -> Citation:
    if isinstance(piece, TestRun):
        return TestRunCitation(piece.command, piece.verdict, piece.duration_seconds, piece.tree_sha256)
    return CommitCitation(piece.sha, piece.subject, piece.date)


def _held_by(citation: Citation, piece: Evidence | None = None, *, header: bool = False) -> Held:
    match citation:
        case LinesCitation():
            around = f"{piece.symbol}\n{piece.header}" if header and isinstance(piece, LinesShown) else ""
            entry = (citation.path, citation.first_line, citation.last_line)
            return Held(citation.text, f"{citation.path}\n{around}", frozenset({citation.path}), (entry,))
        case TestRunCitation():
            summary = piece.summary if isinstance(piece, TestRun) else ""
            return Held(f"{citation.command}\n{citation.verdict}\n{summary}", "", frozenset())
        case CommitCitation():
            text = piece.text if isinstance(piece, CommitShown) else ""
            return Held(f"{citation.sha}\n{citation.subject}\n{citation.date}\n{text}", "", frozenset())


def _prose(text: str) -> str:
    """The claim without what it quotes: a docstring that says "tests pass" is no claim that they do."""
    return re.sub(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|「[^」]*」|«[^»]*»", " ", text)


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"
