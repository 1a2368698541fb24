"""Files as suppliers send them."""

import csv


def open_export(path):
    """The export, opened for reading; suppliers write it with Excel."""
    return open(path, encoding="utf-8", newline="")


def write_rows(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as handle:
        csv.writer(handle).writerows(rows)
