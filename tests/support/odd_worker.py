"""A child for `tools/worker.py` that does what it is told: answer, die, hang, print, or say what it sees."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading

from tools.worker import serve


def handle(request: bytes) -> bytes:
    """Do the request's first word with the rest."""
    word, _, rest = request.partition(b" ")
    match word:
        case b"die":
            print("the last words", file=sys.stderr)
            os._exit(7)
        case b"raise":
            raise RuntimeError(rest.decode())
        case b"hang":
            threading.Event().wait()
        case b"print":
            print(rest.decode(), flush=True)
        case b"environment":
            seen = {"cwd": os.getcwd(), "path": sys.path, "environment": dict(os.environ), "pid": os.getpid()}
            return json.dumps(seen).encode()
        case b"connect":
            line = socket.create_connection(("127.0.0.1", int(rest)))
            line.sendall(b"here")
            threading.current_thread().__dict__["line"] = line  # open for as long as this process lives
        case _:
            pass
    return rest


if __name__ == "__main__":
    serve(handle)
