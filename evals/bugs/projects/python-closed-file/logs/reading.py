"""Log files, line by line."""


def read_lines(path):
    """The lines of a log that are not empty."""
    with open(path, encoding="utf-8") as handle:
        return (line.rstrip("\n") for line in handle if line.strip())


def read_all(path):
    with open(path, encoding="utf-8") as handle:
        return handle.read()
