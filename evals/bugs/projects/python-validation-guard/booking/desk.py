from datetime import date

from booking.rooms import nights_between, price

RATE = 80


def parse_day(text):
    return date.fromisoformat(text)


def quote(arrival, departure):
    nights = nights_between(parse_day(arrival), parse_day(departure))
    return f"{price(RATE, nights)} EUR"
