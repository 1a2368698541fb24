import json
from dataclasses import replace
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator
from support.answers import LINES, answered, without_evidence

from tools.errors import UserError
from tui.console import as_json
from tui.exits import ExitCode
from tui.json_output import answer_document, error_document

SCHEMAS = {
    path.name: json.loads(path.read_text("utf-8"))
    for path in files("tui.schemas").iterdir()
    if path.name.endswith(".json")
}


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_every_schema_is_a_valid_schema_that_allows_nothing_further(name):
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    assert schema["title"] == f"codewitness.{name.removesuffix('.schema.json')}/1"
    assert schema["properties"]["schema"] == {"const": schema["title"]}


@pytest.mark.parametrize("answer", [answered(), without_evidence()], ids=lambda answer: answer.status)
def test_an_answer_fits_its_schema(answer):
    Draft202012Validator(SCHEMAS["answer.schema.json"]).validate(answer_document(answer))


def test_a_citation_tells_its_kind_and_quotes_its_lines():
    observed = answer_document(answered())["observed"]
    assert observed[0]["citations"] == [
        {
            "kind": "lines",
            "path": LINES.path,
            "first_line": 41,
            "last_line": 43,
            "text": LINES.text,
            "sha256": LINES.sha256,
        }
    ]
    assert [citation["kind"] for citation in observed[1]["citations"]] == ["test_run", "commit"]


def test_what_is_rarely_to_be_said_stands_there_only_when_it_is():
    document = answer_document(without_evidence())
    assert not {"notice", "budget_spent"} & document.keys()
    assert "error" not in document["searched"][0]
    assert document["searched"][1]["error"] == "ripgrep timed out"
    spent = answer_document(replace(without_evidence(), budget_spent="seconds"))
    assert spent["budget_spent"] == "seconds"


def test_an_error_fits_its_schema():
    document = error_document(UserError("what", cause="why", hint="do"), ExitCode.MODEL_UNAVAILABLE)
    Draft202012Validator(SCHEMAS["error.schema.json"]).validate(document)
    assert document["exit"] == 3


def test_a_document_is_printable_ascii_and_reads_back_the_same():
    hostile = "\x1b[31m\x7f\x9b\u202e\ud800 日本"
    written = as_json({"text": hostile})
    assert all(character == "\n" or " " <= character <= "~" for character in written)
    assert json.loads(written) == {"text": hostile}
