"""Thirty-one synthetic secrets, each in the line of source that would hold it: none was ever anybody's."""

from __future__ import annotations

import random

_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789"


def letters(count: int, alphabet: str = _ALPHABET, seed: str = "") -> str:
    return "".join(random.Random(f"{count}{alphabet}{seed}").choices(alphabet, k=count))


def secrets() -> dict[str, tuple[str, str]]:
    """Name → (the line of source that holds it, the value that must never be seen)."""
    hexadecimal = "0123456789abcdef"
    upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    plain: dict[str, str] = {
        "aws": "AKIA" + letters(16, upper),
        "aws temporary": "ASIA" + letters(16, upper, "t"),
        "github": "ghp_" + letters(36),
        "github app": "ghs_" + letters(40),
        "github fine": "github_pat_" + letters(82),
        "gitlab": "glpat-" + letters(20),
        "gitlab runner": "glrt-" + letters(22),
        "slack": "xoxb-" + letters(12, "0123456789") + "-" + letters(24),
        "stripe": "sk_live_4" + letters(24),
        "stripe hook": "whsec_" + letters(32),
        "google": "AIza" + letters(35),
        "google oauth": "GOCSPX-" + letters(28),
        "openai": "sk-proj-" + letters(48),
        "anthropic": "sk-ant-api03-" + letters(93),
        "hugging face": "hf_" + letters(34, "abcdefghijklmnopqrstuvwxyz"),
        "npm": "npm_" + letters(36),
        "pypi": "pypi-AgEIcHlwaS5vcmc" + letters(60),
        "sendgrid": f"SG.{letters(22)}.{letters(43)}",
        "vault": "hvs." + letters(28),
        "digital ocean": "dop_v1_" + letters(64, hexadecimal),
        "jwt": f"eyJ{letters(20)}.eyJ{letters(30)}.{letters(43)}",
        "age": "AGE-SECRET-KEY-1" + letters(58, "ABCDEFGHJKLMNPQRSTUVWXYZ234567"),
    }
    held = {name: (f'setting = "{value}"', value) for name, value in plain.items()}
    wrapped = {
        "password": 'db_password = "{}"',
        "api key": '{{"api_key": "{}"}}',
        "client secret": "client_secret: {}",
        "environment": "export SERVICE_TOKEN={}",
        "url": "dsn = 'postgres://app:{}@db.local/x'",
        "bearer": "Authorization: Bearer {}",
        "azure": "conn = 'AccountKey={}=='",
        "netrc": "machine host login me password {}",
    }
    for name, line in wrapped.items():
        value = "9x" + letters(44 if name == "azure" else 22, seed=name)
        held[name] = (line.format(value), value)
    body = "\n".join(letters(64, seed=str(row)) for row in range(6))
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
    held["private key"] = (f'KEY = """{key}"""', body.split("\n")[2])
    return held
