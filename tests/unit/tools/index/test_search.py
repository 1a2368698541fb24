"""The searcher over small catalogs: each leg, the order of results, and the judgement on the evidence."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.catalogs import CountingEmbedder, catalog_of

from tools.index.coverage import is_absent
from tools.index.embedder import EmbedderUnavailable
from tools.index.records import Filters
from tools.index.search import Query, Searcher, SearchOutcome
from tools.index.store import StoreUnavailable
from tools.index.vector_fill import fill_vectors

FILES = {
    "src/sessions.py": [
        "import hmac",
        "def sign_cookie(session, secret):\n    # sign the session cookie\n    return hmac.new(secret, session)",
        "def open_session(request):\n    return request.cookies.get('session')",
    ],
    "src/routing.py": [
        "def match_route(path):\n    raise LookupError('no route matches'\n        ' this path')",
        "def build_url(route):\n    return route.url",
    ],
    "src/config.py": ["def load_config(filename):\n    return read(filename)", "class Engine:\n    pass"],
    "tests/test_sessions.py": ["def test_sign_cookie():\n    assert sign_cookie('session cookie', 'sign')"],
    "docs/sessions.md": [
        "Session cookies\n\nThe session cookie is signed. Who signs the session cookie? The sign step."
    ],
    "src/padding.py": [f"def helper_{n}():\n    return {n}" for n in range(12)],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "index"
    catalog_of(folder, FILES).close()
    return folder


@pytest.fixture(scope="module")
def searcher(folder: Path) -> Searcher:
    return Searcher(catalog_of(folder, {}), None)


def names(outcome: SearchOutcome) -> list[str]:
    return [found.chunk.symbol for found in outcome.results]


def first_path(searcher: Searcher, text: str, **filters: tuple[str, ...]) -> str:
    return searcher.search(Query(text, filters=Filters(**filters))).results[0].chunk.path


def test_a_question_in_words_finds_the_source_before_tests_and_docs(searcher: Searcher) -> None:
    outcome = searcher.search(Query("Where is the session cookie signed?", explain=True))
    assert outcome.results[0].chunk.symbol == "sign_cookie"
    assert outcome.results[0].found_by == ("keyword",)
    assert outcome.results[0].signals["coverage"] == 1.0
    assert outcome.coverage == 1.0
    assert not is_absent(outcome.evidence_score, outcome.language)


def test_docs_come_first_when_they_are_asked_for(searcher: Searcher) -> None:
    assert (
        first_path(searcher, "Which documentation says who signs the session cookie?") == "docs/sessions.md"
    )


def test_a_definition_comes_before_its_uses(searcher: Searcher) -> None:
    outcome = searcher.search(Query("Where is `sign_cookie` defined?"))
    assert names(outcome)[0] == "sign_cookie"
    assert outcome.results[0].found_by[0] == "symbol"


def test_a_name_in_other_case_is_found_too(searcher: Searcher) -> None:
    assert names(searcher.search(Query("where is SIGN_COOKIE")))[0] == "sign_cookie"


def test_a_single_word_is_looked_up_as_a_name(searcher: Searcher) -> None:
    assert names(searcher.search(Query("Engine")))[0] == "Engine"


def test_a_quoted_message_is_found_across_the_lines_it_is_written_on(searcher: Searcher) -> None:
    outcome = searcher.search(Query('Which function raises "no route matches this path"?'))
    assert names(outcome)[0] == "match_route"
    assert "message" in outcome.results[0].found_by
    assert outcome.evidence_score == 1.0


def test_filters_hold_in_every_leg(searcher: Searcher) -> None:
    for text in ("`sign_cookie` session", 'who raises "no route matches this path"', "session cookie"):
        outcome = searcher.search(Query(text, filters=Filters(path=("tests/",))))
        assert {found.chunk.path for found in outcome.results} <= {"tests/test_sessions.py"}


@pytest.mark.parametrize(
    "question",
    [
        "¿Dónde se firma la cookie de sesión?",
        "Onde o cookie de sessão é assinado?",
        "セッションクッキーの署名はどこ",
    ],
)
def test_questions_in_other_languages_find_the_same(searcher: Searcher, question: str) -> None:
    outcome = searcher.search(Query(question))
    assert names(outcome)[0] == "sign_cookie"
    assert not is_absent(outcome.evidence_score, outcome.language)


@pytest.mark.parametrize(
    "question",
    [
        "Where is the blockchain ledger mined?",
        "Where is `CircuitBreaker` defined?",
        "¿Dónde se entrena la red neuronal?",
        "Onde fica o carrinho de compras?",
        "ブロックチェーンはどこで検証されますか",
    ],
)
def test_what_is_not_there_is_said_to_be_absent(searcher: Searcher, question: str) -> None:
    outcome = searcher.search(Query(question))
    assert is_absent(outcome.evidence_score, outcome.language)


def test_missing_words_are_named(searcher: Searcher) -> None:
    outcome = searcher.search(Query("How is the session stored in Redis?"))
    assert outcome.missing == ("stored", "Redis")
    assert 0 < outcome.missing_weight < 1


def test_another_phrasing_can_bring_the_evidence(searcher: Searcher) -> None:
    alone = searcher.search(Query("tamper proofing of client state"))
    both = searcher.search(Query("tamper proofing of client state", more=("sign session cookie",)))
    assert both.evidence_score > alone.evidence_score
    assert "sign_cookie" in names(both)


def test_one_file_does_not_take_all_first_places(tmp_path: Path) -> None:
    files = {"many.py": [f"def parse_{n}():\n    return parse(token) + {n}" for n in range(8)]}
    files["few.py"] = ["def parse_token():\n    return 1"]
    outcome = Searcher(catalog_of(tmp_path / "index", files), None).search(Query("parse", limit=5))
    assert "few.py" in [found.chunk.path for found in outcome.results[:4]]


def test_a_copy_is_shown_once(tmp_path: Path) -> None:
    files = {f"{name}.py": ["def zap():\n    return laser"] for name in ("a", "b", "c")}
    assert len(Searcher(catalog_of(tmp_path / "index", files), None).search(Query("zap laser")).results) == 1


def test_an_empty_index_and_an_empty_question_find_nothing(tmp_path: Path, searcher: Searcher) -> None:
    outcome = Searcher(catalog_of(tmp_path / "index", {}), None).search(Query("anything"))
    assert outcome.results == ()
    assert is_absent(outcome.evidence_score, outcome.language)
    assert searcher.search(Query("   ")).results == ()


class BrokenEmbedder(CountingEmbedder):
    def embed_query(self, text: str) -> NDArray[np.float32]:
        raise EmbedderUnavailable("no", cause="the process died", hint="none")


class BrokenVectors:
    def nearest(
        self, vector: NDArray[np.float32], count: int, among: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        raise StoreUnavailable("no", cause="the folder is damaged", hint="none")


@pytest.fixture
def with_vectors(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "index"
    catalog_of(folder, FILES).close()
    fill_vectors(folder, CountingEmbedder(), progress=lambda _: None, stop=lambda: False)
    return folder


def test_vectors_find_what_words_do_not(with_vectors: Path) -> None:
    outcome = Searcher(catalog_of(with_vectors, {}), CountingEmbedder()).search(Query("hmac.ewn erterc"))
    assert outcome.vectors_share == 1.0
    assert any("vector" in found.found_by for found in outcome.results)


def test_vectors_do_not_change_the_verdict(with_vectors: Path) -> None:
    catalog = catalog_of(with_vectors, {})
    for text in (
        "Where is the session cookie signed?",
        "Where is the blockchain ledger mined?",
        "load the route",
    ):
        without, with_them = Searcher(catalog, None), Searcher(catalog, CountingEmbedder())
        assert with_them.search(Query(text)).evidence_score == without.search(Query(text)).evidence_score


def test_a_failing_embedder_leaves_keywords_and_says_so(with_vectors: Path) -> None:
    outcome = Searcher(catalog_of(with_vectors, {}), BrokenEmbedder()).search(Query("sign session cookie"))
    assert names(outcome)[0] == "sign_cookie"
    assert outcome.notes == ("searched without vectors: the process died",)


def test_a_failing_store_leaves_exact_search(with_vectors: Path) -> None:
    searcher = Searcher(catalog_of(with_vectors, {}), CountingEmbedder(), BrokenVectors())
    outcome = searcher.search(Query("sign session cookie"))
    assert any("vector" in found.found_by for found in outcome.results)
    assert outcome.notes == ("searched without Chroma: the folder is damaged",)
