"""Prices in cents."""


def discounted(price, percent):
    """The price less `percent` of it."""
    return price - price * percent // 100


def with_tax(price, percent=20):
    return price + price * percent // 100
