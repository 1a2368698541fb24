"""A small HTTP/1.1 server on a real socket whose replies are given to the byte, for fakes of model servers.

Every request is recorded. A reply can be held back by gates, break off anywhere, or never end; that a client
hung up is noticed and recorded. Each connection has its thread, so it serves any client, in this process or another.
"""

from __future__ import annotations

import json
import select
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any, Literal

PATIENCE_SECONDS = 20.0
"""No wait in here is longer: a test that goes wrong ends."""


@dataclass(frozen=True)
class Reply:
    """One reply. `lines` go out as chunks, each flushed; without them `body` goes out whole."""

    lines: Sequence[bytes] = ()
    body: bytes = b""
    status: int = 200
    content_type: str = "application/json; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    ending: Literal["whole", "drop", "never"] = "whole"
    """`drop` closes the socket without the last chunk; `never` repeats the last line until the client is gone."""
    before_headers: threading.Event | None = None
    before_line: Mapping[int, threading.Event] = field(default_factory=dict[int, threading.Event])
    """Gates: what they hold back goes out once they are set."""
    say_nothing: bool = False
    """Close the socket without a byte."""
    keep_alive: bool = True


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body as an object."""
        return json.loads(self.body or b"{}")


class WireServer:
    """Serves `answer(request)` on 127.0.0.1. Use it as a context manager."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.hang_ups: list[Request] = []
        """Requests whose client was gone before the reply was out."""
        self.hung_up = threading.Event()
        self.waiting = threading.Event()
        """Set while a reply is held back at a gate."""
        self.connections = 0
        self.failures: list[str] = []
        """What a test must not have caused; the server's exit raises it."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self._open: list[socket.socket] = []

    def answer(self, request: Request) -> Reply:
        """The reply to one request."""
        raise NotImplementedError

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> WireServer:
        self._start(self._accept)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.stop()
        if kind is None and self.failures:
            raise AssertionError("; ".join(self.failures))

    def stop(self) -> None:
        """Close the listener and every connection."""
        self._stopping.set()
        with (
            closing(self._listener),
            suppress(OSError),
            closing(socket.create_connection(("127.0.0.1", self.port), 1)),
        ):
            self._threads[0].join(PATIENCE_SECONDS)  # woken by this very connection
        for connection in self._open:
            _shut(connection)
        for thread in self._threads:
            thread.join(PATIENCE_SECONDS)

    def paths(self, method: str = "POST") -> list[str]:
        """The paths that were asked for, in order."""
        return [request.path for request in self.requests if request.method == method]

    # -- connections ---------------------------------------------------------------------------------------------

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            if self._stopping.is_set():
                connection.close()
                return
            connection.settimeout(PATIENCE_SECONDS)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            self._open.append(connection)
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        with closing(connection), connection.makefile("rb") as incoming:
            while not self._stopping.is_set():
                try:
                    request = _read_request(incoming)
                except (OSError, ValueError):
                    return
                if request is None:
                    return
                self.requests.append(request)
                reply = self.answer(request)
                try:
                    self._send(connection, request, reply)
                except OSError:
                    self._gone(request)
                    return
                if reply.ending == "drop" or reply.say_nothing or not reply.keep_alive:
                    return

    def _send(self, connection: socket.socket, request: Request, reply: Reply) -> None:
        if reply.say_nothing:
            return
        self._pass(connection, reply.before_headers)
        if not reply.lines:
            connection.sendall(_head(reply, f"Content-Length: {len(reply.body)}") + reply.body)
            return
        head = _head(reply, "Transfer-Encoding: chunked")
        for at, line in enumerate(reply.lines):
            self._pass(connection, reply.before_line.get(at))
            connection.sendall(head + b"%x\r\n%s\r\n" % (len(line), line))
            head = b""
        while reply.ending == "never":
            self._refuse_if_gone(connection)
            connection.sendall(b"%x\r\n%s\r\n" % (len(reply.lines[-1]), reply.lines[-1]))
        if reply.ending == "whole":
            connection.sendall(b"0\r\n\r\n")

    def _pass(self, connection: socket.socket, gate: threading.Event | None) -> None:
        """Wait at a gate, looking whether the client is still there."""
        if gate is None:
            return
        self.waiting.set()
        while not gate.wait(0.01):
            self._refuse_if_gone(connection)
        self.waiting.clear()

    def _refuse_if_gone(self, connection: socket.socket) -> None:
        if self._stopping.is_set():
            raise OSError("the server stops")
        readable, _, _ = select.select([connection], [], [], 0)
        if readable and not connection.recv(1, socket.MSG_PEEK):
            raise ConnectionResetError("the client hung up")

    def _gone(self, request: Request) -> None:
        if not self._stopping.is_set():
            self.hang_ups.append(request)
            self.hung_up.set()


def json_reply(value: object, status: int = 200) -> Reply:
    """A whole JSON reply."""
    return Reply(body=json.dumps(value, ensure_ascii=False).encode(), status=status)


def _head(reply: Reply, length: str) -> bytes:
    extra = [f"{name}: {value}" for name, value in reply.headers.items()]
    if not reply.keep_alive:
        extra.append("Connection: close")
    lines = [f"HTTP/1.1 {reply.status} X", f"Content-Type: {reply.content_type}", length, *extra]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def _read_request(incoming: Any) -> Request | None:
    first = incoming.readline().decode("latin-1").split()
    if len(first) < 3:
        return None
    headers = dict(_read_headers(incoming))
    body = incoming.read(int(headers.get("content-length", "0")))
    return Request(first[0], first[1], headers, body)


def _read_headers(incoming: Any) -> Iterator[tuple[str, str]]:
    while line := incoming.readline().decode("latin-1").strip():
        name, _, value = line.partition(":")
        yield name.strip().lower(), value.strip()


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
