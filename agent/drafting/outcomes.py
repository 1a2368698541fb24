"""What calls of a function came to in the sandbox, and the few of them that are worth a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from agent.drafting.expressions import Call
from agent.drafting.python_module import Need

FEWEST, MOST = 3, 8
_ORIGINS = ("docstring", "caller", "boundary", "test")
"""What the project shows is told best; what a test holds already comes last."""


@dataclass(frozen=True)
class Outcome:
    """One call, with what it gave or raised: the same each time, and nothing else happened."""

    call: Call
    value: str = ""
    """As an expression; "" where it raised."""
    needs: tuple[Need, ...] = ()
    """What the expression needs imported; of an error its class."""
    kind: str = ""
    """The type of the value, or the name of the error's class."""
    message: str = ""
    listed: bool = False
    """It gave an iterator; the value is the list of what that gives."""

    @property
    def raises(self) -> bool:
        return not self.value

    @property
    def told(self) -> str:
        """The result as code."""
        return self.value or (f"{self.kind}({self.message!r})" if self.message else self.kind)


def thinned(outcomes: Sequence[Outcome], kills: Mapping[str, AbstractSet[int]]) -> list[Outcome]:
    """The fewest calls that notice every change which any of them notices, then a few more with other results.

    `kills`: by the key of a call, the numbers of the changes to the function that alter what it comes to.
    """
    waiting = sorted(outcomes, key=_plainness)
    chosen: list[Outcome] = []
    noticed: set[int] = set()
    while len(chosen) < MOST and waiting:
        best = max(waiting, key=lambda one: len(kills.get(one.call.key, frozenset()) - noticed))
        gained = kills.get(best.call.key, frozenset()) - noticed
        if not gained:
            break
        noticed |= gained
        chosen.append(best)
        waiting.remove(best)
    # A row that notices nothing is no test; where there was nothing to notice, other results have to do.
    telling = [one for one in waiting if kills.get(one.call.key)] if any(kills.values()) else waiting
    chosen += _different(telling, chosen)[: max(0, FEWEST - len(chosen))]
    return sorted(chosen, key=lambda one: outcomes.index(one))


def _different(waiting: Sequence[Outcome], chosen: Sequence[Outcome]) -> list[Outcome]:
    """Those whose results no other has."""
    told = {one.told for one in chosen}
    found: list[Outcome] = []
    for one in waiting:
        if one.told not in told:
            told.add(one.told)
            found.append(one)
    return found


def _plainness(one: Outcome) -> tuple[int, int]:
    """What a person would rather read stands first."""
    text = one.call.written("")
    return _ORIGINS.index(one.call.origin), len(text) + len(one.value) + 20 * (not text.isascii())
