import pytest

from tui.amounts import about, many


def test_one_is_never_told_as_many():
    assert [many(count, "file") for count in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
    assert many(2, "index", "indexes") == "2 indexes"


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.2, "about 10 seconds"),
        (61, "about 70 seconds"),
        (1500, "about 25 minutes"),
        (7300, "about 3 hours"),
    ],
)
def test_a_length_of_time_is_rounded_up(seconds, told):
    assert about(seconds) == told
