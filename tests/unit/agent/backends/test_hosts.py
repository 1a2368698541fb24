from __future__ import annotations

import pytest

from agent.backends.hosts import allowed_url, is_this_machine
from agent.errors import SettingsInvalid


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.1", "::1"])
def test_loopback_is_this_machine(host: str):
    assert is_this_machine(host)


@pytest.mark.parametrize(
    "host",
    [
        "0.0.0.0",
        "192.168.1.5",
        "10.0.0.1",
        "localhost.example.com",
        "127.1",
        "0x7f000001",
        "2130706433",
        "::",
        "example.com",
        "",
    ],
)
def test_everything_else_is_not(host: str):
    assert not is_this_machine(host)


@pytest.mark.parametrize("url", ["http://127.0.0.1:11434", "http://[::1]:11434", "https://localhost/v1"])
def test_this_machine_needs_no_entry(url: str):
    assert str(allowed_url(url, (), setting="model.base_url")) == url


def test_another_host_needs_an_entry_of_its_very_name():
    assert (
        allowed_url("https://GPU.example/v1", ["gpu.Example"], setting="model.base_url").host == "gpu.example"
    )
    for url in ("https://gpu.example.org", "https://a.gpu.example", "http://127.0.0.1@gpu.evil"):
        with pytest.raises(SettingsInvalid):
            allowed_url(url, ["gpu.example"], setting="model.base_url")


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:11434", "ftp://127.0.0.1", "http://", "http://[::1", "file:///etc/passwd"]
)
def test_what_is_no_address_is_told_with_its_setting(url: str):
    with pytest.raises(SettingsInvalid, match=r"`model\.base_url` is not valid"):
        allowed_url(url, (), setting="model.base_url")


def test_a_key_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(SettingsInvalid) as caught:
        allowed_url("http://me:sk-1@127.0.0.1", (), setting="model.openai_base_url")
    assert "sk-1" not in f"{caught.value} {caught.value.hint}"
