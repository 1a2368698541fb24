"""A test file in a model's reply."""

import json

import pytest
from jsonschema import Draft202012Validator

from agent.drafting.model_draft import model_draft_schema, read_model_draft

PIN = {"test": "test_a", "text": "`a` gives 1", "citations": [{"evidence": "E1"}]}


def test_what_the_schema_asks_for_is_read():
    reply = {"file": "def test_a():\n    assert a() == 1", "pins": [PIN]}
    Draft202012Validator(model_draft_schema(["E1"])).validate(reply)
    draft = read_model_draft(json.dumps(reply))
    assert draft.text == "def test_a():\n    assert a() == 1\n"
    assert [(pin.test, pin.claim.citations) for pin in draft.pins] == [("test_a", ("E1",))]


def test_a_fence_around_the_file_is_taken_off():
    draft = read_model_draft(json.dumps({"file": "```python\nx = 1\r\n```", "pins": "none"}))
    assert (draft.text, draft.pins) == ("x = 1\n", ())


@pytest.mark.parametrize("reply", ["", "no JSON", "[]", '{"file": 3}', '{"file": " "}', "{" * 2000])
def test_what_holds_no_file_is_none(reply):
    assert read_model_draft(reply) is None
