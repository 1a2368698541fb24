"""Rooms and how long they are booked."""


class BookingError(ValueError):
    """A booking that cannot be made."""


def check_nights(nights):
    if nights <= 0:
        raise BookingError(f"a booking needs at least one night, not {nights}")
    return nights


def nights_between(arrival, departure):
    return (arrival - departure).days


def price(rate, nights):
    return rate * check_nights(nights)
