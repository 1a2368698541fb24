"""Claims come out of a draft as they are closed, however the stream is cut."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.draft_stream import DraftStream, StreamedClaim
from agent.drafts import read_draft


def pieces_of(text: str, size: int = 1) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def streamed(*pieces: str) -> list[StreamedClaim]:
    stream = DraftStream()
    return [claim for piece in pieces for claim in stream.take(piece)]


def claim(text: str, *ids: str) -> dict[str, Any]:
    return {"text": text, "citations": [{"evidence": id_, "first_line": 1, "last_line": 2} for id_ in ids]}


texts = st.text(max_size=20) | st.sampled_from(['"}', "\\", '{"a": [', "]}", '\\"', "no_evidence", "```"])
claims = st.lists(st.builds(claim, texts, st.sampled_from(["E1", "E2"])), max_size=4)


@given(observed=claims, recommendations=claims, steps=st.lists(texts, max_size=3), size=st.integers(1, 9))
def test_what_streams_is_what_the_whole_draft_holds(
    observed: list[dict[str, Any]], recommendations: list[dict[str, Any]], steps: list[str], size: int
) -> None:
    text = json.dumps(
        {"no_evidence": False, "steps": steps, "observed": observed, "recommendations": recommendations},
        ensure_ascii=False,
    )
    whole = read_draft(text)
    assert whole is not None
    found = streamed(*pieces_of(text, size))
    assert [each.claim for each in found if not each.recommendation] == list(whole.observed)
    assert [each.claim for each in found if each.recommendation] == list(whole.recommendations)


def test_a_claim_comes_with_the_piece_that_closes_it() -> None:
    stream = DraftStream()
    assert stream.take('{"no_evidence": false, "observed": [{"text": "a", "citations": ["E1"]') == []
    (first,) = stream.take('}, {"text": "b"')
    assert (first.claim.text, first.claim.citations) == ("a", ("E1",))
    assert [each.claim.text for each in stream.take(', "citations": []}')] == ["b"]


def test_claims_wait_until_the_draft_says_that_there_is_evidence() -> None:
    stream = DraftStream()
    assert stream.take('{"observed": [{"text": "a", "citations": ["E1"]}], "no_') == []
    assert [each.claim.text for each in stream.take('evidence": false}')] == ["a"]


def test_a_draft_that_says_that_there_is_no_evidence_claims_nothing() -> None:
    assert streamed('{"no_evidence": true, "observed": [{"text": "a", "citations": ["E1"]}]}') == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot answer that.",
        '[{"text": "a"}]',
        '"observed": [{"text": "a"}]',
        '{"no_evidence": false, "observed": {"text": "a", "citations": []}}',
        '{"no_evidence": false, "observed": [{"words": "a"}, "b", 3, [{"text": "c"}]]}',
        '{"no_evidence": false, "steps": [{"text": "a", "citations": []}]}',
        '{"no_evidence": "false", "observed": [{"text": "a", "citations": []}]}',
        '{"no_evidence": false, "observed": [{"text": "a", "citations": [',
        "}}]]{{{[",
    ],
)
def test_what_is_no_whole_claim_does_not_come_out(text: str) -> None:
    assert streamed(*pieces_of(text)) == []


def test_a_fence_and_words_before_the_object_do_no_harm() -> None:
    text = 'Here it is:\n```json\n{"no_evidence":false,"observed":[{"text":"a","citations":["E1"]}]}\n```'
    assert [each.claim.text for each in streamed(text)] == ["a"]


@given(st.text(alphabet='{}[]":,\\ tfno_evidenceobserved', max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    streamed(*pieces_of(text, 3))
