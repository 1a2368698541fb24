from tools.near_paths import did_you_mean, near_paths

KNOWN = ["src/flask/app.py", "src/flask/sansio/app.py", "src/flask/sessions.py", "docs/api.rst", "README.md"]


def test_the_same_file_name_comes_first_nearest_path_first() -> None:
    assert near_paths("flask/sansio/app.py", KNOWN)[:2] == ["src/flask/sansio/app.py", "src/flask/app.py"]


def test_a_misspelt_name_is_found() -> None:
    assert near_paths("src/flask/session.py", KNOWN) == ["src/flask/sessions.py"]
    assert near_paths("readme.md", KNOWN) == ["README.md"]


def test_a_citation_given_as_a_path_is_understood() -> None:
    assert near_paths("src/flask/sessions.py:41-52", KNOWN) == ["src/flask/sessions.py"]


def test_nothing_is_suggested_for_nothing_alike() -> None:
    assert did_you_mean("kafka/consumer.go", KNOWN) == ""


def test_the_suggestion_is_a_sentence() -> None:
    assert did_you_mean("sessions.py", KNOWN) == " Did you mean `src/flask/sessions.py`?"
