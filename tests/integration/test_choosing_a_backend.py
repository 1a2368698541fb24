"""Which model answers, and which is refused, over a real socket."""

from __future__ import annotations

from typing import Any

import pytest
from support import ollama_fixtures as f
from support.fake_ollama import FakeOllama
from support.fake_openai import FakeOpenAI
from support.model_runs import QUESTION, TOOLS, connection, played
from support.wire_server import Reply, Request, json_reply

from agent.backends.base import Backend
from agent.backends.choose import NOT_USED, STANDS_IN, choose_backend
from agent.backends.ollama_models import OllamaServer
from agent.errors import ModelUnavailable, SettingsInvalid
from agent.settings import ModelSettings

MEMORY = 64 * 10**9
PLAIN_TAG = f.tag("gemma3:4b", capabilities=("completion", "vision"))


async def chosen(server: FakeOllama, **settings: Any) -> Backend:
    return await choose_backend(ModelSettings(base_url=server.url, **settings), memory_bytes=MEMORY)


async def refused(server: FakeOllama, **settings: Any) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as caught:
        await chosen(server, **settings)
    return caught.value


async def test_auto_takes_the_local_model_with_tools_and_never_asks_about_a_cloud_one():
    with FakeOllama() as server:
        backend = await chosen(server)
        await backend.aclose()
    assert (backend.info.name, backend.info.model) == ("ollama", f.MODEL)
    assert [request.json["model"] for request in server.requests if request.path == "/api/show"] == [f.MODEL]
    assert server.chats == []


async def test_auto_stands_in_with_the_reason_when_no_server_answers():
    with FakeOllama() as server:
        pass
    backend = await chosen(server)
    assert backend.info.name == "extractive"
    assert f"`{server.url}` does not answer" in backend.info.details[STANDS_IN]
    assert backend.notice("Where is the cache?")


async def test_auto_stands_in_with_the_reasons_when_no_model_is_local_and_has_tools():
    with FakeOllama(models=[f.CLOUD_TAG, f.INNOCENT_REMOTE_TAG, PLAIN_TAG]) as server:
        backend = await chosen(server)
    why = backend.info.details[NOT_USED]
    assert "`gpt-oss:120b-cloud`: it runs on `https://ollama.com:443`" in why
    assert "`my-helper:latest`: it runs on `https://ollama.com:443`" in why
    assert "`gemma3:4b`: it cannot call tools" in why


async def test_auto_stands_in_for_a_server_that_is_no_ollama():
    with FakeOllama(others={"/api/tags": Reply(body=b"<html>", content_type="text/html")}) as server:
        backend = await chosen(server)
    assert "is not an Ollama server" in backend.info.details[NOT_USED]


async def test_an_old_server_is_told_so_rather_than_that_its_models_cannot_call_tools():
    old = {"/api/version": json_reply({"version": "0.5.1"})}
    cards = {"qwen3:8b": json_reply({"model_info": {}})}
    with FakeOllama(models=[f.tag("qwen3:8b", capabilities=None)], cards=cards, others=old) as server:
        backend = await chosen(server)
        named = await refused(server, name="qwen3:8b")
    assert "is too old" in backend.info.details[NOT_USED]
    assert "is too old" in named.what


async def test_a_model_that_was_named_is_never_replaced():
    with FakeOllama() as server:
        missing = await refused(server, name="qwen3:8b")
    assert "`qwen3:8b` is not installed" in missing.what
    assert "ollama pull qwen3:8b" in missing.hint
    down = await refused(server, name="qwen3:8b")
    assert "does not answer" in down.what


async def test_a_name_is_compared_as_the_server_does():
    with FakeOllama(models=[f.tag("Helper:latest")]) as server:
        backend = await chosen(server, name="helper")
        await backend.aclose()
    assert backend.info.model == "Helper:latest"


@pytest.mark.parametrize("name", ["gpt-oss:120b-cloud", "my-helper", "my-helper:latest"])
async def test_a_model_that_runs_elsewhere_is_refused_whatever_its_name(name: str):
    with FakeOllama() as server:
        caught = await refused(server, name=name, backend="ollama")
    assert "does not run on this machine" in caught.what
    assert "https://ollama.com:443" in caught.cause
    assert server.chats == []


async def test_a_card_that_says_remote_is_refused_though_the_list_did_not():
    card = json_reply({"capabilities": ["tools"], "remote_host": "https://ollama.com:443"})
    with FakeOllama(models=[f.LOCAL_TAG], cards={f.MODEL: card}) as server:
        caught = await refused(server, name=f.MODEL)
        unnamed = await chosen(server)
    assert "does not run on this machine" in caught.what
    assert unnamed.info.name == "extractive"


async def test_a_model_without_tools_is_refused_with_the_names_of_those_that_have_them():
    with FakeOllama(models=[PLAIN_TAG, f.LOCAL_TAG]) as server:
        caught = await refused(server, name="gemma3:4b")
    assert "cannot call tools" in caught.what
    assert "`qwen3.5:4b`" in caught.hint


async def test_an_old_server_that_lists_no_capabilities_is_asked_for_each_card():
    old = [f.tag("qwen3.5:9b", capabilities=None), f.tag("qwen3:8b", capabilities=None)]
    cards = {
        "qwen3.5:9b": json_reply({"capabilities": ["completion"]}),
        "qwen3:8b": json_reply({"capabilities": ["completion", "tools"]}),
    }
    with FakeOllama(models=old, cards=cards) as server:
        backend = await chosen(server)
        await backend.aclose()
    assert backend.info.model == "qwen3:8b"


async def test_the_card_decides_on_tools_as_the_list_does_not_know_a_models_own_template():
    imported = f.tag("hf.co/someone/qwen3.5-9b:Q4_K_M", capabilities=("completion",))
    card = json_reply({"capabilities": ["completion", "tools", "thinking"]})
    with FakeOllama(models=[PLAIN_TAG, imported], cards={imported["name"]: card}) as server:
        backend = await chosen(server)
        await backend.aclose()
    assert backend.info.model == imported["name"]


async def test_a_host_that_is_not_this_machine_needs_the_persons_own_word():
    settings = ModelSettings(base_url="http://gpu.example:11434")
    with pytest.raises(SettingsInvalid) as caught:
        await choose_backend(settings)
    assert "`gpu.example` is not this machine" in caught.value.what
    assert "allowed_hosts" in caught.value.hint


async def test_the_extractive_backend_asks_nobody():
    with FakeOllama() as server:
        backend = await chosen(server, backend="extractive")
    assert (backend.info.name, server.requests) == ("extractive", [])


async def test_an_openai_style_server_is_asked_for_its_first_model_with_the_key_of_the_variable():
    with FakeOpenAI(models=["first", "second"], key="sk-1") as server:
        settings = ModelSettings(backend="openai", openai_base_url=server.url, openai_key_variable="MY_KEY")
        backend = await choose_backend(settings, environment={"MY_KEY": "sk-1"})
        await backend.aclose()
        with pytest.raises(SettingsInvalid, match="`MY_KEY` is not set"):
            await choose_backend(settings, environment={})
    assert backend.info.model == "first"


class OllamaAsOpenAI(FakeOpenAI):
    """An Ollama server that is asked in OpenAI's way: its own list is there too."""

    def answer(self, request: Request) -> Reply:
        return json_reply({"models": f.F16_TAGS}) if request.path == "/api/tags" else super().answer(request)


@pytest.mark.parametrize("name", ["gpt-oss:120b-cloud", "my-helper", "other:cloud"])
async def test_a_cloud_model_is_refused_in_openais_way_too(name: str):
    with OllamaAsOpenAI(models=[name]) as server:
        settings = ModelSettings(backend="openai", openai_base_url=server.url, name=name)
        with pytest.raises(ModelUnavailable, match="does not run on this machine"):
            await choose_backend(settings, environment={})
        local = await choose_backend(settings.model_copy(update={"name": f.MODEL}), environment={})
        await local.aclose()
        assert server.chats == []


async def test_version_cloud_status_cards_and_running_models_are_read():
    with FakeOllama() as server:
        opened = connection(server.url)
        models = OllamaServer(opened)
        assert await models.version() == "0.33.0"
        assert await models.cloud_disabled() is True
        card = await models.card(f.MODEL)
        assert (card.trained_context, card.remote) == (262_144, "")
        assert "tools" in card.capabilities
        assert await models.running() == []
        backend = await chosen(server, num_ctx=8192)
        await played(backend.reply(QUESTION, TOOLS))
        (running,) = await models.running()
        assert (running.name, running.context) == (f.MODEL, 8192)
        await backend.aclose()
        await opened.aclose()


async def test_an_old_server_without_a_cloud_status_is_unknown_not_broken():
    with FakeOllama(others={"/api/status": Reply(status=404, body=b"404 page not found")}) as server:
        opened = connection(server.url)
        assert await OllamaServer(opened).cloud_disabled() is None
        await opened.aclose()


async def test_a_card_is_never_asked_for_by_a_name_that_says_cloud():
    with FakeOllama() as server:
        opened = connection(server.url)
        with pytest.raises(ModelUnavailable, match="does not run on this machine"):
            await OllamaServer(opened).card("qwen3.5:cloud")
        await opened.aclose()
    assert server.requests == []
