"""Versions as the index lists them."""


def newest(versions):
    """The newest of some versions like `1.10.2`."""
    return max(versions)


def is_newer(one, other):
    return newest([one, other]) == one and one != other
