"""The index searched: a question in, ranked chunks and a judgement on the evidence out.

Four legs look independently: definitions of the names it holds, messages it quotes, keywords, and vectors where there
are some. Each works alone, so an index without vectors, or an embedder that fails, only makes the list poorer; the
outcome says so.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from tools.index.catalog import Catalog
from tools.index.coverage import Verdict, Weighed, coverage, judge, speaks_for, weigh
from tools.index.embedder import Embedder, EmbedderUnavailable
from tools.index.exact import ExactVectors
from tools.index.legs import (
    VectorIndex,
    keyword_leg,
    message_leg,
    names_are_missing,
    symbol_leg,
    vector_leg,
    words_leg,
)
from tools.index.query import Analyst, Concept, Question
from tools.index.ranking import (
    OLDER_VERSION,
    Candidate,
    Leg,
    Signals,
    area_factor,
    found_by,
    fuse,
    older_versions,
    ranked,
    scored,
)
from tools.index.records import Filters, StoredChunk
from tools.index.store import StoreUnavailable
from tools.index.words import terms

MOST_CANDIDATES = 120
"""Chunks that are read and compared in full, the best of the fused legs."""
LONGEST_HEADER = 80
"""Characters of a signature that count as naming: beyond them stand defaults and help texts."""
SHORT_QUESTION = 3
"""Ideas. Up to so many, a question names a subject, and a file named for it is likely the place."""
JUDGED_CHUNKS = 20
"""The evidence score looks at so many of the best."""


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for."""

    text: str
    more: tuple[str, ...] = ()
    """The same question in other words."""
    filters: Filters = field(default_factory=Filters)
    limit: int = 10
    explain: bool = False
    """Keep the signals of each result."""


@dataclass(frozen=True, slots=True)
class Found:
    """One place."""

    chunk: StoredChunk
    score: float
    found_by: tuple[str, ...]
    """"symbol", "message", "keyword", "vector"."""
    signals: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What was found, and how well it speaks to the question."""

    results: tuple[Found, ...]
    coverage: float
    """Weight of the question's words in the best chunk, 0 to 1."""
    missing: tuple[str, ...]
    """Words that no indexed source holds."""
    missing_weight: float
    evidence_score: float
    """-1 to 1; compared with `coverage.ABSENT_BELOW`."""
    vectors_share: float
    """Share of the chunks that have a vector."""
    language: str = "en"
    """Of the question: "en", "es", "pt", "ja" or "other"."""
    notes: tuple[str, ...] = ()


class Searcher:
    """Searches one catalog; belongs to one thread, as the catalog does."""

    def __init__(
        self, catalog: Catalog, embedder: Embedder | None, vectors: VectorIndex | None = None
    ) -> None:
        self._catalog = catalog
        self._embedder = embedder
        self._exact = ExactVectors(catalog, embedder.fingerprint) if embedder else None
        self.vectors = vectors
        """Where vectors are looked up instead of exactly; may be set at any time."""
        self._analyst = Analyst()
        self._share_at = (-1, 0.0)

    def search(self, query: Query) -> SearchOutcome:
        """The best places for the question in any of its phrasings."""
        questions = [self._analyst.analyse(text) for text in (query.text, *query.more)]
        weighed = weigh(questions, self._catalog)
        share = self._vectors_share()
        notes: list[str] = []
        legs = [
            leg
            for question in questions
            for leg in self._legs(question, weighed, query.filters, share, notes)
        ]
        candidates = self._candidates(questions, weighed, legs)
        # Judged on what the words found, so that the verdict is the same before, while and after vectors are there.
        by_words = [leg for leg in legs if leg.name != "vector"]
        judged = candidates if by_words == legs else self._candidates(questions, weighed, by_words)
        verdict = max(
            (self._judged(question, weighed, judged, legs) for question in questions),
            key=lambda each: each.score,
        )
        return SearchOutcome(
            results=tuple(_found(each, query.explain) for each in ranked(candidates, query.limit)),
            coverage=verdict.coverage,
            missing=verdict.missing,
            missing_weight=verdict.missing_weight,
            evidence_score=verdict.score,
            vectors_share=share,
            language=questions[0].language,
            notes=tuple(dict.fromkeys(notes)),
        )

    def _legs(
        self,
        question: Question,
        weighed: Mapping[Concept, Weighed],
        filters: Filters,
        share: float,
        notes: list[str],
    ) -> list[Leg]:
        legs = [
            symbol_leg(question, self._catalog, filters),
            message_leg(question, self._catalog, filters),
            keyword_leg(question, weighed, self._catalog, filters),
            words_leg(question, self._catalog, filters),
        ]
        if share:
            legs += self._vector_legs(question, filters, share, notes)
        return [leg for leg in legs if leg.ids]

    def _vector_legs(self, question: Question, filters: Filters, share: float, notes: list[str]) -> list[Leg]:
        """The vector leg, exact where Chroma fails; none where the embedder does."""
        if self._embedder is None or self._exact is None:
            return []
        try:
            vector = self._embedder.embed_query(question.text)
        except EmbedderUnavailable as error:
            notes.append(f"searched without vectors: {error.cause}")
            return []
        among = self._among(filters)
        try:
            return [vector_leg(question, vector, self.vectors or self._exact, among, share)]
        except StoreUnavailable as error:
            notes.append(f"searched without Chroma: {error.cause}")
            return [vector_leg(question, vector, self._exact, among, share)]

    def _among(self, filters: Filters) -> Collection[int] | None:
        return None if filters.anything else self._catalog.chunk_ids(filters).tolist()

    def _candidates(
        self, questions: Sequence[Question], weighed: Mapping[Concept, Weighed], legs: Sequence[Leg]
    ) -> list[Candidate]:
        fused = fuse(legs)
        best = sorted(fused, key=lambda chunk_id: (-fused[chunk_id], chunk_id))[:MOST_CANDIDATES]
        chunks = self._catalog.chunks_by_id(best)
        held = self._catalog.terms_held(best)
        names = found_by(legs)
        older = older_versions(
            (chunk.path for chunk in chunks.values()), " ".join(each.text for each in questions)
        )
        candidates: list[Candidate] = []
        for chunk in (chunks[chunk_id] for chunk_id in best if chunk_id in chunks and chunk_id in held):
            signals = _signals(chunk, held[chunk.id], fused[chunk.id], questions, weighed, older)
            candidates.append(Candidate(chunk, held[chunk.id], names[chunk.id], signals))
        return scored(candidates)

    def _judged(
        self,
        question: Question,
        weighed: Mapping[Concept, Weighed],
        candidates: Sequence[Candidate],
        legs: Sequence[Leg],
    ) -> Verdict:
        return judge(
            question,
            weighed,
            [(each.held, speaks_for(each.chunk.area, question.areas)) for each in candidates[:JUDGED_CHUNKS]],
            message_found=bool(question.messages) and any(leg.name == "message" for leg in legs),
            name_missing=names_are_missing(question, self._catalog),
        )

    def _vectors_share(self) -> float:
        """Counted again only when the catalog has changed."""
        now = self._catalog.change_count()
        if self._embedder is not None and now != self._share_at[0]:
            chunks = self._catalog.chunk_count()
            vectors = self._catalog.vector_counts().get(self._embedder.fingerprint, 0)
            self._share_at = (now, vectors / chunks if chunks else 0.0)
        return self._share_at[1]


def _signals(
    chunk: StoredChunk,
    held: frozenset[str],
    fused: float,
    questions: Sequence[Question],
    weighed: Mapping[Concept, Weighed],
    older: Collection[str],
) -> Signals:
    """What speaks for a chunk: for several phrasings, the one it fits best."""
    asked = frozenset[str]().union(*(question.areas for question in questions))
    names = frozenset(terms(f"{chunk.qualified_name} {chunk.signature[:LONGEST_HEADER]}"))
    path = frozenset(terms(chunk.path))
    return Signals(
        fused=fused,
        coverage=max(coverage(question, weighed, held) for question in questions),
        names=max(coverage(question, weighed, names) for question in questions),
        path=float(any(chunk.path.endswith(path) for question in questions for path in question.paths)),
        area=area_factor(chunk.area, asked),
        file=max(coverage(question, weighed, path) * _shortness(question) for question in questions),
        is_named=float(any(chunk.symbol in _whole_names(question) for question in questions)),
        is_function=float(chunk.kind in ("function", "method")),
        version=OLDER_VERSION if any(chunk.path.startswith(folder) for folder in older) else 1.0,
    )


def _whole_names(question: Question) -> Collection[str]:
    """The names that the question is sure of, each by its last part."""
    alone = question.loose_names if question.loose_names == (question.text,) else ()
    return {re.split(r"\W+", name)[-1] for name in (*question.names, *alone)} - {""}


def _shortness(question: Question) -> float:
    return min(1.0, SHORT_QUESTION / max(1, len(question.concepts)))


def _found(candidate: Candidate, explain: bool) -> Found:
    return Found(
        candidate.chunk, candidate.score, candidate.found_by, asdict(candidate.signals) if explain else {}
    )
