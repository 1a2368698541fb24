"""JSON over HTTP to a server that embeds, called from threads that must not hang.

It goes where it is told and nowhere else: no proxy, no redirect, no key. A call that is under way ends at once when
another thread closes the server, since a stop must not wait for a model that is being loaded.
"""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from typing import Any, cast
from urllib.parse import urlsplit

CONNECT_SECONDS = 5.0
MAX_REPLY_BYTES = 64 * 1024 * 1024


class ServerRefused(Exception):
    """The server's own error."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{text or 'it gave no reason'} (HTTP {status})")
        self.status = status
        self.text = text


class ServerUnreachable(Exception):
    """Nothing that speaks JSON answers there, or not in time."""


class EmbeddingServer:
    """One server. Every call has a connection of its own, so calls from several threads do not meet."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._parts = urlsplit(self.url)
        self._busy: set[socket.socket] = set()
        self._guard = threading.Lock()

    def json(self, method: str, path: str, body: object = None, *, timeout_seconds: float) -> dict[str, Any]:
        """One reply, an object.

        Raises: ServerRefused, ServerUnreachable.
        """
        sent = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        try:
            with closing(self._connection()) as connection, self._abandonable(connection, timeout_seconds):
                headers = {"Content-Type": "application/json", "Connection": "close"}
                connection.request(method, f"{self._parts.path}{path}", sent, headers)
                response = connection.getresponse()
                status, reply = response.status, response.read(MAX_REPLY_BYTES + 1)
        except (OSError, http.client.HTTPException) as problem:
            raise ServerUnreachable(_said_by(problem)) from problem
        value = _value(reply)
        if status != http.HTTPStatus.OK:
            raise ServerRefused(status, str(value.get("error") or "") if isinstance(value, dict) else "")
        if not isinstance(value, dict):
            raise ServerUnreachable("what answers there does not speak JSON")
        return value

    def close(self) -> None:
        """End every call that is under way; later ones connect again."""
        with self._guard:
            for one in self._busy:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def _connection(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        return kind(host, port, timeout=CONNECT_SECONDS)

    @contextmanager
    def _abandonable(self, connection: http.client.HTTPConnection, timeout_seconds: float) -> Generator[None]:
        connection.connect()
        one = connection.sock
        one.settimeout(timeout_seconds)
        with self._guard:
            self._busy.add(one)
        try:
            yield
        finally:
            with self._guard:
                self._busy.discard(one)


def _value(reply: bytes) -> dict[str, Any] | None:
    if len(reply) > MAX_REPLY_BYTES:
        return None
    try:
        value: object = json.loads(reply)
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def _said_by(problem: Exception) -> str:
    if isinstance(problem, TimeoutError):
        return "it did not answer in time"
    if isinstance(problem, ConnectionRefusedError):
        return "connection refused"
    if isinstance(problem, http.client.HTTPException):
        return f"what answers there does not speak HTTP as expected ({type(problem).__name__})"
    return (getattr(problem, "strerror", None) or str(problem) or type(problem).__name__).lower()
