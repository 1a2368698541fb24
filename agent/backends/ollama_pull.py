"""Pulling a model onto an Ollama server, with its progress.

Errors come after the first line, so the status is 200 and only a line `success` means done. Whoever stops iterating
stops the download; what has come is kept by the server, and the next pull goes on from there. There is no limit for
the whole, only for silence.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from agent.backends.ollama_models import not_local
from agent.backends.streams import ServerConnection, ServerSaid, error_text
from agent.errors import ModelUnavailable
from tools.ollama_names import is_cloud_name, remote_reason

_PULL = "/api/pull"


@dataclass(frozen=True, slots=True)
class Pulling:
    """One step of a pull, over all parts of the model that the server has named so far."""

    model: str
    status: str
    completed: int
    """Bytes."""
    total: int


async def pull(connection: ServerConnection, model: str) -> AsyncGenerator[Pulling, None]:
    """Every step; when it ends without an error, the model is there.

    Raises: ModelUnavailable.
    """
    if is_cloud_name(model):
        raise not_local(model, remote_reason(model, {}))
    parts: dict[str, tuple[int, int]] = {}
    status = ""
    try:
        async with aclosing(connection.lines(_PULL, {"model": model, "stream": True})) as lines:
            async for line in lines:
                step = connection.object(line)
                if step.get("error"):
                    raise _failed(model, error_text(step["error"]))
                status = str(step.get("status") or "")
                _count(step, parts)
                done, total = map(sum, zip(*parts.values(), strict=True)) if parts else (0, 0)
                whole = status == "success"  # the last lines of small parts may never have come
                yield Pulling(model, status, total if whole else done, total)
    except ServerSaid as said:
        raise _failed(model, said.text) from said
    if status != "success":
        raise _failed(model, "the server ended the download without saying that it is done")


def _count(step: dict[str, Any], parts: dict[str, tuple[int, int]]) -> None:
    digest, total, completed = step.get("digest"), step.get("total"), step.get("completed", 0)
    if isinstance(digest, str) and isinstance(total, int) and isinstance(completed, int):
        parts[digest] = (completed, total)


def _failed(model: str, cause: str) -> ModelUnavailable:
    if "file does not exist" in cause:
        hint = "check the name: `ollama.com/library` lists what there is"
    elif "no space" in cause:
        hint = "free some disk space, then run `codewitness setup` again: it goes on where it stopped"
    else:
        hint = "run `codewitness setup` again: it goes on where it stopped"
    return ModelUnavailable(f"the model `{model}` could not be pulled", cause=cause, hint=hint)
