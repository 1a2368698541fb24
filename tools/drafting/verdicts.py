"""From what was seen in the rounds to the reasons against each test. Pure: nothing is run here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tools.drafting.draft_reading import DraftedTest
from tools.drafting.reasons import Reason, Why, reason
from tools.runners.pytest_trial import Round
from tools.runners.runner import TestOutcome

COLLECTING = "collect session"
_MOVED = (("clock", Why.CLOCK), ("zone", Why.CLOCK), ("home", Why.HOME))
_SEEN = {"network": Why.NETWORK, "home": Why.HOME, "tree": Why.WRITES_TREE}
_NO_ROUND = Round()


@dataclass(frozen=True)
class FirstLook:
    """The rounds that come before the mutants."""

    rounds: Mapping[str, Round]

    @property
    def plain(self) -> Round:
        return self.rounds.get("plain", _NO_ROUND)

    @property
    def collecting(self) -> Round:
        return self.rounds.get(COLLECTING, _NO_ROUND)

    def reasons(self, test: str) -> Iterator[Reason]:
        """What the runs have against a test of this id."""
        outcome = self.plain.tests.get(test)
        yield from self._seen(test)
        if outcome is None:
            yield self._unheard_of(test)
        elif outcome.outcome in ("failed", "error"):
            yield reason(Why.FAILS, first_line(outcome))
        elif outcome.outcome != "passed":
            yield reason(Why.SKIPPED, first_line(outcome))
        else:
            yield from self._changing(test)

    def _unheard_of(self, test: str) -> Reason:
        """The round ended with it: it is to blame, or one before it is."""
        if self.plain.ended in ("timeout", "died") and self.first_unheard_of() == test:
            return Reason(Why.TIMED_OUT if self.plain.ended == "timeout" else Why.FAILS)
        return Reason(Why.UNDECIDED)

    def first_unheard_of(self) -> str:
        """The test that ran when a round came to an early end."""
        return next((test for test in self.collected() if test not in self.plain.tests), "")

    def collected(self) -> tuple[str, ...]:
        """Ids of the tests, in their order."""
        listed = [str(one) for record in self.collecting.records for one in record]
        return tuple(dict.fromkeys([*listed, *self.plain.tests]))

    def _seen(self, test: str) -> Iterator[Reason]:
        """What it reached for, also in its other runs; the draft's own lines count for all its tests."""
        found: dict[Why, str] = {}
        for round_ in self.rounds.values():
            for seen in round_.seen:
                if seen.test in (test, "") and seen.what in _SEEN:
                    found.setdefault(_SEEN[seen.what], seen.detail)
        yield from (reason(why, detail) for why, detail in found.items())

    def _changing(self, test: str) -> Iterator[Reason]:
        """Whether it passes in the other rounds, and what it is that it depends on where it does not."""
        again = [one for name, one in self.rounds.items() if name.startswith("again ")]
        if any(_fails(one, test) for one in again):
            yield Reason(Why.RANDOM)
            return
        others = ("reversed", "shuffled", f"alone {test}")
        if any(_fails(self.rounds.get(name, _NO_ROUND), test) for name in others):
            yield Reason(Why.RANDOM if self._draws(test) else Why.ORDER)
            return
        if _fails(self.rounds.get("elsewhere", _NO_ROUND), test):
            yield from self._moved(test)

    def _moved(self, test: str) -> Iterator[Reason]:
        found: dict[Why, Reason] = {}
        for name, why in _MOVED:
            if _fails(self.rounds.get(name, _NO_ROUND), test) and (
                name != "clock" or self._asks_the_time(test)
            ):
                found.setdefault(why, Reason(why))
        if not found and self._draws(test):
            found[Why.RANDOM] = Reason(Why.RANDOM)
        yield from found.values()

    def _draws(self, test: str) -> bool:
        return any(seen.test == test and seen.what == "random" for seen in self.plain.seen)

    def _asks_the_time(self, test: str) -> bool:
        """Else it stumbles over our clock, not over the time."""
        rounds = (self.rounds.get("clock", _NO_ROUND), self.rounds.get("clock session", _NO_ROUND))
        return any(seen.what == "clock" and seen.test in (test, "") for one in rounds for seen in one.seen)


def reasons_of_reading(test: DraftedTest, *, repeats: bool) -> Iterator[Reason]:
    """What its text has against it."""
    if test.sandbox_path:
        yield Reason(Why.MACHINE, test.sandbox_path)
    if not test.asserts:
        yield Reason(Why.ASSERTS_NOTHING)
    elif repeats:
        yield Reason(Why.REPEATS_IMPLEMENTATION)


def first_line(outcome: TestOutcome) -> str:
    """Of its message: the error itself."""
    lines = [line for line in outcome.message.splitlines() if line.strip()]
    return lines[0].strip() if lines else ""


def last_line(outcome: TestOutcome) -> str:
    """Of a message that is a whole report: there the error comes last."""
    lines = [line for line in outcome.message.splitlines() if line.strip()]
    return lines[-1].strip().removeprefix("E ").strip() if lines else ""


def _fails(round_: Round, test: str) -> bool:
    """A round that came to an early end is held against all tests that it says nothing of."""
    outcome = round_.tests.get(test)
    if outcome is None:
        return round_.ended in ("timeout", "died")
    return outcome.outcome != "passed"
