from dataclasses import fields

import pytest
from support.answers import without_evidence

from tui.audit import audit_lines
from tui.spoken import ENGLISH, JAPANESE, PORTUGUESE, SPANISH, SPOKEN, Spoken, spoken_for


@pytest.mark.parametrize(
    ("question", "spoken"),
    [
        ("Where are cookies signed?", ENGLISH),
        ("¿Dónde se firman las cookies?", SPANISH),
        ("Onde os cookies são assinados?", PORTUGUESE),
        ("クッキーはどこで署名されますか?", JAPANESE),
    ],
)
def test_the_phrases_follow_the_question(question, spoken):
    assert spoken_for(question) is spoken


def test_no_phrase_is_missing_or_left_in_english():
    for language, spoken in SPOKEN.items():
        for field in fields(Spoken):
            said = getattr(spoken, field.name)
            assert said or (spoken is ENGLISH and field.name == "index"), (language, field.name)
            assert spoken is ENGLISH or said != getattr(ENGLISH, field.name), (language, field.name)


@pytest.mark.parametrize("spoken", SPOKEN.values())
def test_an_audit_says_the_same_in_every_language(spoken):
    text = "\n".join(audit_lines(without_evidence(), spoken))
    assert 'semantic_search {"queries": ["moon landing"]}: ' in text
    for told in ("ripgrep timed out", "83", "1204", "62%", "14"):
        assert told in text
    assert "{" not in text.replace('{"queries"', "").replace('{"name"', "")
