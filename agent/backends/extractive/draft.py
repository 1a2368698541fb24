"""The draft: which claims an answer makes, by intent, each built from the lines it cites.

The first claim answers; the others add what the lines around it say. Nothing is said that is not quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.backends.extractive.documentation import documentation_of
from agent.backends.extractive.findings import Findings, Place, Use
from agent.backends.extractive.history_draft import commit_claims
from agent.backends.extractive.lines import outcomes, telling_lines
from agent.backends.extractive.quotes import Quote, first_statement, signature_of
from agent.backends.extractive.sentences import (
    DraftedClaim,
    claim,
    code,
    codes,
    kind_of,
    name_held,
    named_by,
    quoted,
)
from agent.backends.extractive.text_draft import text_claims
from agent.backends.extractive.uses_draft import (
    advice,
    dependent_claims,
    raise_claims,
    test_claims,
    use_claims,
)
from agent.backends.extractive.verdict import (
    best_places,
    error_shown,
    is_absent,
    main_definitions,
    names_asked,
    subject,
)
from agent.names import Name
from agent.phrases import Phrases
from agent.question import Question

MAX_CLAIMS = 9
_MAX_FILES_TO_REVIEW = 5
_MAX_SAME_NAME = 2
_MAX_WITH_COMMITS = 2
_MAX_OUTLINE = 8
_MAX_BEFORE_THEN = 4
"""Claims of the first of two parts."""


@dataclass(frozen=True)
class _Draft:
    """One answer in the making."""

    question: Question
    findings: Findings
    phrases: Phrases

    def observed(self) -> list[DraftedClaim]:
        if self.question.intent == "changed":
            return list(self._changed())
        if is_absent(self.question, self.findings):
            return []
        claims = list(self._by_intent()) or list(self._closest())
        if found := subject(self.question, self.findings):
            asked_then = replace(
                self, question=replace(self.question, intent=self.question.then or "callers")
            )
            claims = claims[:_MAX_BEFORE_THEN] + list(asked_then._uses_of(found.symbol, found.symbol))
        return claims[:MAX_CLAIMS]

    def _changed(self) -> Iterator[DraftedClaim]:
        """The commits, then where the code stands that they changed; nothing where there is no such commit."""
        words = [
            *(name.last_part for name in self.question.names),
            *(one.word for one in self.question.concepts),
        ]
        commits = list(commit_claims(self.findings.histories, words, self.phrases))
        yield from commits
        if not commits:
            return
        changed = {path for one in self.findings.histories for commit in one.commits for path in commit.paths}
        today = list(self._definitions())[:_MAX_WITH_COMMITS] or list(self._closest())[:1]
        for place in (
            [] if today else [place for place in self.findings.searched if place.path in changed][:1]
        ):
            today = list(self._named("closest", place))
        yield from today

    def recommendations(self) -> list[DraftedClaim]:
        if self.question.intent != "dependents":
            return []
        return [
            entry
            for name in self._found()
            for entry in advice(name.text, name.last_part, self.findings, self.phrases)
        ]

    def _by_intent(self) -> Iterator[DraftedClaim]:
        found = self._found()
        texts = [name for name in found if name.kind not in ("symbol", "path")]
        match self.question.intent:
            case "callers" | "dependents" | "tests":
                for name in found:
                    yield from self._uses_of(name.text, name.last_part)
            case "setting" | "error":
                for name in texts:
                    yield from text_claims(name, self.question, self.findings, self.phrases)
                if not texts:
                    yield from self._raised(found)
            case _:
                yield from self._definitions()
                for name in texts if self.question.intent != "report" else ():
                    yield from text_claims(name, self.question, self.findings, self.phrases)
                if self.question.intent == "report" or (
                    self.question.intent == "how" and not main_definitions(self.question, self.findings)
                ):
                    yield from self._closest()

    def _raised(self, found: Sequence[Name]) -> Iterator[DraftedClaim]:
        """Where an error that is asked about by its name comes from; its definition follows."""
        claims = [
            entry
            for name in found
            for entry in raise_claims(name.text, name.last_part, self.findings, self.phrases)
        ]
        yield from claims
        definitions = main_definitions(self.question, self.findings)
        if not claims and self.question.intent == "error" and definitions:
            yield from self._named("no_raise", self.findings.definition(definitions[0]))
        else:
            yield from self._definitions()

    def _found(self) -> list[Name]:
        names = names_asked(self.question)
        return [
            name for name in names if self.findings.found(name.text) or self.findings.found(name.last_part)
        ]

    def _uses_of(self, name: str, last_part: str) -> Iterator[DraftedClaim]:
        match self.question.intent:
            case "callers":
                claims = list(use_claims(name, last_part, self.findings, self.phrases))
                missing = "no_calls"
            case "tests":
                claims = list(test_claims(name, last_part, self.findings, self.phrases))
                missing = "no_tests"
            case _:
                claims = list(dependent_claims(name, last_part, self.findings, self.phrases))
                missing = "no_calls"
        yield from claims
        definitions = main_definitions(self.question, self.findings)
        if not claims and definitions:
            yield from self._named(missing, self.findings.definition(definitions[0]))

    def _definitions(self) -> Iterator[DraftedClaim]:
        """The definitions of the names asked about, and what the first one says and does."""
        uses = main_definitions(self.question, self.findings)
        for path, outline in self.findings.outlines.items():
            yield from self._outline(path, outline)
        if not uses:
            return
        first = self.findings.definition(uses[0])
        yield from self._named("defined", first)
        yield from self._documented(first)
        if self.question.intent != "definition":
            yield from self._body(first)
        same_role = [use for use in uses[1:] if use.place.is_test == first.is_test]
        for use in same_role[:_MAX_SAME_NAME]:
            place = self.findings.definition(use)
            same = use.place.symbol == uses[0].place.symbol
            yield from self._named("also_defined" if same else "defined", place)

    def _outline(self, path: str, outline: Sequence[Use]) -> Iterator[DraftedClaim]:
        """What a file defines at its top level."""
        top = [use for use in outline if use.place.symbol and "." not in use.place.name] or list(outline)
        quotes = [Quote(use.place, use.line, use.line, use.place.symbol) for use in top if use.place.symbol][
            :_MAX_OUTLINE
        ]
        if quotes:
            yield claim(
                self.phrases.write("outline", path=code(path), names=codes(quotes, self.phrases)), quotes
            )

    def _closest(self) -> Iterator[DraftedClaim]:
        """The best places of the search, for a question that names nothing that is defined."""
        known = {
            (use.place.path, use.place.name) for use in main_definitions(self.question, self.findings)[:1]
        }
        places = [self.findings.whole(place) for place in best_places(self.question, self.findings)]
        places = [place for place in places if (place.path, place.name) not in known]
        for rank, place in enumerate(places):
            if rank or known:
                yield from self._named("also", place)
                continue
            yield from self._named("closest", place)
            yield from self._documented(place)
            yield from self._body(place)
            if place.symbol and error_shown(self.question, self.findings):
                yield from raise_claims(place.symbol, place.symbol, self.findings, self.phrases)

    def _named(self, phrase: str, place: Place) -> Iterator[DraftedClaim]:
        """That the place is there, by its signature; a block without a name by its most telling line."""
        path = code(place.path)
        signature = signature_of(place)
        if signature and place.name:
            name, quotes = named_by(place, signature)
            parts = {
                "name": code(name),
                "kind": kind_of(place, self.phrases),
                "path": path,
                "code": code(signature.text),
            }
            yield claim(self.phrases.write(phrase, **parts), quotes)
            return
        telling = telling_lines(self.question, place, self.findings.searched, most=1)
        quote = telling[0] if telling else first_statement(place)
        block = f"{phrase}_block" if f"{phrase}_block" in self.phrases.answer else "closest_block"
        if quote:
            yield claim(self.phrases.write(block, path=path, code=code(quote.text)), [quote])

    def _documented(self, place: Place) -> Iterator[DraftedClaim]:
        quote = documentation_of(place, self.findings.comment_above(place))
        if quote:
            yield claim(self.phrases.write("documented", text=quoted(quote.text, self.phrases)), [quote])

    def _body(self, place: Place) -> Iterator[DraftedClaim]:
        """The lines that hold what the question asks about, else what it returns."""
        telling = telling_lines(self.question, place, self.findings.searched)
        if not telling and place.kind in ("function", "method"):
            if quotes := outcomes(place):
                yield from self._lines("returns", "returns_plain", place, quotes)
            return
        signature = signature_of(place)
        if not signature:
            telling = telling[1:] if len(telling) == 1 else telling
        if telling:
            yield from self._lines("lines", "lines_plain", place, telling)

    def _lines(
        self, phrase: str, plain: str, place: Place, quotes: Sequence[Quote]
    ) -> Iterator[DraftedClaim]:
        held = name_held(place) and signature_of(place) is not None
        text = codes(quotes, self.phrases, either=phrase == "returns")
        if held:
            yield claim(self.phrases.write(phrase, name=code(place.name), code=text), quotes)
        else:
            yield claim(self.phrases.write(plain, code=text), quotes)


def write_draft(question: Question, findings: Findings, phrases: Phrases) -> dict[str, Any]:
    """The whole draft, by the schema of `agent.drafts`."""
    draft = _Draft(question, findings, phrases)
    observed = draft.observed()
    return {
        "no_evidence": not observed,
        "observed": observed,
        "recommendations": draft.recommendations() if observed else [],
        "steps": [],
        "files_to_review": _files(observed, findings) if observed else [],
    }


def _files(observed: Sequence[DraftedClaim], findings: Findings) -> list[str]:
    """The cited files in order."""
    paths = findings.paths_by_evidence()
    cited = (paths.get(citation["evidence"], "") for entry in observed for citation in entry["citations"])
    return list(dict.fromkeys(filter(None, cited)))[:_MAX_FILES_TO_REVIEW]
