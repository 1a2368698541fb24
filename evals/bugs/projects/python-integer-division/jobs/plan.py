"""Splits work among workers."""


def batch_size(items, workers):
    return len(items) // workers


def split(items, size):
    return [items[start : start + size] for start in range(0, len(items), size)]


def schedule(items, workers):
    size = batch_size(items, workers)
    return dict(enumerate(split(items, size)))
