"""What of a conversation a model is sent, so that it fits the model's window.

The system prompt, the question and the newest evidence always stay. Older tool results shrink to one line with
their ids, the oldest first; then earlier exchanges fall away; then the newest results are cut at line ends.
Everything here is pure, and a longer conversation repeats the choices that were made for its beginning: what was
sent before is a prefix of what is sent next, except at the few turns where something must shrink. A shrink makes
room for several turns at once, since each one costs the server its prefix cache.

Tokens are estimated: 3.5 characters for one in prose, 2.5 in code and JSON, one for each character outside ASCII.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from agent.messages import JsonSchema, Message
from agent.prompts import prompt

_PROSE, _CODE = 3.5, 2.5
_PER_MESSAGE = 8
"""Tokens that a chat template adds around a message."""
_AFTER_SHRINKING = 0.7
"""The share of the room that is filled once something had to shrink."""
_EVIDENCE_ID = re.compile(r"E\d+")

Measure = Callable[[Message], float]


class DoesNotFit(Exception):
    """Even with everything shrunk the conversation needs more tokens than there is room for."""

    def __init__(self, needed: int, room: int) -> None:
        super().__init__(f"{needed} tokens are needed, {room} are free")
        self.needed = needed
        self.room = room


def message_tokens(message: Message) -> float:
    """An estimate of what one message costs."""
    text = _tokens(message.content, _CODE if message.role == "tool" else _PROSE)
    calls = sum(_tokens(call.name + json.dumps(dict(call.arguments)), _CODE) for call in message.tool_calls)
    return _PER_MESSAGE + text + calls + _tokens(message.thinking, _PROSE)


def schema_tokens(schemas: Sequence[JsonSchema]) -> float:
    """An estimate of what the tools' schemas cost."""
    return sum(_tokens(json.dumps(schema), _CODE) for schema in schemas)


def _tokens(text: str, characters_per_token: float) -> float:
    if text.isascii():
        return len(text) / characters_per_token
    plain = len(text.encode("ascii", "ignore"))
    return plain / characters_per_token + len(text) - plain


def fit(messages: Sequence[Message], room: float, measure: Measure = message_tokens) -> list[Message]:
    """The messages that fit into `room` tokens by `measure`; the very same ones while all of them fit.

    Raises: DoesNotFit.
    """
    question = _question(messages)
    kept = [
        message if at >= question else replace(message, thinking="") for at, message in enumerate(messages)
    ]
    if sum(map(measure, kept)) <= room:
        return kept
    line = prompt("left_out")
    small = [_small(message, line) if at > question else message for at, message in enumerate(kept)]
    shrunk = _shrunk(kept, small, question, room, measure)
    kept = small[:shrunk] + kept[shrunk:]
    kept = _without_earlier(kept, question, room, measure)
    return _with_newest_cut(kept, room, measure)


def _question(messages: Sequence[Message]) -> int:
    """Where the current question stands: the last thing a person said before the first tool call."""
    calls = next((at for at, message in enumerate(messages) if message.tool_calls), len(messages))
    said = [at for at, message in enumerate(messages[:calls]) if message.role == "user"]
    return said[-1] if said else 0


def _shrunk(
    full: Sequence[Message], small: Sequence[Message], question: int, room: float, measure: Measure
) -> int:
    """How many messages from the front are sent small, found by going through every turn that led here."""
    sizes, smaller = [measure(message) for message in full], [measure(message) for message in small]
    shrunk, total, newest = question, sum(sizes[:question]), question
    for at in range(question, len(full)):
        if full[at].role == "assistant":
            newest = at
        total += sizes[at]
        if at + 1 < len(full) and full[at + 1].role != "assistant":
            continue
        if total > room:
            while shrunk < newest and total > room * _AFTER_SHRINKING:
                total -= sizes[shrunk] - smaller[shrunk]
                shrunk += 1
    return shrunk


def _without_earlier(messages: list[Message], question: int, room: float, measure: Measure) -> list[Message]:
    """Earlier exchanges fall away, a question together with its answer."""
    kept, first = (
        list(messages),
        next((at for at, message in enumerate(messages) if message.role == "user"), 0),
    )
    total = sum(map(measure, kept))
    while total > room and first < question:
        while True:
            total -= measure(kept.pop(first))
            question -= 1
            if first >= question or kept[first].role == "user":
                break
    return kept


def _with_newest_cut(messages: list[Message], room: float, measure: Measure) -> list[Message]:
    """The largest tool results are cut until all fits: what is left was all needed whole."""
    total = sum(map(measure, messages))
    results = [at for at, message in enumerate(messages) if message.role == "tool"]
    for at in sorted(results, key=lambda at: -measure(messages[at])):
        if total <= room:
            return messages
        before = measure(messages[at])
        messages[at] = _cut(messages[at], before - (total - room), measure)
        total -= before - measure(messages[at])
    if total > room:
        raise DoesNotFit(round(total), round(room))
    return messages


def _cut(message: Message, wanted: float, measure: Measure) -> Message:
    """As many whole lines as fit into `wanted` tokens, the last line kept (it closes the fence)."""
    *lines, end = message.content.split("\n")
    note = prompt("cut")
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        fits = measure(replace(message, content="\n".join([*lines[:middle], end, note]))) <= wanted
        low, high = (middle, high) if fits else (low, middle - 1)
    return (
        replace(message, content="\n".join([*lines[:low], end, note]))
        if low
        else _small(message, prompt("left_out"))
    )


def _small(message: Message, line: str) -> Message:
    """A tool result as one `line` with its ids, an assistant's turn without its thinking, else the message itself."""
    if message.role == "assistant":
        return replace(message, thinking="")
    if message.role != "tool" or message.call is None:
        return message
    ids = dict.fromkeys(evidence_ids(message.result or {}))
    line = line.replace("{what}", ", ".join(ids) or f"a result of `{message.call.name}`")
    return replace(message, content=line) if len(line) < len(message.content) else message


def left_out(messages: Sequence[Message], sent: Sequence[Message]) -> frozenset[str]:
    """The ids of those calls whose results went out as one line that stands for them."""
    whole = {message.call.id: message.content for message in messages if message.call is not None}
    return frozenset(
        message.call.id
        for message in sent
        if message.call is not None
        and "\n" not in message.content
        and message.content != whole.get(message.call.id)
    )


def evidence_ids(result: Mapping[str, Any]) -> Iterator[str]:
    """Every evidence id in a tool's result, in its order."""
    for key, value in result.items():
        if key == "id" and isinstance(value, str) and _EVIDENCE_ID.fullmatch(value):
            yield value
        entries = cast(list[object], value) if isinstance(value, list) else [value]
        for entry in entries:
            if isinstance(entry, Mapping):
                yield from evidence_ids(cast(Mapping[str, Any], entry))
