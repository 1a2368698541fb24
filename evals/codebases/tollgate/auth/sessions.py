"""Sessions live in SQLite; the browser holds only an opaque token."""

from __future__ import annotations

import secrets
import sqlite3
import time
from dataclasses import dataclass

SESSION_MINUTES = 45
TOKEN_BYTES = 32
COOKIE_NAME = "tg_session"


class SessionExpired(Exception):
    """The token was valid once."""


@dataclass(frozen=True)
class Session:
    token: str
    user_id: int
    expires_at: float


class SessionStore:
    """Creates, finds and revokes sessions."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def create(self, user_id: int) -> Session:
        """Start a session for a user who has just logged in."""
        session = Session(secrets.token_urlsafe(TOKEN_BYTES), user_id, time.time() + SESSION_MINUTES * 60)
        self._database.execute(
            "INSERT INTO sessions VALUES (?, ?, ?)", (session.token, session.user_id, session.expires_at)
        )
        return session

    def find(self, token: str) -> Session | None:
        """The session of a token, or None when nobody has it.

        Raises: SessionExpired.
        """
        row = self._database.execute("SELECT * FROM sessions WHERE token = ?", (token,)).fetchone()
        if row is None:
            return None
        session = Session(*row)
        if session.expires_at < time.time():
            self.revoke(token)
            raise SessionExpired(token)
        return session

    def revoke(self, token: str) -> None:
        """Forget a session; an unknown token is no error."""
        self._database.execute("DELETE FROM sessions WHERE token = ?", (token,))

    def revoke_all(self, user_id: int) -> int:
        """Forget every session of a user, after a change of password; how many there were."""
        return self._database.execute("DELETE FROM sessions WHERE user_id = ?", (user_id,)).rowcount
