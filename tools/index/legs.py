"""The ways of looking for a question: by the definitions of its names, by quoted messages, by keywords, by vectors.

Every leg keeps to the filters and returns ranked chunk ids with the weight of its voice in the fusion.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tools.index.catalog import Catalog
from tools.index.coverage import Weighed
from tools.index.query import Concept, Question
from tools.index.ranking import AREA_FACTORS, Leg
from tools.index.records import ColumnWeights, Filters, StoredDefinition
from tools.index.words import content_terms, terms

LEG_LIMIT = 200
KEYWORD_WEIGHT = 1.0
IDEAS_SCORE_WEIGHT = 2.0
WORDS_SCORE_WEIGHT = 1.0
"""Of the BM25 scores, besides the ranks: one chunk that holds nearly all of a question stands far above the next. The
ideas of a question and its plain words err differently, so both have a voice (`evals/results/retrieval.md`)."""
PLAIN_COLUMNS = ColumnWeights(symbol=1.0, path=1.0, docs=1.0, body=1.0)
VECTOR_WEIGHT = 3.0
"""Against keywords, where all chunks have vectors: from 3 to 4 is best with both keyword legs."""
UNTRANSLATED_VECTOR_WEIGHT = 6.0
"""In a language without a glossary a question shares few words with code, and keywords drag the vectors down."""
SYMBOL_WEIGHT = 3.0
LOOSE_SYMBOL_WEIGHT = 1.0
MESSAGE_WEIGHT = 30.0
"""Text that occurs literally leads whatever else was found."""
MOST_DEFINITIONS = 30
MOST_TERMS = 32
"""An OR over hundreds of terms takes half a second on a large index; the weightiest tell nearly all."""
MOST_WORDS = 64
"""Of a report: its heading and first lines, which say most of what it is about."""
OTHER_FORM_WEIGHT = 0.5


class VectorIndex(Protocol):
    """Nearest chunks by vector: exact in memory (`exact.py`), or Chroma (`store.py`)."""

    def nearest(
        self, vector: NDArray[np.float32], count: int, among: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """(chunk id, cosine), nearest first."""
        ...


def symbol_leg(question: Question, catalog: Catalog, filters: Filters) -> Leg:
    """Chunks that define a name of the question: exactly written first, then in other case."""
    exact = [each for name in question.names for each in catalog.definitions(name)]
    loose = (
        []
        if exact
        else [each for name in question.names for each in catalog.definitions(name, exact_case=False)]
    )
    if exact or loose:
        return Leg("symbol", SYMBOL_WEIGHT, _definition_ids(exact or loose, catalog, filters))
    maybe = [each for name in question.loose_names for each in catalog.definitions(name)]
    whole = len(question.loose_names) == 1 and question.loose_names[0] == question.text
    return Leg(
        "symbol", SYMBOL_WEIGHT if whole else LOOSE_SYMBOL_WEIGHT, _definition_ids(maybe, catalog, filters)
    )


def names_are_missing(question: Question, catalog: Catalog) -> bool:
    """Whether the question asks where something is defined that nothing in the index defines."""
    return (
        question.asks_definition
        and bool(question.names)
        and not any(catalog.definitions(name, exact_case=False) for name in question.names)
    )


def message_leg(question: Question, catalog: Catalog, filters: Filters) -> Leg:
    """Chunks that hold a quoted message literally, however the code breaks it into pieces."""
    found: dict[int, float] = {}
    for message in question.messages:
        wanted = _letters(message)
        rows = catalog.keyword_search(dict.fromkeys(content_terms(message), 1.0), filters, LEG_LIMIT)
        chunks = catalog.chunks_by_id(chunk_id for chunk_id, _ in rows)
        for chunk_id, score in rows:
            chunk = chunks.get(chunk_id)
            if chunk and wanted and wanted in _letters(chunk.text):
                found[chunk_id] = max(found.get(chunk_id, 0.0), score * AREA_FACTORS.get(chunk.area, 1.0))
    return Leg("message", MESSAGE_WEIGHT, sorted(found, key=lambda chunk_id: (-found[chunk_id], chunk_id)))


def keyword_leg(
    question: Question, weighed: Mapping[Concept, Weighed], catalog: Catalog, filters: Filters
) -> Leg:
    """Chunks by BM25 over the question's ideas, the weightiest terms only."""
    chosen = _weighted_terms(question, weighed) or dict.fromkeys(
        content_terms(question.text)[:MOST_TERMS], 1.0
    )
    return _keywords(catalog.keyword_search(chosen, filters, LEG_LIMIT), IDEAS_SCORE_WEIGHT)


def words_leg(question: Question, catalog: Catalog, filters: Filters) -> Leg:
    """Chunks by BM25 over the plain words of an English question, wherever they stand."""
    if question.language != "en":
        return Leg("keyword", KEYWORD_WEIGHT, [])
    words = dict.fromkeys(content_terms(question.text)[:MOST_WORDS], 1.0)
    return _keywords(catalog.keyword_search(words, filters, LEG_LIMIT, PLAIN_COLUMNS), WORDS_SCORE_WEIGHT)


def _keywords(rows: Sequence[tuple[int, float]], score_weight: float) -> Leg:
    ids, scores = [chunk_id for chunk_id, _ in rows], [score for _, score in rows]
    return Leg("keyword", KEYWORD_WEIGHT, ids, scores, score_weight)


def vector_leg(
    question: Question,
    vector: NDArray[np.float32],
    vectors: VectorIndex,
    among: Collection[int] | None,
    share: float,
) -> Leg:
    """Chunks by meaning; what has no vector cannot answer here, so the voice grows with the share that has one."""
    weight = UNTRANSLATED_VECTOR_WEIGHT if question.language == "other" else VECTOR_WEIGHT
    nearest = vectors.nearest(vector, LEG_LIMIT, among)
    return Leg("vector", weight * share, [chunk_id for chunk_id, _ in nearest])


def _weighted_terms(question: Question, weighed: Mapping[Concept, Weighed]) -> dict[str, float]:
    """Term → weight, a few distinct weights only: each is a query of its own."""
    ideas = sorted(
        (each for each in question.concepts if each in weighed and weighed[each].found),
        key=lambda each: -weighed[each].weight,
    )
    chosen: dict[str, float] = {}
    for concept in ideas:
        translated = question.language in ("es", "pt", "ja") and len(concept.alternatives) > 1
        for place, alternative in enumerate(concept.alternatives):
            weight = 1.0 if place == 0 or translated else OTHER_FORM_WEIGHT
            weight *= round(concept.emphasis, 1)
            for term in alternative:
                chosen[term] = max(weight, chosen.get(term, 0.0))
        if concept.is_name:
            for part in terms(concept.word):
                chosen.setdefault(part, OTHER_FORM_WEIGHT)
        if len(chosen) >= MOST_TERMS:
            break
    return chosen


def _definition_ids(found: list[StoredDefinition], catalog: Catalog, filters: Filters) -> list[int]:
    """Chunks of definitions: sources first, what is not nested first, each once, of those that pass."""
    ordered = sorted(
        found, key=lambda each: (-AREA_FACTORS.get(each.area, 1.0), each.qualified_name.count("."))
    )
    ids = list(dict.fromkeys(each.chunk_id for each in ordered))
    if not filters.anything:
        passing = set(catalog.chunk_ids(filters).tolist())
        ids = [chunk_id for chunk_id in ids if chunk_id in passing]
    return ids[:MOST_DEFINITIONS]


def _letters(text: str) -> str:
    """Words only, in lower case: a message that the code writes over two lines, or in other quotes, is the same."""
    return " ".join(re.findall(r"\w+", text.casefold()))
