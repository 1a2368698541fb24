"""The account of a failure, always in the same order, every sentence from the lines that it cites.

What failed; the path of calls; why; where else the same pattern occurs; which tests there are; and, as advice, what to
change and which test would have caught it. A part without evidence says so, and cites what it looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.backends.extractive.explaining.look_ups import pattern_of
from agent.backends.extractive.explaining.scene import Scene, Scope
from agent.backends.extractive.explaining.trail import Suspect, Trail
from agent.backends.extractive.findings import Use
from agent.backends.extractive.lines import Quote, guard_of, statement_at
from agent.backends.extractive.sentences import DraftedClaim, claim, code, codes
from agent.phrases import Phrases

MAX_SUSPECTS = 3
_WORTH_NAMING = 0.5
"""Of the first suspect's weight: what is below is no explanation."""
_MAX_STEPS = 6
_MAX_ALIKE = 3
_MAX_FILES = 5


@dataclass(frozen=True)
class Account:
    """One explanation in the making."""

    scene: Scene
    trail: Trail
    phrases: Phrases

    def draft(self) -> dict[str, Any]:
        """The whole draft, by the schema of `agent.drafts`."""
        observed = [*self._failed(), *self._path(), *self._why(), *self._alike(), *self._tests()]
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
            same = [one for one in kept if (one.scope.path, one.scope.name) == (suspect.scope.path, suspect.scope.name)]
            if suspect.weight >= _WORTH_NAMING * ranked[0].weight and len(same) < 2:
                kept.append(suspect)
        return kept[:MAX_SUSPECTS]

    def _failed(self) -> Iterator[DraftedClaim]:
        for step in self.scene.steps[-1:]:
            quote = _quote(step.scope, step.line)
            path = code(step.scope.path)
            if _holds_name(step.scope, quote):
                name = code(step.scope.symbol)
                yield claim(self.phrases.write("explain_failed", name=name, path=path, code=code(quote.text)), [quote])
            else:
                yield claim(self.phrases.write("explain_failed_block", path=path, code=code(quote.text)), [quote])

    def _path(self) -> Iterator[DraftedClaim]:
        """The frames in the workspace; of a long path the first ones and the last."""
        quotes = [_quote(step.scope, step.line) for step in self.scene.steps]
        kept = list({(quote.place.path, quote.first_line): quote for quote in quotes}.values())
        if len(kept) > _MAX_STEPS:
            kept = [*kept[:2], *kept[-(_MAX_STEPS - 2) :]]
        if kept:
            phrase = "explain_path" if len(kept) > 1 else "explain_no_path"
            yield claim(self.phrases.write(phrase, code=codes(kept, self.phrases)), kept)

    def _why(self) -> Iterator[DraftedClaim]:
        suspects = self.suspects()
        for step in self.scene.steps[-1:]:
            guard = guard_of(step.scope.place, step.line) if self._was_raised(step.scope.text(step.line)) else None
            if guard:
                yield claim(self.phrases.write("explain_guard", code=code(guard.text)), [guard])
        for rank, suspect in enumerate(suspects):
            quote = _quote(suspect.scope, suspect.line)
            if not rank:
                kind = "other" if suspect.origin == "failed" else self.trail.fault.kind
                phrase = f"explain_why_{kind}"
                yield claim(self.phrases.write(phrase, code=code(quote.text)), [quote])
            elif _holds_name(suspect.scope, quote):
                name = code(suspect.scope.symbol)
                yield claim(self.phrases.write("explain_also_in", name=name, code=code(quote.text)), [quote])
            else:
                yield claim(self.phrases.write("explain_also", code=code(quote.text)), [quote])

    def _alike(self) -> Iterator[DraftedClaim]:
        """Other places that hold the telling text of the first suspect; else other uses of its function."""
        for suspect in self.suspects()[:1]:
            quote = _quote(suspect.scope, suspect.line)
            pattern = pattern_of(self.trail, suspect)
            uses = self.scene.uses(pattern) if pattern else []
            others = [use for use in uses if not use.place.is_test and not self._is_told(use) and (not pattern or pattern in use.text)]
            for use in others[:_MAX_ALIKE]:
                alike = statement_at(use.place, use.line)
                yield claim(
                    self.phrases.write("explain_same", path=code(use.place.path), where=self._where(use), code=code(alike.text)),
                    [alike],
                )
            if not others:
                yield claim(self.phrases.write("explain_no_same", code=code(quote.text)), [quote])

    def _tests(self) -> Iterator[DraftedClaim]:
        """Tests that use the function of the first suspect."""
        for suspect in self.suspects()[:1]:
            symbol = suspect.scope.symbol
            if not symbol:
                return
            tests = [use for use in self.scene.uses(symbol) if use.place.is_test and use.kind in ("call", "other")]
            for use in tests[:_MAX_ALIKE]:
                quote = statement_at(use.place, use.line)
                parts = {"path": code(use.place.path), "name": code(symbol), "where": self._where(use)}
                yield claim(self.phrases.write("explain_tests", **parts, code=code(quote.text)), [quote])
            header = _quote(suspect.scope, suspect.scope.header_line)
            if not tests and re.search(rf"\b{re.escape(symbol)}\b", header.text):
                parts = {"name": code(symbol), "code": code(header.text)}
                yield claim(self.phrases.write("explain_no_tests", **parts), [header])

    def _advice(self) -> Iterator[DraftedClaim]:
        for suspect in self.suspects()[:1]:
            quote = _quote(suspect.scope, suspect.line)
            phrase = f"explain_do_{self.trail.fault.kind}"
            yield claim(self.phrases.write(phrase, code=code(quote.text)), [quote])
            if not any(step.scope.is_test for step in self.scene.steps):
                yield claim(self.phrases.write("explain_would_catch", code=code(quote.text)), [quote])

    def _where(self, use: Use) -> str:
        name = use.enclosing.rpartition(".")[2]
        return self.phrases.write("in_function", name=code(name)) if name else ""

    def _is_told(self, use: Use) -> bool:
        told = [(suspect.scope.path, suspect.line) for suspect in self.suspects()]
        return (use.place.path, use.line) in told

    def _was_raised(self, line: str) -> bool:
        return re.match(r"\s*(?:raise|throw|panic)\b", line) is not None

    def _files(self) -> list[str]:
        named = [suspect.scope.path for suspect in self.suspects()]
        return list(dict.fromkeys([*named, *(step.scope.path for step in reversed(self.scene.steps))]))[:_MAX_FILES]


def _quote(scope: Scope, line: int) -> Quote:
    """The statement on the line. `//` begins a comment in other languages, but divides in Python."""
    quote = statement_at(scope.place, line)
    text = " ".join(scope.text(line).split())
    if scope.path.endswith(".py") and "//" in text and text.startswith(quote.text):
        return replace(quote, last_line=line, text=re.sub(r"\s+#\s.*$", "", text).rstrip(":"))
    return quote


def _holds_name(scope: Scope, quote: Quote) -> bool:
    """True when the cited lines, or the header that goes with their evidence, hold the function's name."""
    symbol = scope.symbol
    if not symbol:
        return False
    held: Sequence[str] = [*scope.place.name.split("."), *re.findall(r"[\w$]+", quote.text)]
    return symbol in held
