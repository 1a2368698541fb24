from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.parsed_files import SESSIONS, parsed_lines, record_of, sessions_parsed

from tools.index.catalog import Catalog
from tools.index.records import ColumnWeights, Filters
from tools.index.words import terms


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with Catalog.open(tmp_path) as opened:
        opened.put_file(record_of("flask/sessions.py", SESSIONS), sessions_parsed(), "source")
        for number in range(8):
            text = f"def test_{number}():\n    assert cookie == {number}\n"
            opened.put_file(record_of(f"tests/test_{number}.py", text), parsed_lines(text, "python"), "tests")
        yield opened


def best(catalog: Catalog, *words: str, **more: object) -> str:
    found = catalog.keyword_search(dict.fromkeys(terms(" ".join(words)), 1.0), **more)
    return catalog.chunks_by_id([found[0][0]])[found[0][0]].qualified_name if found else ""


def test_the_chunk_that_says_it_in_its_name_is_first(catalog: Catalog) -> None:
    assert best(catalog, "cookie domain") == "SessionInterface.get_cookie_domain"


def test_a_name_is_found_however_it_is_written(catalog: Catalog) -> None:
    for written in (
        "getCookieDomain",
        "get_cookie_domain",
        "GetCookieDomain",
        "COOKIE_DOMAIN",
        "cookies' domains",
    ):
        assert best(catalog, written) == "SessionInterface.get_cookie_domain"


def test_scores_are_positive_and_fall(catalog: Catalog) -> None:
    scores = [score for _, score in catalog.keyword_search({"cooki": 1.0, "domain": 1.0})]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0


def test_columns_count_as_they_are_weighted(catalog: Catalog) -> None:
    def score(columns: ColumnWeights) -> float:
        return dict(catalog.keyword_search({"serial": 1.0}, columns=columns)).popitem()[1]

    assert score(ColumnWeights(symbol=10.0)) > score(ColumnWeights(symbol=1.0))


def test_weighted_terms_add_up_as_if_each_were_asked_alone(catalog: Catalog) -> None:
    both = dict(catalog.keyword_search({"domain": 2.0, "cooki": 0.5}))
    domain, cookie = (dict(catalog.keyword_search({term: 1.0})) for term in ("domain", "cooki"))
    for chunk_id, score in both.items():
        assert score == pytest.approx(2.0 * domain.get(chunk_id, 0.0) + 0.5 * cookie.get(chunk_id, 0.0))


def test_equal_weights_are_one_query_with_the_same_scores(catalog: Catalog) -> None:
    together = dict(catalog.keyword_search({"domain": 1.0, "cooki": 1.0}))
    apart = dict(catalog.keyword_search({"domain": 1.0, "cooki": 1.0 + 1e-12}))
    assert together == pytest.approx(apart)


def test_a_filter_and_a_limit_hold(catalog: Catalog) -> None:
    assert best(catalog, "cookie", filters=Filters(area=("source",))).startswith("SessionInterface")
    assert len(catalog.keyword_search({"cooki": 1.0}, limit=3)) == 3
    assert catalog.keyword_search({"cooki": 1.0}, limit=0) == []


def test_document_frequency_counts_chunks(catalog: Catalog) -> None:
    assert catalog.document_frequency(["assert", "absent"]) == {"assert": 8, "absent": 0}
    assert catalog.document_frequency(["assert"], Filters(area=("source",))) == {"assert": 0}
    assert catalog.document_frequency(["domain"], Filters(area=("source",)))["domain"] > 0


def test_hundreds_of_terms_are_no_error(catalog: Catalog) -> None:
    many = {f"word{number}": 1.0 + number / 1000 for number in range(2000)}
    assert catalog.keyword_search({**many, "domain": 50.0})


@pytest.mark.parametrize(
    "term", ["", '"', "a OR b", "NEAR(", "body:x", "*", "\0", "\ud800", "NOT", "-x", "^a"]
)
def test_nothing_in_a_term_is_an_operator_or_an_error(catalog: Catalog, term: str) -> None:
    assert catalog.keyword_search({term: 1.0}) == []
    assert catalog.keyword_search({term: 1.0}, Filters(area=("tests",))) == []
    catalog.document_frequency([term])
    catalog.document_frequency([term], Filters(area=("tests",)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False), max_size=5))
def test_whatever_is_asked_there_is_an_answer(catalog: Catalog, asked: dict[str, float]) -> None:
    catalog.keyword_search(asked)
