import pytest
from fieldnotes.text import slugify


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        pytest.param("Heron at the River", "heron-at-the-river", id="words"),
        pytest.param("  Tern!  ", "tern", id="what is no word"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_slugify_joins_words(title: str, expected: str) -> None:
    assert slugify(title) == expected
