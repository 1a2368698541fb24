"""What the findings amount to: which names count, whether what is asked is absent, which places lead.

Sources come before tests, documentation and examples unless the question asks for those.
"""

from __future__ import annotations

from agent.backends.extractive.findings import Findings, Place, Use
from agent.backends.extractive.lines import coverage, idea_weights
from agent.names import Name
from agent.question import Question

MAX_NAMES = 3
_NEAR_COVERAGE = 0.75
_NEAR_SCORE = 0.5
_BEHIND: dict[str, int] = {"config": 1, "examples": 2, "docs": 2, "tests": 3, "generated": 4, "legacy": 4}


def names_asked(question: Question) -> tuple[Name, ...]:
    """The names to look up: the certain ones, else what may be names."""
    return (question.certain or question.names)[:MAX_NAMES]


def is_absent(question: Question, findings: Findings, absent_below: float) -> bool:
    """True when the code does not hold what is asked about.

    A name that nobody could have meant otherwise and that stands nowhere decides it; else the search's own measure.
    """
    names = names_asked(question)
    if any(findings.found(name.text) or findings.found(name.last_part) for name in names):
        return False
    if question.certain and question.intent != "report":
        return not any(findings.mentions(name.last_part) for name in question.certain)
    return findings.evidence_score < absent_below


def main_definitions(question: Question, findings: Findings) -> list[Use]:
    """The definitions of the names asked about, the likeliest first: by name, area, and what the search found."""
    ranks = {(place.path, place.name): rank for rank, place in reversed(list(enumerate(findings.searched)))}
    uses: list[Use] = []
    for name in names_asked(question):
        own = findings.definitions.get(name.text) or findings.definitions.get(name.last_part, [])
        if not name.certain and len(own) > 2:
            continue
        uses += sorted(
            own,
            key=lambda use: (_behind(use.place, question), ranks.get((use.place.path, use.place.name), 99)),
        )
    return uses


def best_places(question: Question, findings: Findings, absent_below: float, most: int = 3) -> list[Place]:
    """The search's results that answer, the leading one first; others only where they add something."""
    if is_absent(question, findings, absent_below) or not findings.searched:
        return []
    weights = idea_weights(question, findings.searched)
    ranked = sorted(findings.searched, key=lambda place: _behind(place, question) >= 2)
    first, *rest = ranked
    kept = [first]
    for place in rest:
        near = coverage(question, place, weights) >= _NEAR_COVERAGE * coverage(question, first, weights)
        apart = not any(_overlaps(place, other) for other in kept)
        same_role = _behind(place, question) <= max(1, _behind(first, question))
        if near and apart and same_role and place.score >= _NEAR_SCORE * first.score:
            kept.append(place)
    return kept[:most]


def _behind(place: Place, question: Question) -> int:
    area = place.area or ("tests" if place.is_test else "source")
    if area in question.areas or (area == "tests" and question.intent == "tests"):
        return 0
    return _BEHIND.get(area, 0)


def _overlaps(one: Place, other: Place) -> bool:
    return one.path == other.path and one.whole[0] <= other.whole[1] and other.whole[0] <= one.whole[1]
