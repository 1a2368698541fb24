from datetime import datetime, timezone


def is_expired(token, now):
    return token.expires < now


def admit(token):
    now = datetime.now(timezone.utc)
    if is_expired(token, now):
        return "expired"
    return f"welcome, {token.owner}"
