from __future__ import annotations

import pytest

from agent.backends.extractive.text_draft import done_to


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        ('let pager = env::var("BAT_PAGER");', "setting_read"),
        ('host = os.environ["OLLAMA_HOST"]', "setting_read"),
        ("const host = process.env.OLLAMA_HOST", "setting_read"),
        ('insecure, err := cmd.Flags().GetBool("insecure")', "setting_read"),
        ('domain = app.config["COOKIE_DOMAIN"]', "setting_read"),
        ('env["OLLAMA_HOST"] = "0.0.0.0"', "setting_written"),
        ('std::env::set_var("BAT_PAGER", "most");', "setting_written"),
        ('std::env::remove_var("BAT_PAGER");', "text_found"),
        ('("--pager", "BAT_PAGER"),', "text_found"),
    ],
)
def test_what_a_line_does_to_a_setting_is_told_only_where_it_shows(line: str, phrase: str) -> None:
    assert done_to(line) == phrase
