"""Tool calls that a model wrote into its text, recovered under one rule.

A call counts only when it names one of our tools, its arguments are an object, and neither it nor its inner part
stands in any tool result of the conversation: a file that holds the text of a call cannot have it made by a model
that copies it. Nothing is ever recovered from thinking. Everything here is pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agent.messages import JsonSchema, Message

_END_OF_THINKING = "</think>"
_WRAPPED = re.compile(
    r"<tool_call>\s*(?P<tagged>\{.*?\})\s*</tool_call>"
    r"|(?:<tool_call>\s*)?<function=(?P<name>[\w.-]+)>(?P<parameters>.*?)</function>(?:\s*</tool_call>)?"
    r"|<function_invocation>\s*(?P<invoked>\{.*?\})\s*</function_invocation>"
    r"|```(?:json|tool_call)?\s*\n(?P<fenced>\{.*?\})\s*\n```",
    re.DOTALL,
)
_PREFIXED = re.compile(r"(?:<\|python_tag\|>|\[TOOL_CALLS\])\s*(?P<json>[\[{].*)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>\n?(.*?)\n?</parameter>", re.DOTALL)
_LINE_NUMBER = re.compile(r"^\s*\d+\s*[|:│]?\s?", re.MULTILINE)
_IGNORED = re.compile(r"[\s·]+")


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call found in a text."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Found:
    call: WrittenCall
    whole: str
    inner: str


def without_thinking(content: str) -> tuple[str, str]:
    """Reasoning that leaked into the text, and the text without it: all up to the first `</think>`."""
    before, tag, after = content.partition(_END_OF_THINKING)
    if tag:
        return before.replace("<think>", "", 1).strip(), after.lstrip()
    opened = content.lstrip()
    return (opened.removeprefix("<think>").strip(), "") if opened.startswith("<think>") else ("", content)


def written_calls(
    content: str, tools: Sequence[JsonSchema], messages: Sequence[Message]
) -> tuple[tuple[WrittenCall, ...], str]:
    """The calls in `content` that may be made, and the text that is left without them."""
    names = {tool["function"]["name"] for tool in tools}
    found = [entry for entry in _found(content) if entry.call.name in names]
    if not found:
        return (), content
    shown = _shown(messages)
    made = [entry for entry in found if not any(_copied(entry, text) for text in shown)]
    for entry in made:
        content = content.replace(entry.whole, "", 1)
    return tuple(entry.call for entry in made), content.strip()


def _found(content: str) -> Iterator[_Found]:
    if prefixed := _PREFIXED.search(content):
        yield from _calls_in_json(prefixed["json"], prefixed[0])
        return
    whole = content.strip()
    if whole.startswith(("{", "[")):
        yield from _calls_in_json(whole, whole)
        return
    for match in _WRAPPED.finditer(content):
        if match["name"]:
            arguments = {name: _value(text) for name, text in _PARAMETER.findall(match["parameters"])}
            yield _Found(
                WrittenCall(match["name"], arguments), match[0], match["parameters"].strip() or match[0]
            )
        else:
            text = match["tagged"] or match["invoked"] or match["fenced"]
            yield from _calls_in_json(text, match[0])


def _calls_in_json(text: str, whole: str) -> Iterator[_Found]:
    """`{"name", "arguments" or "parameters"}`, or a list of such; text after it is left alone."""
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return
    inner = text[:end]
    whole = whole[: whole.index(inner) + end] if whole.endswith(text) else whole
    listed = isinstance(value, list)
    for entry in cast(list[object], value) if listed else [cast(object, value)]:
        if isinstance(entry, Mapping) and (call := _call(cast(Mapping[str, object], entry))):
            yield _Found(call, whole, json.dumps(entry, ensure_ascii=False) if listed else inner)


def _call(entry: Mapping[str, object]) -> WrittenCall | None:
    name = entry.get("name")
    arguments = entry.get("arguments", entry.get("parameters"))
    if isinstance(name, str) and isinstance(arguments, dict):
        return WrittenCall(name, cast(dict[str, Any], arguments))
    return None


def _value(text: str) -> object:
    """A parameter between tags: JSON where it reads as a list, an object, a number or a truth value, else the text."""
    try:
        value = cast(object, json.loads(text))
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, str) else value


def _shown(messages: Sequence[Message]) -> list[str]:
    """Every text that tools put before the model, as shown and as it stands in the files, folded for comparing."""
    texts: list[str] = []
    for message in messages:
        if message.role == "tool":
            texts += [message.content, _LINE_NUMBER.sub("", message.content), *_strings(message.result)]
    return [_folded(text) for text in texts]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for entry in cast(Mapping[str, object], value).values():
            yield from _strings(entry)
    elif isinstance(value, (list, tuple)):
        for entry in cast(Sequence[object], value):
            yield from _strings(entry)


def _copied(entry: _Found, shown: str) -> bool:
    return _folded(entry.whole) in shown or _folded(entry.inner) in shown


def _folded(text: str) -> str:
    """Without white space and without the dots that fence special tokens, so that neither hides a copy."""
    return _IGNORED.sub("", text)
