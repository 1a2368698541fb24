"""Passwords are kept as scrypt digests, never in the clear."""

from __future__ import annotations

import hashlib
import hmac
import os

SALT_BYTES = 16
MIN_LENGTH = 12
COST = 2**14


class WeakPassword(ValueError):
    """The password is too short to be accepted."""


def hash_password(password: str) -> bytes:
    """Return salt and digest as one value, fit for the `password_digest` column."""
    if len(password) < MIN_LENGTH:
        raise WeakPassword(f"a password needs {MIN_LENGTH} characters")
    salt = os.urandom(SALT_BYTES)
    return salt + _digest(password, salt)


def verify_password(password: str, stored: bytes) -> bool:
    """Compare in constant time, so that the answer's timing tells nothing."""
    salt, expected = stored[:SALT_BYTES], stored[SALT_BYTES:]
    return hmac.compare_digest(_digest(password, salt), expected)


def _digest(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=COST, r=8, p=1)
