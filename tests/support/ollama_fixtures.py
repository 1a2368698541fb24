"""What an Ollama server says, to the byte: the replies that tests script `FakeOllama` with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from support.wire_server import Reply, json_reply

EMBEDDING_DIMENSION = 8
NDJSON = "application/x-ndjson"
MODEL = "qwen3.5:4b"
DIGEST = "c2f29c03a5e81f1f83defa8978ec9a9c7c2136a2f868696d9922cccf548f2a5d"
"""Of the manifest of every model, unless a test says otherwise."""

THINKING_AND_ANSWER = (
    rb"""{"model":"qwen3.5:4b","created_at":"2026-08-21T18:48:22.100000001Z","message":{"role":"assistant","content":"","thinking":"Short "},"done":false}""",
    rb"""{"model":"qwen3.5:4b","created_at":"2026-08-21T18:48:22.150000001Z","message":{"role":"assistant","content":"","thinking":"thought."},"done":false}""",
    rb"""{"model":"qwen3.5:4b","created_at":"2026-08-21T18:48:22.200000001Z","message":{"role":"assistant","content":"4 \u003e 3"},"done":false}""",
    rb"""{"model":"qwen3.5:4b","created_at":"2026-08-21T18:48:22.250000001Z","message":{"role":"assistant","content":"."},"done":false}""",
    rb"""{"model":"qwen3.5:4b","created_at":"2026-08-21T18:48:22.300000001Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":900000000,"load_duration":50000000,"prompt_eval_count":120,"prompt_eval_duration":200000000,"eval_count":9,"eval_duration":300000000}""",
)
TWO_CALLS = (
    rb"""{"model":"qwen3.5:4b","created_at":"2026-08-21T18:48:22.1Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_ab12cd34","function":{"index":0,"name":"semantic_search","arguments":{"query":"token refresh","limit":3}}}]},"done":false}""",
    rb"""{"model":"qwen3.5:4b","created_at":"2026-08-21T18:48:22.2Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_ef56gh78","function":{"index":1,"name":"read_file_lines","arguments":{"path":"src/auth.py","first_line":1,"last_line":40}}}]},"done":false}""",
    rb"""{"model":"qwen3.5:4b","created_at":"2026-08-21T18:48:22.3Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":5,"prompt_eval_count":300,"eval_count":40}""",
)
CALL_IN_FINAL_LINE = (
    rb"""{"model":"hf.co/x/y:Q4_K_M","created_at":"2026-08-21T18:48:22.3Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"abc","function":{"index":0,"name":"semantic_search","arguments":{}}}]},"done":true,"done_reason":"stop","prompt_eval_count":300,"eval_count":20}""",
)
CALL_AS_TEXT = (
    rb"""{"model":"qwen3.5:4b","created_at":"2026-08-21T18:48:22.2Z","message":{"role":"assistant","content":"\u003cfunction=semantic_search\u003e\n\u003cparameter=query\u003e\ntoken refresh\n\u003c/parameter\u003e\n\u003c/function\u003e\n\u003c/tool_call\u003e"},"done":false}""",
    THINKING_AND_ANSWER[-1],
)
CONTENT_LINE = THINKING_AND_ANSWER[2]
XML_ERROR = rb"""{"error":"XML syntax error on line 7: expected element name after \u003c"}"""
REPEAT_LIMIT = rb"""{"error":"prediction aborted, token repeat limit reached"}"""


def lines(*texts: bytes, **how: Any) -> Reply:
    """A stream of NDJSON lines, each one chunk."""
    return Reply(lines=[text + b"\n" for text in texts], content_type=NDJSON, **how)


def loaded(model: str = MODEL, reason: str = "load") -> Reply:
    """To a request without messages: no stream but one object, with its length, though a stream was asked for."""
    message = {"role": "assistant", "content": ""}
    at = "2026-08-21T18:48:22.3Z"
    return json_reply(
        {"model": model, "created_at": at, "message": message, "done": True, "done_reason": reason}
    )


LOADED = loaded()
F1_THINKING_AND_ANSWER = lines(*THINKING_AND_ANSWER)
F2_TWO_CALLS = lines(*TWO_CALLS)
F3_CALL_IN_FINAL_LINE = lines(*CALL_IN_FINAL_LINE)
F4_CALL_AS_TEXT = lines(*CALL_AS_TEXT)
F5_ERROR_MID_STREAM = lines(CONTENT_LINE, XML_ERROR)
F6_DROPPED = lines(CONTENT_LINE, ending="drop")
F6_DROPPED_IN_A_LINE = Reply(
    lines=[CONTENT_LINE + b"\n", b'{"model":"x","mes'], content_type=NDJSON, ending="drop"
)
F7_CLEAN_END_WITHOUT_DONE = lines(CONTENT_LINE)
F9_BUSY = json_reply({"error": "server busy, please try again.  maximum pending requests exceeded"}, 503)
F12_LENGTH = lines(
    *THINKING_AND_ANSWER[:2],
    rb"""{"model":"qwen3.5:4b","created_at":"2026-08-21T18:48:22.3Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"length","prompt_eval_count":120,"eval_count":4096}""",
)
F13_TOO_LONG = json_reply(
    {"error": "request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it"},
    400,
)


def too_long(tokens: int = 9000, window: int = 4096) -> Reply:
    """The same as a server of 2026 passes it on: the runner's own JSON as the text of the error."""
    said = {
        "code": 400,
        "message": f"request ({tokens} tokens) exceeds the available context size ({window} tokens), try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": tokens,
        "n_ctx": window,
    }
    return json_reply({"error": json.dumps({"error": said}, separators=(",", ":"))}, 400)


F13_TOO_LONG_WRAPPED = too_long()
F15_SHOW = rb"""{"modelfile":"FROM qwen3.5:4b\nRENDERER qwen3.5\nPARSER qwen3.5\n","parameters":"top_k                          20","template":"{{ .Prompt }}","details":{"parent_model":"","format":"gguf","family":"qwen35","families":["qwen35"],"parameter_size":"4.7B","quantization_level":"Q4_K_M"},"model_info":{"general.architecture":"qwen35","qwen35.context_length":262144,"qwen35.embedding_length":2560},"capabilities":["completion","vision","tools","thinking"],"modified_at":"2026-08-01T10:00:00Z"}"""
F17_VERSION = {"version": "0.33.0"}
F17_STATUS = {"cloud": {"disabled": True, "source": "env"}}

_REMOTE = {"remote_model": "gpt-oss:120b", "remote_host": "https://ollama.com:443"}


def tag(
    name: str,
    size: int = 3_400_000_000,
    capabilities: Sequence[str] | None = ("completion", "tools", "thinking"),
    parameter_size: str = "4.7B",
    embedding_length: int = 2_560,
    **more: Any,
) -> dict[str, Any]:
    """One entry of `/api/tags`. Old servers tell no capabilities (None)."""
    entry: dict[str, Any] = {
        "name": name,
        "model": name,
        "modified_at": "2026-08-01T10:00:00Z",
        "size": size,
        "digest": DIGEST,
        "details": {
            "parent_model": "",
            "format": "gguf",
            "family": "qwen35",
            "families": ["qwen35"],
            "parameter_size": parameter_size,
            "quantization_level": "Q4_K_M",
            "context_length": 262_144,
            "embedding_length": embedding_length,
        },
    }
    return entry | ({"capabilities": list(capabilities)} if capabilities is not None else {}) | more


LOCAL_TAG = tag(MODEL, capabilities=("completion", "vision", "tools", "thinking"))
EMBEDDING_TAG = tag("nomic-embed-text:latest", 274_000_000, ("embedding",), "137M", EMBEDDING_DIMENSION)
CLOUD_TAG = tag("gpt-oss:120b-cloud", 384, None, "116.8B", **_REMOTE)
INNOCENT_REMOTE_TAG = tag("my-helper:latest", 384, None, "116.8B", **_REMOTE)
F16_TAGS = (LOCAL_TAG, EMBEDDING_TAG, CLOUD_TAG, INNOCENT_REMOTE_TAG)


def running(name: str = MODEL, context_length: int = 16384) -> dict[str, Any]:
    """F17: `/api/ps` with one model."""
    entry = {
        "name": name,
        "model": name,
        "size": 5_000_000_000,
        "digest": DIGEST,
        "details": {},
        "expires_at": "2026-08-21T19:00:00Z",
        "size_vram": 5_000_000_000,
        "context_length": context_length,
    }
    return {"models": [entry]}


def said(content: str, *, thinking: str = "", **counts: Any) -> Reply:
    """A reply of one's own: thinking, then text in two pieces, then the final line."""
    half = len(content) // 2
    pieces = [("thinking", thinking), ("content", content[:half]), ("content", content[half:])]
    return lines(*(_line({"content": "", key: text}) for key, text in pieces if text), _final(counts))


def called(*calls: tuple[str, Mapping[str, Any]], thinking: str = "", **counts: Any) -> Reply:
    """A reply that asks for calls, each in a line of its own."""
    first = [_line({"content": "", "thinking": thinking})] if thinking else []
    asked = [
        _line(
            {
                "content": "",
                "tool_calls": [
                    {
                        "id": f"call_{name}_{at}",
                        "function": {"index": at, "name": name, "arguments": arguments},
                    }
                ],
            }
        )
        for at, (name, arguments) in enumerate(calls)
    ]
    return lines(*first, *asked, _final(counts))


def error(text: str, status: int) -> Reply:
    """A refusal before the first line."""
    return json_reply({"error": text}, status)


def _line(message: Mapping[str, Any]) -> bytes:
    return _dump(
        {
            "model": MODEL,
            "created_at": "2026-08-21T18:48:22.1Z",
            "message": {"role": "assistant", **message},
            "done": False,
        }
    )


def _final(counts: Mapping[str, Any]) -> bytes:
    return _dump(
        {
            "model": MODEL,
            "created_at": "2026-08-21T18:48:22.3Z",
            "message": {"role": "assistant", "content": ""},
            "done": True,
            "done_reason": "stop",
            "total_duration": 5,
            **counts,
        }
    )


def _dump(value: object) -> bytes:
    """As Go writes JSON: compact, with `<`, `>` and `&` escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026").encode()
