"""Is there evidence at all? Judged by what the question names and asks, never by how near a vector is.

The evidence score is the weight of the question's ideas in the best chunk (tests, docs and examples count half: they
talk about what is elsewhere), less the weight of those that no source holds. An idea weighs what it tells: the
inverse document frequency of its commonest form. A wrong place can still hold every word, so a high score proves
nothing; a low one says that the question's subject is not here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tools.index.catalog import Catalog
from tools.index.query import Concept, Question

SOURCE = "source"
NAME_WEIGHT = 1.5
"""A name is more than a word: who asks for `ClientSession` means no other session."""
SPEAKS_FOR: Mapping[str, float] = {
    "config": 0.7,
    "scripts": 0.7,
    "docs": 0.5,
    "tests": 0.5,
    "examples": 0.5,
    "legacy": 0.5,
    "generated": 0.3,
}
"""Apart from the factors of the ranking: how far a place steps back says nothing of whether it is there."""
BONUS_FOR_LENGTH = 0.05
"""Times the logarithm of the number of ideas: no one chunk holds all of a long question."""
ABSENT_BELOW: Mapping[str, float] = {"en": 0.25, "es": 0.5, "pt": 0.5, "ja": 0.5, "other": 0.0}
"""Evidence scores below this mean "not in this code", by language of the question (`evals/results/absence.md`)."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A concept with what it weighs, and whether any source holds it."""

    concept: Concept
    weight: float
    in_sources: bool
    found: bool
    """Whether any chunk holds it, of whatever area."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How much of a question the index can speak to."""

    coverage: float
    """Weight of the question's ideas in the best chunk, 0 to 1."""
    missing: tuple[str, ...]
    """Words of the question that no source holds."""
    missing_weight: float
    score: float


def weigh(questions: Iterable[Question], catalog: Catalog) -> dict[Concept, Weighed]:
    """Every concept of the questions that says something by being found or not."""
    questions = list(questions)
    concepts = list(dict.fromkeys(concept for question in questions for concept in question.concepts))
    asked = {area for question in questions for area in question.areas}
    frequency = catalog.document_frequency(
        {term for each in concepts for form in each.alternatives for term in form}
    )
    known = [term for term, count in frequency.items() if count]
    of_sources = _held_by(catalog, known, {SOURCE, *asked}) if SOURCE in catalog.areas() else frozenset(known)
    chunks = catalog.chunk_count()
    weighed: dict[Concept, Weighed] = {}
    for concept in concepts:
        count = _holding(concept, frequency)
        if count or concept.must_count:
            weight = math.log(1 + (chunks - count + 0.5) / (count + 0.5)) * (
                NAME_WEIGHT if concept.is_name else 1
            )
            weighed[concept] = Weighed(
                concept, weight * concept.emphasis, is_held(concept, of_sources), count > 0
            )
    return weighed


def _held_by(catalog: Catalog, terms: Sequence[str], areas: Iterable[str]) -> frozenset[str]:
    return frozenset(term for area in areas for term in catalog.terms_of_area(terms, area))


def coverage(question: Question, weighed: Mapping[Concept, Weighed], held: frozenset[str]) -> float:
    """The share of the question's weight that a text with these terms holds."""
    mine = [weighed[concept] for concept in question.concepts if concept in weighed]
    whole = sum(each.weight for each in mine)
    return sum(each.weight for each in mine if is_held(each.concept, held)) / whole if whole else 0.0


def speaks_for(area: str, asked: frozenset[str]) -> float:
    """How much a place of this area counts as evidence: what is no source talks about what is elsewhere."""
    return 1.0 if area in asked else SPEAKS_FOR.get(area, 1.0)


def is_held(concept: Concept, held: frozenset[str]) -> bool:
    """Whether a text with these terms holds any form of the concept."""
    return any(held.issuperset(each) for each in concept.alternatives)


def judge(
    question: Question,
    weighed: Mapping[Concept, Weighed],
    best: Sequence[tuple[frozenset[str], float]],
    *,
    message_found: bool,
    name_missing: bool,
) -> Verdict:
    """The verdict over the best chunks, each as its terms and how much a place of its area speaks for.

    A message that was found literally settles it, and so does a name whose definition is asked for and that nothing
    defines.
    """
    mine = [weighed[concept] for concept in question.concepts if concept in weighed]
    whole = sum(each.weight for each in mine)
    absent = [each for each in mine if not each.in_sources]
    missing_weight = sum(each.weight for each in absent) / whole if whole else 0.0
    covered = [(coverage(question, weighed, held), factor) for held, factor in best]
    if message_found:
        score = 1.0
    elif name_missing:
        score = -1.0
    else:
        evidence = max((share * factor for share, factor in covered), default=0.0)
        score = min(1.0, evidence - missing_weight + BONUS_FOR_LENGTH * math.log(max(1, len(mine))))
    return Verdict(
        coverage=max((share for share, _ in covered), default=0.0),
        missing=tuple(each.concept.word for each in absent),
        missing_weight=missing_weight,
        score=score,
    )


def is_absent(evidence_score: float, language: str) -> bool:
    """Whether a search with this score, for a question in this language, found nothing that speaks to it."""
    return evidence_score < ABSENT_BELOW.get(language, ABSENT_BELOW["other"])


def _holding(concept: Concept, frequency: Mapping[str, int]) -> int:
    """How many chunks can hold the concept: its commonest form, and of that the rarest term."""
    return max(min(frequency[term] for term in each) for each in concept.alternatives)
