from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.claim_numbers import can_be_counted, holds_number, numbers_said
from agent.held import Held


@pytest.mark.parametrize(
    ("prose", "readings", "unit"),
    [
        ("waits 30 seconds", {"30"}, "seconds"),
        ("waits 30s", {"30"}, "seconds"),
        ("has 1,800 of them", {"1800"}, ""),
        ("has 8.000 of them", {"8", "8000"}, ""),
        ("is 0,5 now", {"0.5"}, ""),
        ("is .5 now", {"0.5"}, ""),
        ("is -1 now", {"-1"}, ""),
        ("is 19% now", {"19", "0.19"}, "percent"),
        ("is 19 por ciento", {"19"}, ""),
        ("is ٧ now", {"7"}, ""),
        ("セッションは45分で", {"45"}, "minutes"),
        ("三回まで", {"3"}, ""),
        ("二十五分です", {"25"}, "minutes"),
        ("makes three attempts", {"3"}, ""),
        ("twenty-five minutes", {"25"}, "minutes"),
        ("two hundred of them", {"200"}, ""),
        ("treinta y cinco minutos", {"35"}, "minutes"),
        ("vinte e cinco segundos", {"25"}, "seconds"),
        ("one hour", {"1"}, "hours"),
        ("half a minute", {"0.5"}, "minutes"),
        ("media docena de horas", {"6"}, ""),
    ],
)
def test_a_number_is_read_in_digits_and_in_words(prose: str, readings: set[str], unit: str) -> None:
    assert [(set(number.readings), number.unit) for number in numbers_said(prose)] == [(readings, unit)]


@pytest.mark.parametrize(
    "prose",
    [
        "one of them",
        "una de ellas",
        "uma vez",
        "once",
        "一つ",
        "十分です",
        "二度と",
        "does two things",
        "a 2xx answer",
        "utf8 v2",
    ],
)
def test_what_only_sounds_like_a_number_is_none(prose: str) -> None:
    assert not list(numbers_said(prose))


@pytest.mark.parametrize(
    ("prose", "line"),
    [
        ("45 minutes", "SESSION_MINUTES = 45"),
        ("45 minutes", "LIFETIME = 45"),
        ("30 minutes", "SECONDS = 30 * 60"),
        ("8000 ms", "timeoutMs ?? 8000"),
        ("30 seconds", 'timeout: "30s"'),
        ("19%", 'VAT_RATE = Decimal("0.19")'),
        ("15 percent", "width: 15%"),
        ("1,800 of them", "ttl = 1_800"),
        ("5 of them", "rate = 5.0"),
        ("-1", "return -1"),
        ("1", "x-1"),
    ],
)
def test_a_line_holds_an_equal_number_whose_unit_it_does_not_deny(prose: str, line: str) -> None:
    (said,) = numbers_said(prose)
    assert holds_number(line, said)


@pytest.mark.parametrize(
    ("prose", "line"),
    [
        ("45 seconds", "SESSION_MINUTES = 45"),
        ("45 bytes", "SESSION_MINUTES = 45"),
        ("5000 euros", "FREE_SHIPPING_CENTS = 5000"),
        ("30%", "PAYMENT_DAYS = 30"),
        ("-1", "return 1"),
        ("1", "return -1"),
        ("4", "n = 45"),
        ("45", "x45 = 1"),
        ("0.190001", "0.19"),
    ],
)
def test_another_number_sign_or_unit_is_not_held(prose: str, line: str) -> None:
    (said,) = numbers_said(prose)
    assert not holds_number(line, said)


def test_a_count_in_words_may_be_counted_in_an_enumeration() -> None:
    held = Held("POST /v1/login\nPOST /v1/orders", "", frozenset())
    assert not held.absent("Two routes: `/v1/login` and `/v1/orders`.")
    assert held.absent("Three routes: `/v1/login` and `/v1/orders`.") == ["Three"]


def test_how_often_the_first_name_occurs_may_be_counted_and_nothing_else_may() -> None:
    (times,) = numbers_said("three times")
    (attempts,) = numbers_said("three attempts")
    lines = "f(1)\nf(2)\nf(3)"
    assert can_be_counted(times, "", "f", lines)
    assert not can_be_counted(times, "", "f", lines + "\nf(4)")
    assert not can_be_counted(attempts, "", "f", lines)


@given(st.integers(2, 99), st.integers(2, 99))
def test_digits_are_held_exactly_where_they_are_equal(said: int, there: int) -> None:
    (number,) = numbers_said(f"it is {said} now")
    assert holds_number(f"value = {there}", number) == (said == there)
