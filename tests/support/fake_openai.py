"""A fake OpenAI-style server on a real socket: `/v1/chat/completions` as server-sent events, and `/v1/models`.

It plays its script, one entry per chat request; a request past its end is recorded and fails the test.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from support.wire_server import Reply, Request, WireServer, json_reply

Entry = Reply | Callable[[dict[str, Any]], Reply]
DONE = b"data: [DONE]\n\n"


class FakeOpenAI(WireServer):
    """Use it as a context manager; `url` is its address with `/v1`."""

    def __init__(
        self,
        script: Sequence[Entry] = (),
        *,
        models: Sequence[str | Mapping[str, Any]] = ("local-model",),
        key: str = "",
    ) -> None:
        """`models`: names, or whole entries of the list."""
        super().__init__()
        self._script = list(script)
        self._models = list(models)
        self._key = key

    def __enter__(self) -> FakeOpenAI:
        super().__enter__()
        return self

    @property
    def url(self) -> str:
        return f"{super().url}/v1"

    @property
    def chats(self) -> list[dict[str, Any]]:
        """The bodies of all chat requests, in order."""
        return [request.json for request in self.requests if request.path == "/v1/chat/completions"]

    def answer(self, request: Request) -> Reply:
        given = request.headers.get("authorization", "")
        if self._key and given != f"Bearer {self._key}":
            shown = given.removeprefix("Bearer ")
            return json_reply(
                {"error": {"message": f"Incorrect API key provided: {shown}", "code": "invalid_api_key"}}, 401
            )
        match request.method, request.path:
            case "GET", "/v1/models":
                named = [{"id": model} if isinstance(model, str) else dict(model) for model in self._models]
                return json_reply({"object": "list", "data": [{"object": "model"} | each for each in named]})
            case "POST", "/v1/chat/completions":
                return self._chat(request.json)
            case _:
                return json_reply({"detail": "Not Found"}, 404)

    def _chat(self, body: dict[str, Any]) -> Reply:
        if not self._script:
            self.failures.append(f"a chat request past the script: {json.dumps(body)[:300]}")
            return failed("the script is over", 500)
        entry = self._script.pop(0)
        return entry if isinstance(entry, Reply) else entry(body)


def events(*payloads: bytes, **how: Any) -> Reply:
    """A stream of events, each one chunk; what a payload holds goes out as it is."""
    return Reply(lines=payloads, content_type="text/event-stream", **how)


def delta(fields: Mapping[str, Any], finish: str | None = None) -> bytes:
    """One event with one choice."""
    return event({"choices": [{"index": 0, "delta": dict(fields), "finish_reason": finish}]})


def event(fields: Mapping[str, Any]) -> bytes:
    """One event of a chat completion."""
    chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "local-model", **fields}
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode()


def usage(prompt_tokens: int, completion_tokens: int) -> bytes:
    """The last event before `[DONE]`, which has no choices."""
    return event(
        {"choices": [], "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}}
    )


def said(content: str, *, finish: str = "stop", read: int = 100, written: int = 7) -> Reply:
    """A greeting, the text in two pieces, why it ended, the usage, `[DONE]`."""
    half = len(content) // 2
    return events(
        delta({"role": "assistant", "content": None}),
        delta({"content": content[:half]}),
        delta({"content": content[half:]}),
        delta({}, finish),
        usage(read, written),
        DONE,
    )


def called(*calls: tuple[str, Mapping[str, Any]]) -> Reply:
    """Calls whose arguments come in two pieces each, the calls one after the other."""
    pieces: list[bytes] = [delta({"role": "assistant", "content": None})]
    for at, (name, arguments) in enumerate(calls):
        text = json.dumps(arguments)
        half = len(text) // 2
        pieces += [
            delta(
                {
                    "tool_calls": [
                        {
                            "index": at,
                            "id": f"id_{at}",
                            "type": "function",
                            "function": {"name": name, "arguments": text[:half]},
                        }
                    ]
                }
            ),
            delta({"tool_calls": [{"index": at, "function": {"arguments": text[half:]}}]}),
        ]
    return events(*pieces, delta({}, "tool_calls"), usage(100, 7), DONE)


def failed(message: str, status: int) -> Reply:
    """A refusal before the first event."""
    return json_reply({"error": {"message": message, "type": "error", "code": status}}, status)
