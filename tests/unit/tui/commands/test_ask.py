"""How an answer ends the command, in every status that there is."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from typing import get_args

import pytest
from jsonschema import Draft202012Validator
from support.answers import answered, without_evidence

from agent.answer import Status
from tui.commands.ask import exit_of
from tui.exits import ExitCode
from tui.json_output import answer_document
from tui.plain import closing_lines
from tui.spoken import ENGLISH, JAPANESE, PORTUGUESE, SPANISH, Spoken

SCHEMA = Draft202012Validator(json.loads((files("tui.schemas") / "answer.schema.json").read_text("utf-8")))
CODES = {
    "answered": ExitCode.ANSWERED,
    "partial": ExitCode.ANSWERED,
    "no_evidence": ExitCode.NO_EVIDENCE,
    "could_not_search": ExitCode.COULD_NOT_SEARCH,
    "model_failed": ExitCode.MODEL_UNAVAILABLE,
}


@pytest.mark.parametrize("status", get_args(Status))
def test_every_status_has_its_exit_code_and_a_place_in_the_document(status: Status) -> None:
    filled = replace(answered() if status in ("answered", "partial") else without_evidence(), status=status)
    assert exit_of(filled) == CODES[status]
    assert filled.is_empty == (status not in ("answered", "partial"))
    SCHEMA.validate(answer_document(filled))


def test_a_spent_budget_is_told_apart_from_no_evidence_and_spent_seconds_from_a_failure_of_the_model() -> (
    None
):
    spent = replace(without_evidence(), budget_spent="tokens")
    assert exit_of(spent) == ExitCode.BUDGET_SPENT
    assert exit_of(replace(spent, status="model_failed")) == ExitCode.MODEL_UNAVAILABLE
    assert exit_of(replace(spent, status="model_failed", budget_spent="seconds")) == ExitCode.BUDGET_SPENT


@pytest.mark.parametrize("spoken", [ENGLISH, SPANISH, PORTUGUESE, JAPANESE])
def test_a_model_that_failed_is_called_that_in_every_language_and_never_no_evidence(spoken: Spoken) -> None:
    heading, *rest = closing_lines(replace(without_evidence(), status="model_failed"), spoken)
    assert str(heading) == spoken.model_failed
    assert spoken.no_evidence not in map(str, rest)
    late = replace(without_evidence(), status="model_failed", budget_spent="seconds")
    assert str(closing_lines(late, spoken)[0]) == spoken.out_of_time


def test_what_became_of_a_reranking_is_a_fact_of_the_document() -> None:
    (searched,) = answered().searched
    told = replace(answered(), searched=(replace(searched, reranked="reranked by the model"),))
    document = answer_document(told)
    SCHEMA.validate(document)
    assert document["searched"][0]["reranked"] == "reranked by the model"
    assert "reranked" not in answer_document(answered())["searched"][0]
