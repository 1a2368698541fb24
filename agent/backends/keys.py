"""The key of a model server: from the environment or the operating system's keyring, and from nowhere else.

No file of a workspace is looked at. A key is handed to one connection, which sends it in one header; it stands in no
setting, no message and no log. The keyring is the package of that name (the extra `keyring`), which asks the system's
own store: macOS's Keychain, Windows' Credential Locker, the Secret Service or KWallet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from agent.errors import ModelUnavailable, SettingsInvalid
from agent.settings import APPLICATION, ModelSettings

_VARIABLE = "`model.openai_key_variable`"
_MISSING = "there is no key for the model server"


async def key_of(model: ModelSettings, environment: Mapping[str, str]) -> str:
    """The key that the settings name, a set variable before the keyring; "" when they name none.

    The system may ask the person to unlock their keyring, which takes as long as it takes.
    Raises: SettingsInvalid, ModelUnavailable when the keyring stays locked or does not work.
    """
    variable, entry = model.openai_key_variable, model.openai_key_keyring
    if variable and (not entry or environment.get(variable, "").strip()):
        return _usable(environment.get(variable, ""), f"the environment variable `{variable}`", variable)
    if entry:
        return _usable(await asyncio.to_thread(_from_keyring, entry), f"the keyring's entry `{entry}`", entry)
    return ""


def _usable(key: str, place: str, name: str) -> str:
    key = key.strip()
    if key and key.isascii() and key.isprintable():
        return key
    raise SettingsInvalid(
        _MISSING,
        cause=f"{place} is {'not usable as a key' if key else 'not set'}",
        hint=f"set `{name}`, or take it out of `[model]` in the settings (`codewitness config path`)",
    )


def _from_keyring(entry: str) -> str:
    keyring = _package()
    try:
        key: object = keyring.get_password(APPLICATION, entry)
    except Exception as problem:  # a backend lets through whatever the system's own service throws
        locked = isinstance(problem, keyring.errors.KeyringLocked)
        raise ModelUnavailable(
            f"the keyring {'is locked' if locked else 'cannot be read'}",
            cause=str(problem).splitlines()[0].rstrip(".") if str(problem) else type(problem).__name__,
            hint="unlock it"
            if locked
            else f"`keyring diagnose` tells more; or name a variable in {_VARIABLE}",
        ) from None
    if not isinstance(key, str):
        raise SettingsInvalid(
            _MISSING,
            cause=f"the keyring has no entry `{entry}` of `{APPLICATION}`",
            hint=f"`keyring set {APPLICATION} {entry}` asks for the key and keeps it",
        )
    return key


def _package() -> Any:
    try:
        return import_module("keyring")
    except ImportError as missing:
        raise SettingsInvalid(
            _MISSING,
            cause=f"`model.openai_key_keyring` needs the extra `keyring` ({missing})",
            hint=f"`pip install 'codewitness[keyring]'` adds it; or name a variable in {_VARIABLE}",
        ) from None
