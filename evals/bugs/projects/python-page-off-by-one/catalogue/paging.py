"""Lists cut into pages of equal size."""


def page_count(total, size):
    """How many pages `total` items fill."""
    return total // size + 1


def page_bounds(number, size):
    first = (number - 1) * size
    return first, first + size


def cut(items, size):
    pages = []
    for start in range(0, len(items), size):
        pages.append(items[start : start + size])
    return pages
