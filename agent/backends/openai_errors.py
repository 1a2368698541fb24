"""What an OpenAI-style server says when it refuses or fails, and what follows from it."""

from __future__ import annotations

import re

from agent.backends.recovery import MalformedCall, PromptTooLong
from agent.backends.streams import ServerSaid
from agent.errors import ModelUnavailable

_TOO_LONG = re.compile(
    r"exceeds the available context size|exceed_context_size|maximum context length|context_length_exceeded"
    r"|context window|longer than the (?:model's context|context|maximum model length)|too many tokens"
    r"|context the overflows|to keep from the initial prompt is greater than the context length",
    re.IGNORECASE,
)
"""llama.cpp's server, vLLM (older and newer), LM Studio, hosted ones."""
_MALFORMED = re.compile(r"failed to parse|tool call|invalid diff|unexpected end of", re.IGNORECASE)
_WINDOW = re.compile(
    r"maximum (?:context|model) length (?:is |of |\()(\d+)|context size \((\d+) tokens\)|n_ctx\D{1,5}(\d+)"
    r"|context length of only (\d+)"
)
_PROMPT = re.compile(
    r"(\d+) in the messages|(\d+) input tokens|(?:requested|resulted in|request) \(?(\d+) tokens"
    r"|\(length (\d+)\)|Input length \((\d+)\)|keep the first (\d+) tokens"
)


def failure_of(said: ServerSaid, model: str) -> Exception:
    """The signal that `recovery` mends, or ModelUnavailable with cause and hint."""
    if _TOO_LONG.search(said.text):
        return PromptTooLong(said.text)
    if said.status in (200, 500) and _MALFORMED.search(said.text):
        return MalformedCall(said.text)
    return refusal_of(said, model)


def refusal_of(said: ServerSaid, model: str) -> ModelUnavailable:
    """What cannot be mended by asking differently."""
    what, hint = _told(said, model)
    return ModelUnavailable(what, cause=f"{said.text or 'it gave no reason'} (HTTP {said.status})", hint=hint)


def sizes_in(text: str) -> tuple[int, int]:
    """Tokens of the prompt and of the window, where a server's refusal names them, else zeros."""
    return _first_number(_PROMPT, text), _first_number(_WINDOW, text)


def _first_number(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return next((int(group) for group in found.groups() if group), 0) if found else 0


def _told(said: ServerSaid, model: str) -> tuple[str, str]:
    match said.status:
        case 401 | 403:
            return (
                "the model server refused the key",
                "name what holds it: `model.openai_key_variable` or `model.openai_key_keyring`",
            )
        case 404:
            return f"the model server has no `{model}`", "check `--model NAME` and `model.openai_base_url`"
        case 429:
            return (
                "the model server takes no more requests now",
                "wait a while, or look at your plan's limits",
            )
        case 503:
            return (
                "the model server is busy or still loading the model",
                "wait until it is ready, then ask again",
            )
        case 400 | 422:
            return (
                "the model server refused the request",
                "check that the server supports tools and JSON schema",
            )
        case 300 | 301 | 302 | 303 | 307 | 308:
            return (
                "the model server is not where the settings say",
                "put the final address into `model.openai_base_url`",
            )
        case _:
            return "the model server failed", "look at the server's log, then ask again"
