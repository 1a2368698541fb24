"""The fake Ollama server against the official client and a bare socket: is it the server it stands for?"""

from __future__ import annotations

import socket
import threading
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import ollama
import pytest
from support import ollama_fixtures as f
from support.fake_ollama import FakeOllama


def client(server: FakeOllama) -> ollama.AsyncClient:
    return ollama.AsyncClient(host=server.url, trust_env=False, timeout=10, verify=False)


async def test_the_official_client_reads_a_stream_of_the_fake():
    with FakeOllama([f.F1_THINKING_AND_ANSWER]) as server:
        async with client(server) as official:
            stream: AsyncIterator[Any] = await official.chat(
                "qwen3.5:4b", [{"role": "user", "content": "?"}], stream=True
            )
            parts = [part async for part in stream]
    assert "".join(part.message.content or "" for part in parts) == "4 > 3."
    assert parts[-1].done


async def test_tags_cards_running_models_and_vectors_are_what_the_official_client_takes():
    with FakeOllama() as server:
        async with client(server) as official:
            assert [model.model for model in (await official.list()).models][:2] == [
                "qwen3.5:4b",
                "nomic-embed-text:latest",
            ]
            assert (await official.show("qwen3.5:4b")).capabilities == [
                "completion",
                "vision",
                "tools",
                "thinking",
            ]
            await official.chat("qwen3.5:4b", options={"num_ctx": 8192})
            assert (await official.ps()).models[0].context_length == 8192
            vectors = (await official.embed("nomic-embed-text", ["a", "b", "a"])).embeddings
    assert list(vectors[0]) == list(vectors[2]) != list(vectors[1])
    assert sum(number * number for number in vectors[0]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("text", "error"),
    [("__NAN__", "NaN or Inf"), ("word " * 2000, "exceeds the context length")],
    ids=["nan", "long"],
)
async def test_vectors_that_cannot_be_made_are_refused(text: str, error: str):
    with FakeOllama() as server:
        async with client(server) as official:
            with pytest.raises(ollama.ResponseError, match=error):
                await official.embed("nomic-embed-text", text, truncate=False)


async def test_no_text_has_no_vector():
    with FakeOllama() as server:
        async with client(server) as official:
            assert (await official.embed("nomic-embed-text", "")).embeddings == []


async def test_a_pull_ends_with_success_or_with_an_error_line_under_status_200():
    with FakeOllama() as server:
        async with client(server) as official:
            steps = [step.status async for step in await official.pull("qwen3.5:4b", stream=True)]
            with pytest.raises(ollama.ResponseError, match="file does not exist") as caught:
                _ = [step async for step in await official.pull("nope:1b", stream=True)]
    assert steps[-1] == "success"
    assert caught.value.status_code == -1


async def test_refusals_by_the_models_name():
    with FakeOllama(models=[f.tag("gemma3:4b", capabilities=("completion",))]) as server:
        async with client(server) as official:
            with pytest.raises(ollama.ResponseError, match="'nope:1b' not found"):
                await official.chat("nope:1b", [{"role": "user", "content": "?"}])
            tools = [{"type": "function", "function": {"name": "x", "parameters": {"type": "object"}}}]
            with pytest.raises(ollama.ResponseError, match="does not support tools"):
                await official.chat("gemma3:4b", [{"role": "user", "content": "?"}], tools=tools)
            with pytest.raises(ollama.ResponseError, match="does not support thinking"):
                await official.chat("gemma3:4b", [{"role": "user", "content": "?"}], think=True)


async def test_refusals_are_worded_as_a_real_server_words_them():
    with FakeOllama() as server:
        async with client(server) as official:
            with pytest.raises(
                ollama.ResponseError, match='model "bge-m3" not found, try pulling it'
            ) as missing:
                await official.embed("bge-m3", "a")
            with pytest.raises(ollama.ResponseError, match="does not support embeddings") as chats:
                await official.embed("qwen3.5:4b", "a")
            with pytest.raises(ollama.ResponseError, match="cannot be empty"):
                await official.embed("nomic-embed-text", ["a", ""])
            with pytest.raises(ollama.ResponseError, match="does not support chat"):
                await official.chat("nomic-embed-text", [{"role": "user", "content": "?"}])
            with pytest.raises(ollama.ResponseError, match="cloud is disabled") as cloud:
                await official.show("gpt-oss:120b-cloud")
    assert [each.value.status_code for each in (missing, chats, cloud)] == [404, 501, 403]


async def test_a_request_without_messages_loads_or_unloads_and_is_answered_by_one_object():
    with FakeOllama() as server:
        async with client(server) as official:
            assert (await official.chat("qwen3.5:4b")).done_reason == "load"
            assert (await official.chat("qwen3.5:4b", keep_alive=0)).done_reason == "unload"


async def test_a_prompt_beyond_the_window_is_cut_without_a_word_as_by_default():
    with FakeOllama() as server:
        async with client(server) as official:
            cut = await official.chat(
                "qwen3.5:4b",
                [{"role": "user", "content": "x" * 40_000}],
                options={"num_ctx": 4096},
                stream=True,
            )
            counts = [part.prompt_eval_count async for part in cut]
    assert counts[-1] == 2050


def test_headers_come_with_the_first_line_and_each_line_is_one_chunk():
    gate = threading.Event()
    reply = f.lines(*f.THINKING_AND_ANSWER[-2:], before_headers=gate)
    with FakeOllama([reply]) as server, socket.create_connection(("127.0.0.1", server.port)) as raw:
        body = b'{"model":"qwen3.5:4b","messages":[{"role":"user","content":"?"}]}'
        raw.sendall(b"POST /api/chat HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        assert server.waiting.wait(10)
        raw.setblocking(False)
        with pytest.raises(BlockingIOError):
            raw.recv(1)
        raw.setblocking(True)
        gate.set()
        received = b""
        while not received.endswith(b"0\r\n\r\n"):
            received += raw.recv(65536)
    head, _, chunks = received.partition(b"\r\n\r\n")
    assert b"Transfer-Encoding: chunked" in head
    assert b"Content-Type: application/x-ndjson" in head
    sizes = [b"%x" % (len(line) + 1) for line in f.THINKING_AND_ANSWER[-2:]]
    assert chunks.split(b"\r\n")[0::2][:2] == sizes


async def chat_past_the_script() -> None:
    with FakeOllama([]) as server:
        async with client(server) as official:
            with pytest.raises(ollama.ResponseError):
                await official.chat("qwen3.5:4b", [{"role": "user", "content": "?"}])


async def test_a_request_past_the_script_fails_the_test():
    with pytest.raises(AssertionError, match="past the script"):
        await chat_past_the_script()


async def test_a_client_that_hangs_up_is_recorded():
    with FakeOllama([f.lines(f.CONTENT_LINE, ending="never")]) as server:
        async with client(server) as official:
            stream: Any = await official.chat("qwen3.5:4b", [{"role": "user", "content": "?"}], stream=True)
            async with aclosing(stream) as parts:
                await anext(parts)
            assert server.hung_up.wait(5)
