"""One draft under judgement: what is known of it, from its text, from its runs and from its runs with mutants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tools.drafting.draft import Draft
from tools.drafting.draft_reading import DraftedTest, read_draft
from tools.drafting.judgement import MutantFate, TestJudgement
from tools.drafting.mutants import Mutant, mutants_of, probes_of
from tools.drafting.reasons import Reason, Why, reason
from tools.drafting.repetition import repeats, target_functions
from tools.drafting.target import Target
from tools.drafting.trials import CALLED
from tools.drafting.verdicts import FirstLook, last_line, reasons_of_reading
from tools.runners.pytest_trial import Round
from tools.runners.runner import Report, TestOutcome, verdict_of


class Case:
    """All that is known of one draft, as it comes together."""

    def __init__(
        self,
        draft: Draft,
        targets: Sequence[Target],
        sources: Mapping[str, bytes],
        first: FirstLook,
        most_mutants: int,
    ) -> None:
        self.draft = draft
        self.first = first
        self.tried: list[Mapping[str, Round]] = []
        self.mutants: dict[str, Mutant] = {}
        self.probes: dict[str, Mutant] = {}
        for target in targets:
            source = sources[target.path]
            for mutant in mutants_of(source, target, most_mutants):
                self.mutants[f"mutant{len(self.mutants)}"] = mutant
            for probe in probes_of(source, target, CALLED):
                self.probes[f"probe{len(self.probes)}"] = probe
        self._read = read_draft(draft)
        self._functions = [
            function
            for path, source in sources.items()
            for function in target_functions(source, [one for one in targets if one.path == path])
        ]
        self._against = {test: self._reasons(test) for test in first.collected()}

    @property
    def candidates(self) -> list[str]:
        """Tests that nothing speaks against so far."""
        return [test for test, reasons in self._against.items() if not reasons]

    def named_changes(self) -> dict[str, Mutant]:
        """Probes first, as all else hangs on whether the target is called."""
        return {**self.probes, **self.mutants}

    def _reasons(self, test: str) -> tuple[Reason, ...]:
        found = list(self.first.reasons(test))
        drafted = self._drafted(test)
        if drafted is not None and self._read is not None:
            repeating = repeats(drafted, self._read, self._functions)
            found += reasons_of_reading(drafted, repeats=repeating)
        return tuple(found)

    def _drafted(self, test: str) -> DraftedTest | None:
        return self._read.tests.get(_name(test)) if self._read is not None else None

    def plain(self, ended: str) -> Report:
        """The first run as a report."""
        tests = tuple({**self.first.collecting.tests, **self.first.plain.tests}.values())
        early = (
            ""
            if self.first.plain.ended == "exit" or self.first.collecting.tests
            else "the run came to an early end"
        )
        return verdict_of(tests, early if ended == "exit" else f"it was ended: {ended}")

    def judged(self) -> Iterator[TestJudgement]:
        for test in self.first.collected():
            yield self._judged(test, self._against[test] or tuple(self._after_mutants(test)))
        yield from self._not_collected()

    def _not_collected(self) -> Iterator[TestJudgement]:
        """Tests of the text that pytest has not found, and the file itself where it cannot be read."""
        broken = next(iter(self.first.collecting.tests.values()), None)
        why = self._why_not_collected(broken)
        names = {_name(test) for test in self.first.collected()}
        missing = [name for name in (self._read.tests if self._read else ()) if name not in names]
        if not missing and not names:
            yield TestJudgement(self.draft.path, "", (why,), message=broken.message if broken else "")
        for name in missing:
            judged = self._judged(f"{self.draft.path}::{name}", (why,))
            yield replace(judged, message=broken.message, frames=broken.frames) if broken else judged

    def _why_not_collected(self, broken: TestOutcome | None) -> Reason:
        if broken is not None:
            return reason(Why.IMPORT_FAILS, last_line(broken))
        ended = self.first.collecting.ended
        if ended == "timeout":
            return Reason(Why.TIMED_OUT)
        return Reason(Why.IMPORT_FAILS if ended == "died" else Why.NOT_COLLECTED if ended else Why.UNDECIDED)

    def _judged(self, test: str, reasons: tuple[Reason, ...]) -> TestJudgement:
        drafted, outcome = self._drafted(test), self.first.plain.tests.get(test)
        return TestJudgement(
            id=test,
            name=_name(test),
            reasons=reasons,
            kills=sum(self._kills(test, name) for name in self.mutants),
            first_line=drafted.first_line if drafted else 0,
            last_line=drafted.last_line if drafted else 0,
            message=outcome.message if outcome else "",
            frames=outcome.frames if outcome else (),
        )

    # -- with mutants ------------------------------------------------------------------------------------------------

    def fates(self) -> Iterator[MutantFate]:
        kept = [test for test in self.candidates if not any(self._after_mutants(test))]
        for name, mutant in self.mutants.items():
            killers = tuple(test for test in kept if self._kills(test, name))
            yield MutantFate(mutant, killers, decided=self._is_tried(name))

    def _after_mutants(self, test: str) -> Iterator[Reason]:
        controls = [rounds["control"] for rounds in self.tried if "control" in rounds]
        if any(self._fails(control, test) for control in controls):
            yield Reason(Why.RANDOM)
            return
        if not controls or not self._decided():
            yield Reason(Why.UNDECIDED)
            return
        if not self._calls(test):
            yield Reason(Why.TARGET_NOT_CALLED)
        elif self.mutants and not any(self._kills(test, name) for name in self.mutants):
            yield Reason(Why.KILLS_NOTHING)

    def _decided(self) -> bool:
        """Whether every probe was tried, and of the mutants, if there are any, at least some."""
        tried = any(map(self._is_tried, self.mutants))
        return all(map(self._is_tried, self.probes)) and (tried or not self.mutants)

    def _is_tried(self, name: str) -> bool:
        return any(self._rounds(name)) or self._breaks_collecting(name)

    def _rounds(self, name: str) -> Iterator[Round]:
        """The rounds of a mutant that came to an end: with a swapped function, with a changed file."""
        for rounds in self.tried:
            for one in (rounds.get(name), rounds.get(f"{name} file")):
                if one is not None and one.ended:
                    yield one

    def _calls(self, test: str) -> bool:
        for name in self.probes:
            sessions = [
                rounds[f"{name} file session"] for rounds in self.tried if f"{name} file session" in rounds
            ]
            for one in (*self._rounds(name), *sessions):
                if any(seen.what == "called" and seen.test in (test, "") for seen in one.seen):
                    return True
        return False

    def _kills(self, test: str, name: str) -> bool:
        return any(self._fails(one, test) for one in self._rounds(name)) or self._breaks_collecting(name)

    def _breaks_collecting(self, name: str) -> bool:
        """Whether the changed file can no longer be imported: every test notices."""
        for rounds in self.tried:
            session, inner = rounds.get(f"{name} file session"), rounds.get(f"{name} file")
            if session is not None and (session.tests or (inner is None and session.ended != "exit")):
                return True
        return False

    def _fails(self, round_: Round, test: str) -> bool:
        """Of a round that came to an early end, the first test that it says nothing of is to blame."""
        outcome = round_.tests.get(test)
        if outcome is not None:
            return outcome.outcome != "passed"
        unheard_of = (one for one in self.candidates if one not in round_.tests)
        return round_.ended in ("timeout", "died") and next(unheard_of, "") == test


def _name(test: str) -> str:
    """Of the function, without the file and without parameters."""
    return test.partition("::")[2].partition("[")[0]
