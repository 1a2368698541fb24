"""A child for `tools/worker.py` that does what it is told: answer, die, hang, print, or say what it sees."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from functools import partial
from pathlib import Path

from tools.worker import serve


def handle(request: bytes, lines: list[socket.socket]) -> bytes:
    """Do the request's first word with the rest; `lines` stay open for as long as this process lives."""
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
            seen = {
                "cwd": str(Path.cwd()),
                "path": sys.path,
                "environment": dict(os.environ),
                "pid": os.getpid(),
            }
            return json.dumps(seen).encode()
        case b"connect":
            lines.append(socket.create_connection(("127.0.0.1", int(rest))))
            lines[-1].sendall(b"here")
        case _:
            pass
    return rest


if __name__ == "__main__":
    serve(partial(handle, lines=[]))
