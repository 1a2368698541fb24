"""A fake Ollama server on a real socket, faithful to the byte.

`/api/chat` plays the script, one entry per request (a `Reply`, or a function of the request's JSON); a request
past its end is recorded and fails the test. Without a script the model's name decides: a model that is not
installed gets 404, one without tools refuses them, `num_ctx` is kept to, and everything else gets F1.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from support import ollama_fixtures as f
from support.wire_server import Reply, Request, WireServer, json_reply

Entry = Reply | Callable[[dict[str, Any]], Reply]


class FakeOllama(WireServer):
    """Use it as a context manager; `url` is its address."""

    def __init__(
        self,
        script: Sequence[Entry] | None = None,
        *,
        models: Sequence[Mapping[str, Any]] = f.F16_TAGS,
        cards: Mapping[str, Reply] | None = None,
        others: Mapping[str, Reply] | None = None,
        loaded_context: int | None = None,
    ) -> None:
        """`cards` overrides `/api/show` by model, `others` whole paths; `loaded_context` is the window that really
        gets loaded, where it is not the one that was asked for.
        """
        super().__init__()
        self.models = list(models)
        self._script = None if script is None else list(script)
        self._cards = dict(cards or {})
        self._others = dict(others or {})
        self._loaded_context = loaded_context
        self._loaded: tuple[str, int] | None = None

    def __enter__(self) -> FakeOllama:
        super().__enter__()
        return self

    @property
    def chats(self) -> list[dict[str, Any]]:
        """The bodies of all chat requests, in order."""
        return [request.json for request in self.requests if request.path == "/api/chat"]

    @property
    def unplayed(self) -> int:
        """Entries of the script that nobody asked for."""
        return len(self._script or ())

    def answer(self, request: Request) -> Reply:
        if request.path in self._others:
            return self._others[request.path]
        match request.method, request.path:
            case "POST", "/api/chat":
                return self._chat(request.json)
            case "POST", "/api/show":
                return self._show(request.json.get("model", ""))
            case "POST", "/api/embed":
                return self._embed(request.json)
            case "POST", "/api/pull":
                return self._pull(request.json.get("model", ""))
            case "GET", "/api/tags":
                return json_reply({"models": self.models})
            case "GET", "/api/ps":
                return json_reply(f.running(*self._loaded) if self._loaded else {"models": []})
            case "GET", "/api/version":
                return json_reply(f.F17_VERSION)
            case "GET", "/api/status":
                return json_reply(f.F17_STATUS)
            case "GET", "/":
                return Reply(body=b"Ollama is running", content_type="text/plain; charset=utf-8")
            case _:
                return Reply(body=b"404 page not found", status=404, content_type="text/plain")

    def _chat(self, body: dict[str, Any]) -> Reply:
        options = body.get("options", {})
        self._loaded = body["model"], self._loaded_context or options.get("num_ctx", 4096)
        if self._script is None:
            return self._by_name(body)
        if not self._script:
            self.failures.append(f"a chat request past the script: {json.dumps(body)[:300]}")
            return f.error("the script is over", 500)
        entry = self._script.pop(0)
        return entry if isinstance(entry, Reply) else entry(body)

    def _by_name(self, body: dict[str, Any]) -> Reply:
        name = body["model"]
        model = self._installed(name)
        if model is None:
            return f.error(f"model '{name}' not found", 404)
        able = model.get("capabilities", ("completion", "tools", "thinking"))
        if "completion" not in able:
            return f.error(f'"{name}" does not support chat', 400)
        if not body["messages"]:
            return f.loaded(name, "unload" if body.get("keep_alive") == 0 else "load")
        if body.get("tools") and "tools" not in able:
            return f.error(f"registry.ollama.ai/library/{model['name']} does not support tools", 400)
        if body.get("think") and "thinking" not in able:
            return f.error(f'"{name}" does not support thinking', 400)
        return self._within_window(body)

    def _within_window(self, body: dict[str, Any]) -> Reply:
        """F13: a server of today refuses what is too long when told to, else it cuts without a word."""
        window = self._loaded[1] if self._loaded else 4096
        if prompt_tokens(body) <= window:
            return f.F1_THINKING_AND_ANSWER
        if body.get("truncate") is False:
            return f.too_long(prompt_tokens(body), window)
        if body.get("shift") is False:
            return f.error(
                "the prompt is longer than the context length currently available to the model", 400
            )
        return f.said("4 > 3.", prompt_eval_count=window // 2 + 2, eval_count=9)

    def _embed(self, body: dict[str, Any]) -> Reply:
        name = body["model"]
        model = self._installed(name)
        if model is None:
            return f.error(f'model "{name}" not found, try pulling it first', 404)
        if "embedding" not in model.get("capabilities", ("embedding",)):
            return f.error("This server does not support embeddings. Start it with `--embeddings`", 501)
        return embed(body)

    def _show(self, name: str) -> Reply:
        if name in self._cards:
            return self._cards[name]
        if name.endswith("cloud"):
            return f.error("ollama cloud is disabled: remote model details are unavailable", 403)
        model = self._installed(name)
        if model is None:
            return f.error(f"model '{name}' not found", 404)
        card = json.loads(f.F15_SHOW)
        card |= {key: model[key] for key in ("capabilities", "remote_host", "remote_model") if key in model}
        return json_reply(card)

    def _pull(self, name: str) -> Reply:
        """F10: errors come after the first line, so the status stays 200."""
        if self._installed(name) is None:
            return f.lines(
                b'{"status":"pulling manifest"}', b'{"error":"pull model manifest: file does not exist"}'
            )
        digest = "sha256:6e9f90f02bb3"
        return f.lines(
            b'{"status":"pulling manifest"}',
            json.dumps({"status": "pulling 6e9f90f02bb3", "digest": digest, "total": 100}).encode(),
            json.dumps(
                {"status": "pulling 6e9f90f02bb3", "digest": digest, "total": 100, "completed": 100}
            ).encode(),
            b'{"status":"verifying sha256 digest"}',
            b'{"status":"writing manifest"}',
            b'{"status":"success"}',
        )

    def _installed(self, name: str) -> Mapping[str, Any] | None:
        wanted = name.lower() if ":" in name else f"{name.lower()}:latest"
        return next((model for model in self.models if model["name"].lower() == wanted), None)


def prompt_tokens(body: Mapping[str, Any]) -> int:
    """What the fake counts as the prompt: one token for four characters of all that was sent."""
    sent = [body.get("tools", []), body["messages"]]
    return len(json.dumps(sent, ensure_ascii=False)) // 4


def embed(body: Mapping[str, Any]) -> Reply:
    """F14: unit vectors that depend on nothing but the text."""
    given = body["input"]
    texts = [given] if isinstance(given, str) else list(given)
    if given == "":
        return json_reply({"model": body["model"], "embeddings": []})
    if any(not isinstance(text, str) for text in texts):
        return f.error("invalid input type", 400)
    if not all(texts):
        return f.error("Input content cannot be empty", 400)
    if any("__NAN__" in text for text in texts):
        return f.error("embedding contains NaN or Inf values", 400)
    if body.get("truncate") is False and any(len(text) // 4 > 2048 for text in texts):
        return f.error("the input length exceeds the context length", 400)
    return json_reply(
        {
            "model": body["model"],
            "embeddings": [_vector(text) for text in texts],
            "total_duration": 14143917,
            "load_duration": 1019500,
            "prompt_eval_count": 8,
        }
    )


def _vector(text: str) -> list[float]:
    numbers = [byte - 127.5 for byte in hashlib.sha256(text.encode()).digest()[: f.EMBEDDING_DIMENSION]]
    length = math.sqrt(sum(number * number for number in numbers))
    return [number / length for number in numbers]
