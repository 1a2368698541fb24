from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.drafts import Draft, DraftClaim, draft_schema, read_draft


def test_a_whole_draft_is_read() -> None:
    draft = read_draft(
        json.dumps(
            {
                "no_evidence": False,
                "observed": [
                    {"text": "a", "citations": [{"evidence": "E1", "first_line": 3, "last_line": 4}, "E2"]}
                ],
                "recommendations": [{"text": "b", "citations": [{"evidence": "E2"}]}],
                "steps": ["c"],
                "files_to_review": ["d.py"],
            }
        )
    )
    assert draft == Draft(
        (DraftClaim("a", ("E1:3-4", "E2")),),
        (DraftClaim("b", ("E2",)),),
        ("c",),
        ("d.py",),
        no_evidence=False,
    )


def test_a_code_fence_around_the_object_does_no_harm() -> None:
    assert read_draft('```json\n{"no_evidence": true, "observed": []}\n```') == Draft(no_evidence=True)


@pytest.mark.parametrize("content", ["", "no json", "[1]", '"text"', "{", '{"observed": [}'])
def test_what_is_no_object_is_no_draft(content: str) -> None:
    assert read_draft(content) is None


def test_parts_of_a_wrong_shape_are_left_out() -> None:
    draft = read_draft(
        '{"no_evidence": "yes", "observed": [1, {"text": 5}, {"text": "a", "citations": [7, {"evidence": 1}, '
        '{"evidence": "E1", "first_line": true}]}], "recommendations": {}, "steps": [1, "s"], "files_to_review": null}'
    )
    assert draft == Draft((DraftClaim("a", ("E1",)),), steps=("s",))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["observed", "text", "citations", "evidence", "first_line", "steps", "x"]),
                inner,
            )
        ),
    )
)
def test_any_json_can_be_read(value: object) -> None:
    draft = read_draft(json.dumps(value))
    assert draft is None or isinstance(draft, Draft)


def test_the_schema_admits_only_ids_that_were_shown() -> None:
    schema = draft_schema(("E1", "E2"))
    citation = schema["properties"]["observed"]["items"]["properties"]["citations"]["items"]
    assert citation["properties"]["evidence"]["enum"] == ["E1", "E2"]
