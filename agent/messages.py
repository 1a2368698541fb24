"""Values sent to and received from a model.

A conversation is a list of `Message`. A tool's result travels twice in one message: `content` is what a model
reads, `result` the same as plain JSON, for a backend that reads no prose (`backends/extractive.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a model asked for. `id` is unique in its conversation."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of the conversation, in the order it was said."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """What the assistant asked for (role assistant only)."""
    thinking: str = ""
    call: ToolCall | None = None
    """The call that a tool message answers (role tool only)."""
    result: Mapping[str, Any] | None = None
    """The tool's result as plain JSON, or {"error": text} (role tool only)."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the model's text as it is written: unverified, never shown as an answer."""

    text: str
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One whole reply of the model."""

    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    thinking: str = ""
    prompt_tokens: int = 0
    output_tokens: int = 0
    finish: Literal["stop", "length"] = "stop"
    left_out: frozenset[str] = frozenset()
    """Ids of earlier calls whose results were no more than a line in what the model read for this reply."""


Piece: TypeAlias = TextDelta | Turn
"""What a streaming reply yields: any number of `TextDelta`, then exactly one `Turn`."""

JsonSchema: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """Which model answers, and where it runs."""

    name: str
    """ollama, openai, llamacpp or extractive."""
    model: str = ""
    host: str = ""
    details: Mapping[str, str] = field(default_factory=dict[str, str])
