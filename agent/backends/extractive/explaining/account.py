"""The account of a failure, always in the same order, every sentence from the lines that it cites.

What failed; the path of calls; why; what changed lately in those lines; where else the same pattern occurs; which tests there are; and, as advice, what to
change and which test would have caught it. A part without evidence says so, and cites what it looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.backends.extractive.explaining.look_ups import history_look_up, pattern_of
from agent.backends.extractive.explaining.scene import Scene, Scope
from agent.backends.extractive.explaining.suspects import Suspect
from agent.backends.extractive.explaining.trail import Trail
from agent.backends.extractive.findings import Use
from agent.backends.extractive.history import ShownHistory
from agent.backends.extractive.history_draft import changed_lines, commit_claim, line_in
from agent.backends.extractive.lines import Quote, guard_of, statement_at
from agent.backends.extractive.sentences import DraftedClaim, claim, code, codes
from agent.held import Held
from agent.phrases import Phrases

MAX_SUSPECTS = 3
_WORTH_NAMING = 0.5
"""Of the first suspect's weight: what is below is no explanation."""
_MAX_STEPS = 6
_MAX_ALIKE = 3
_MAX_FILES = 5
_RAISED = re.compile(r"\s*(?:raise|throw|panic)\b")


@dataclass(frozen=True)
class Account:
    """One explanation in the making."""

    scene: Scene
    trail: Trail
    phrases: Phrases

    def draft(self) -> dict[str, Any]:
        """The whole draft, by the schema of `agent.drafts`."""
        observed = [
            *self._failed(),
            *self._path(),
            *self._why(),
            *self._lately(),
            *self._alike(),
            *self._tests(),
        ]
        return {
            "no_evidence": not observed,
            "observed": observed,
            "recommendations": list(self._advice()),
            "steps": [],
            "files_to_review": self._files(),
        }

    def suspects(self) -> list[Suspect]:
        """The few that are worth naming, the most likely first, of one function at most two."""
        ranked = self.trail.ranked()
        kept: list[Suspect] = []
        for suspect in ranked:
            same = [
                one
                for one in kept
                if (one.scope.path, one.scope.name) == (suspect.scope.path, suspect.scope.name)
            ]
            if suspect.weight >= _WORTH_NAMING * ranked[0].weight and len(same) < 2:
                kept.append(suspect)
        return kept[:MAX_SUSPECTS]

    def _failed(self) -> Iterator[DraftedClaim]:
        for evidence, command in self.scene.findings.test_runs[:1]:
            yield {
                "text": self.phrases.write("explain_ran", code=code(command)),
                "citations": [{"evidence": evidence}],
            }
        for step in self.scene.steps[-1:]:
            yield from self._told("explain_failed", step.scope, step.line, path=code(step.scope.path))

    def _path(self) -> Iterator[DraftedClaim]:
        """The frames in the workspace; of a long path the first ones and the last."""
        steps = list({(step.scope.path, step.line): step for step in self.scene.steps}.values())
        if len(steps) == 1:
            yield from self._told("explain_no_path", steps[0].scope, steps[0].line)
        if len(steps) > 1:
            kept = steps if len(steps) <= _MAX_STEPS else [*steps[:2], *steps[-(_MAX_STEPS - 2) :]]
            quotes = [_quote(step.scope, step.line) for step in kept]
            yield claim(self.phrases.write("explain_path", code=codes(quotes, self.phrases)), quotes)

    def _why(self) -> Iterator[DraftedClaim]:
        """The condition of a failure that was raised on purpose, then the suspects."""
        for step in self.scene.steps[-1:]:
            raised = _RAISED.match(step.scope.text(step.line))
            if raised and (guard := guard_of(step.scope.place, step.line)):
                yield from self._told("explain_guard", step.scope, guard.first_line)
        for rank, suspect in enumerate(self.suspects()):
            kind = "other" if suspect.origin == "failed" else self.trail.fault.kind
            phrase = "explain_also" if rank else f"explain_why_{kind}"
            yield from self._told(phrase, suspect.scope, suspect.line)

    def _lately(self) -> Iterator[DraftedClaim]:
        """The commit that the first suspect's line is from, and the newest one of its function; nothing without git."""
        for suspect in self.suspects()[:1]:
            wanted = history_look_up(suspect).arguments
            for history in self.scene.findings.histories:
                if history.arguments == wanted:
                    yield from self._changed(suspect, history)

    def _changed(self, suspect: Suspect, history: ShownHistory) -> Iterator[DraftedClaim]:
        last_change = history.changed_by.get(suspect.line)
        if last_change == "":
            yield from self._told("explain_uncommitted", suspect.scope, suspect.line)
        own = [commit for commit in history.commits if commit.sha == last_change]
        for commit in own:
            lines = line_in(commit, suspect.text)
            phrase = "explain_changed_line" if lines else "explain_changed"
            yield commit_claim(phrase, commit, lines, self.phrases)
        for commit in history.commits[:1]:
            if commit not in own:
                yield commit_claim("explain_changed", commit, changed_lines(commit, ()), self.phrases)

    def _alike(self) -> Iterator[DraftedClaim]:
        """Other places that hold the telling text of the first suspect."""
        for suspect in self.suspects()[:1]:
            pattern = pattern_of(self.trail, suspect)
            others = [
                use
                for use in (self.scene.uses(pattern) if pattern else ())
                if pattern in use.text and not use.place.is_test and not self._is_told(use)
            ]
            for use in others[:_MAX_ALIKE]:
                yield from self._used("explain_same", use)
            if not others:
                yield from self._told("explain_no_same", suspect.scope, suspect.line)

    def _tests(self) -> Iterator[DraftedClaim]:
        """Tests that use the function of the first suspect."""
        for suspect in self.suspects()[:1]:
            symbol = suspect.scope.symbol
            uses = self.scene.uses(symbol) if symbol else []
            tests = [use for use in uses if use.place.is_test and use.kind in ("call", "other")]
            for use in tests[:_MAX_ALIKE]:
                yield from self._used("explain_tests", use, name=code(symbol))
            header = _quote(suspect.scope, suspect.scope.header_line)
            if symbol and not tests and re.search(rf"\b{re.escape(symbol)}\b", header.text):
                text = self.phrases.write("explain_no_tests", name=code(symbol), code=code(header.text))
                yield from _if_telling(text, [header])

    def _advice(self) -> Iterator[DraftedClaim]:
        for suspect in self.suspects()[:1]:
            yield from self._told(f"explain_do_{self.trail.fault.kind}", suspect.scope, suspect.line)
            if not any(step.scope.is_test for step in self.scene.steps):
                yield from self._told("explain_would_catch", suspect.scope, suspect.line)

    def _told(self, phrase: str, scope: Scope, line: int, **parts: str) -> Iterator[DraftedClaim]:
        """A sentence about a line, in its function; a line of common words only is cited with the function's header."""
        quote = _quote(scope, line)
        header = _quote(scope, scope.header_line)
        named = re.search(rf"\b{re.escape(scope.symbol)}\b", header.text) if scope.symbol else None
        said, cited = code(quote.text), [quote]
        if scope.symbol and (named or scope.symbol in scope.place.name.split(".")):
            said = self.phrases.write("explain_code_in", code=said, name=code(scope.symbol))
        text = self.phrases.write(phrase, code=said, **parts)
        if not _is_telling(text, cited) and named:
            cited = [header, quote]
        yield from _if_telling(text, cited)

    def _used(self, phrase: str, use: Use, **parts: str) -> Iterator[DraftedClaim]:
        """A sentence about a line that a look-up found."""
        quote = statement_at(use.place, use.line)
        text = self.phrases.write(
            phrase, path=code(use.place.path), where=self._where(use), code=code(quote.text), **parts
        )
        yield from _if_telling(text, [quote])

    def _where(self, use: Use) -> str:
        name = use.enclosing.rpartition(".")[2]
        return self.phrases.write("in_function", name=code(name)) if name else ""

    def _is_told(self, use: Use) -> bool:
        told = [(suspect.scope.path, suspect.line) for suspect in self.suspects()]
        return (use.place.path, use.line) in told

    def _files(self) -> list[str]:
        named = [suspect.scope.path for suspect in self.suspects()]
        return list(dict.fromkeys([*named, *(step.scope.path for step in reversed(self.scene.steps))]))[
            :_MAX_FILES
        ]


def _quote(scope: Scope, line: int) -> Quote:
    """The statement on the line. `//` begins a comment in other languages, but divides in Python."""
    quote = statement_at(scope.place, line)
    text = " ".join(scope.text(line).split())
    if scope.path.endswith(".py") and "//" in text and text.startswith(quote.text):
        return replace(quote, last_line=line, text=re.sub(r"\s+#\s.*$", "", text).rstrip(":"))
    return quote


def _if_telling(text: str, quotes: Sequence[Quote]) -> Iterator[DraftedClaim]:
    """The claim, unless nothing in it tells its lines from others: that would be withheld."""
    if _is_telling(text, quotes):
        yield claim(text, quotes)


def _is_telling(text: str, quotes: Sequence[Quote]) -> bool:
    lines = "\n".join(_lines_of(quote) for quote in quotes)
    return Held(lines, "", frozenset(quote.place.path for quote in quotes)).is_named_in(text)


def _lines_of(quote: Quote) -> str:
    place = quote.place
    return "\n".join(
        place.lines[quote.first_line - place.first_line : quote.last_line - place.first_line + 1]
    )
