import pytest
from fieldnotes.numbers import mean


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([2.0], 2.0, id="one"),
        pytest.param([1, 2, 6], 3.0, id="several"),
    ],
)
def test_mean_divides_the_sum(values: list[float], expected: float) -> None:
    assert mean(values) == expected


def test_mean_refuses_nothing() -> None:
    with pytest.raises(ValueError, match="no values"):
        mean([])
