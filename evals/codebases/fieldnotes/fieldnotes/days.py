"""Days, weeks and seasons."""

from __future__ import annotations

from datetime import date, timedelta

_SEASONS = ("winter", "spring", "summer", "autumn")


def is_leap(year: int) -> bool:
    """Whether the year has a 29th of February.

    >>> is_leap(2000)
    True
    """
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def season(month: int, southern: bool = False) -> str:
    """The season of a month, by the weather's calendar.

    >>> season(7)
    'summer'
    """
    if not 1 <= month <= 12:
        raise ValueError(f"no month {month}")
    index = month % 12 // 3
    if southern:
        index = (index + 2) % 4
    return _SEASONS[index]


def days_between(first: date, last: date) -> int:
    """Days from the first to the last, whichever way round they are."""
    return abs((last - first).days)


def next_weekday(day: date, weekday: int) -> date:
    """The next such day of the week (Monday is 0), never the day itself."""
    ahead = (weekday - day.weekday()) % 7
    return day + timedelta(days=ahead or 7)


def week_label(day: date) -> str:
    """The week as in a diary.

    >>> week_label(date(2024, 1, 1))
    '2024-W01'
    """
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"


def parse_day(text: str) -> date:
    """A day as people write it: `2024-05-01` or `1.5.2024`.

    >>> parse_day("1.5.2024")
    datetime.date(2024, 5, 1)
    """
    if "." in text:
        day, month, year = (int(part) for part in text.split("."))
        return date(year, month, day)
    return date.fromisoformat(text)
