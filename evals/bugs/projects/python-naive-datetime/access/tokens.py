"""Tokens that people sign in with."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass
class Token:
    owner: str
    expires: datetime


def parse_expiry(text):
    """When a token ends, from its text such as `2024-05-01 12:00`."""
    return datetime.strptime(text, "%Y-%m-%d %H:%M")


def issue(owner, text):
    return Token(owner, parse_expiry(text))


def prolonged(token, hours):
    return Token(token.owner, token.expires + timedelta(hours=hours))
