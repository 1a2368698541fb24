"""Where a conversation may be sent: to this machine, or to a host that the person's own settings name.

Nothing else can widen this: no environment variable of another program, no file of the workspace, no redirect.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

import httpx

from agent.errors import SettingsInvalid


def is_this_machine(host: str) -> bool:
    """Whether `host` is `localhost` or a loopback address. Other spellings of an address count as foreign."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_local_url(url: str, allowed_hosts: Sequence[str], *, setting: str) -> bool:
    """Whether an allowed `url` is on this machine: whatever only looks around asks no other one.

    Raises: SettingsInvalid.
    """
    return is_this_machine(allowed_url(url, allowed_hosts, setting=setting).host)


def allowed_url(url: str, allowed_hosts: Sequence[str], *, setting: str) -> httpx.URL:
    """The parsed `url` when the conversation may go there; `setting` names where it comes from.

    Raises: SettingsInvalid.
    """
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as problem:
        raise _invalid(setting, url, str(problem).lower()) from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise _invalid(setting, url, "it is no http or https address")
    if parsed.userinfo:
        raise SettingsInvalid(
            f"the setting `{setting}` is not valid",
            cause="a user name or key stands in the address",
            hint="keep keys in an environment variable or the keyring (`model.openai_key_variable`, `model.openai_key_keyring`)",
        )
    if not is_this_machine(parsed.host) and parsed.host.lower() not in {
        host.lower() for host in allowed_hosts
    }:
        raise SettingsInvalid(
            f"the model server `{parsed.host}` is not this machine",
            cause="questions and source code would be sent to it, and the settings do not allow that",
            hint=f'if you mean it, add `allowed_hosts = ["{parsed.host}"]` to `[model]` (`codewitness config path`)',
        )
    return parsed


def _invalid(setting: str, url: str, cause: str) -> SettingsInvalid:
    return SettingsInvalid(
        f"the setting `{setting}` is not valid",
        cause=f"`{url}`: {cause}",
        hint="write it like `http://127.0.0.1:11434`",
    )
