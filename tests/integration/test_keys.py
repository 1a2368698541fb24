"""Keys of model servers, from the environment and from real keyrings."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null
from keyring.errors import KeyringError, KeyringLocked
from keyrings.alt.file import PlaintextKeyring
from support import fake_openai as o
from support.fake_openai import FakeOpenAI
from support.program import codewitness, environment
from support.small_workspace import small_workspace

from agent.backends.keys import key_of
from agent.errors import ModelUnavailable, SettingsInvalid
from agent.settings import ModelSettings

KEY = "sk-verysecret-1"


class Locked(KeyringBackend):
    """A keyring whose owner does not unlock it."""

    priority = 1

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("Failed to unlock the collection!")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked

    def delete_password(self, service: str, username: str) -> None:
        raise KeyringLocked


class Broken(Locked):
    """A keyring whose service throws what it likes."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringError("The name org.freedesktop.secrets was not provided by any .service files.")


@pytest.fixture
def use() -> Iterator[Callable[[KeyringBackend], None]]:
    """Make a backend the system's keyring for one test."""
    before = keyring.get_keyring()
    yield keyring.set_keyring
    keyring.set_keyring(before)


@pytest.fixture
def stored(use: Callable[[KeyringBackend], None], tmp_path: Path) -> None:
    """A keyring in a file that holds the key."""
    backend = PlaintextKeyring()
    backend.file_path = str(tmp_path / "keyring.cfg")
    backend.set_password("codewitness", "vllm", KEY)
    use(backend)


FROM_KEYRING = ModelSettings(openai_key_keyring="vllm")


@pytest.mark.usefixtures("stored")
async def test_a_key_is_read_from_the_keyring():
    assert await key_of(FROM_KEYRING, {}) == KEY


@pytest.mark.usefixtures("stored")
async def test_a_variable_that_is_set_goes_before_the_keyring_and_one_that_is_not_does_not():
    both = ModelSettings(openai_key_variable="VLLM_KEY", openai_key_keyring="vllm")
    assert await key_of(both, {"VLLM_KEY": "sk-2"}) == "sk-2"
    assert await key_of(both, {}) == KEY
    assert await key_of(ModelSettings(), {"VLLM_KEY": "sk-2", "OPENAI_API_KEY": "sk-3"}) == ""


@pytest.mark.usefixtures("stored")
async def test_an_entry_that_is_not_there_is_told_with_the_command_that_makes_it():
    with pytest.raises(SettingsInvalid) as caught:
        await key_of(ModelSettings(openai_key_keyring="other"), {})
    assert "no entry `other`" in caught.value.cause
    assert "`keyring set codewitness other`" in caught.value.hint


@pytest.mark.parametrize(
    ("backend", "what", "cause"),
    [
        (Locked(), "the keyring is locked", "Failed to unlock the collection!"),
        (Broken(), "the keyring cannot be read", "org.freedesktop.secrets"),
        (fail.Keyring(), "the keyring cannot be read", "No recommended backend was available"),
    ],
    ids=["locked", "broken", "none"],
)
async def test_a_keyring_that_gives_nothing_says_why(
    use: Callable[[KeyringBackend], None], backend: KeyringBackend, what: str, cause: str
):
    use(backend)
    with pytest.raises(ModelUnavailable) as caught:
        await key_of(FROM_KEYRING, {})
    assert caught.value.what == what
    assert cause in caught.value.cause
    assert caught.value.hint


async def test_a_keyring_that_is_switched_off_has_no_entry(use: Callable[[KeyringBackend], None]):
    use(null.Keyring())
    with pytest.raises(SettingsInvalid, match="no entry `vllm`"):
        await key_of(FROM_KEYRING, {})


async def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(SettingsInvalid) as caught:
        await key_of(FROM_KEYRING, {})
    assert "codewitness[keyring]" in caught.value.hint


def test_a_key_of_the_keyring_reaches_the_server_and_nothing_else(tmp_path: Path):
    variables = {
        "PYTHON_KEYRING_BACKEND": "keyrings.alt.file.PlaintextKeyring",
        "CODEWITNESS_MODEL__BACKEND": "openai",
        "CODEWITNESS_MODEL__OPENAI_KEY_KEYRING": "vllm",
    }
    home = tmp_path / "home"
    subprocess.run(
        [sys.executable, "-m", "keyring", "set", "codewitness", "vllm"],
        env=environment(home, **variables),
        input=KEY,
        text=True,
        check=True,
        capture_output=True,
    )
    with FakeOpenAI([o.said("Nothing.")] * 9, key=KEY) as server:
        done = codewitness(
            "ask", "Where is `gross_price` defined?", "--json", "-v", home=home, here=small_workspace(tmp_path / "shop"),
            variables={**variables, "CODEWITNESS_MODEL__OPENAI_BASE_URL": server.url},
        )  # fmt: skip
        assert server.chats
    asked = [request for request in server.requests if request.path.startswith("/v1/")]
    assert {request.headers.get("authorization") for request in asked} == {f"Bearer {KEY}"}
    assert KEY not in done.stdout + done.stderr
    kept = [
        path for path in (home / "data").rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()
    ]
    assert kept == []
