"""What an Ollama server says when it refuses or fails, and what follows from it.

Texts are matched loosely, since they differ between versions. A row is tried only when no earlier one matched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from agent.backends.recovery import CannotThink, MalformedCall, PromptTooLong
from agent.backends.runaway import Runaway
from agent.backends.streams import ServerSaid
from agent.errors import ModelUnavailable

_SIZES = re.compile(r"\((\d+) tokens\).*?\((\d+) tokens\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Row:
    status: int | None
    text: str
    failure: Callable[[str, str], Exception]
    """From the model's name and what the server said."""


def _told(what: str, hint: str) -> Callable[[str, str], ModelUnavailable]:
    def failure(model: str, said: str) -> ModelUnavailable:
        cause = said or "the server gave no reason"
        return ModelUnavailable(what.replace("MODEL", model), cause=cause, hint=hint.replace("MODEL", model))

    return failure


_MEMORY = _told(
    "there is not enough memory for the model `MODEL`",
    "set a smaller `model.num_ctx`, use a smaller model, or close other programs",
)
_ANY_FAILURE = _told(
    "the model server failed",
    "look at the server's log, then ask again; `codewitness doctor` checks the server",
)

_ROWS = (
    _Row(None, r"does not support tools", _told("the model `MODEL` cannot call tools", "choose another one: `--model NAME`; `codewitness doctor` lists those that can")),
    _Row(None, r"does not support thinking", lambda _, said: CannotThink(said)),
    _Row(None, r"does not support (?:chat|completion|generate)", _told("`MODEL` is no chat model", "choose another one: `--model NAME`")),
    _Row(None, r"exceeds the available context size|longer than the context length", lambda _, said: PromptTooLong(said)),
    _Row(401, r"", _told("the model `MODEL` does not run on this machine: the server wanted to ask a service for it", "choose a local model: `--model NAME`")),
    _Row(403, r"cloud", _told("the model `MODEL` does not run on this machine, and the server may not ask for it elsewhere", "choose a local model: `--model NAME`")),
    _Row(403, r"", _told("the model server refuses requests from here", "allow this program's host name in the server's `OLLAMA_ORIGINS`, or set `model.base_url` to `http://127.0.0.1:11434`")),
    _Row(404, r"not found", _told("the model `MODEL` is not installed", "`ollama pull MODEL` installs it; `ollama list` shows what is there")),
    _Row(404, r"", _told("the model server has no `/api/chat`", "check `model.base_url`, and update Ollama if it is old")),
    _Row(None, r"requires more system memory|out of memory|cudaMalloc failed", _MEMORY),
    _Row(None, r"token repeat limit", lambda _, said: Runaway(said)),
    _Row(None, r"XML syntax error|failed to parse JSON|empty function name|parsing tool call|^EOF$|unexpected end of JSON", lambda _, said: MalformedCall(said)),
    _Row(None, r"no user query found", _told("the model's template lost the question", "set a larger `model.num_ctx`, or use another model")),
    _Row(None, r"unexpectedly stopped|terminated|runner process", _told("the model `MODEL` crashed", "set a smaller `model.num_ctx` or use a smaller model; the server's log says more")),
    _Row(503, r"", _told("the model server is busy", "wait until its other requests are done, then ask again")),
    _Row(502, r"", _told("the model server could not reach the model", "something between here and the model failed: use a local model, and no proxy in `model.base_url`")),
    _Row(499, r"", _told("the model server canceled the request", "ask again; it may have been stopped or restarted")),
    _Row(400, r"", _told("the model server refused the request", "update Ollama; if it stays, this is a fault of Codewitness: please report it")),
)  # fmt: skip


def failure_of(said: ServerSaid, model: str) -> Exception:
    """The signal that `recovery` mends, or ModelUnavailable with cause and hint."""
    for row in _ROWS:
        if row.status in (None, said.status) and re.search(row.text, said.text, re.IGNORECASE):
            return row.failure(model, said.text)
    return _ANY_FAILURE(model, f"{said.text or 'it gave no reason'} (HTTP {said.status})")


def sizes_in(text: str) -> tuple[int, int]:
    """Tokens of the prompt and of the window, where a server's refusal names them, else zeros."""
    found = _SIZES.search(text)
    return (int(found[1]), int(found[2])) if found else (0, 0)
