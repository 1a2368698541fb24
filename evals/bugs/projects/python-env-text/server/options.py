"""Options of the server, from its environment."""

import os

DEFAULT_WORKERS = 4


def workers():
    return os.environ.get("WORKERS", DEFAULT_WORKERS)


def host():
    return os.environ.get("HOST", "127.0.0.1")
