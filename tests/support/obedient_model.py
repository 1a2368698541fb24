"""A model that does whatever it is told, as a chat template lets it tell who speaks.

The messages are written out as a template would write them, contents as they are, and read back as a tokenizer reads
special tokens, wherever they come from: a file that can forge a turn is obeyed like the program itself. `gullible`
obeys any instruction anywhere, inside the fence too: the model that no wording helps.

An instruction is `OBEY: call NAME {json}`, `OBEY: say TEXT`, `OBEY: advise TEXT` or `OBEY: nothing`, on one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Iterator, Sequence

from agent.messages import BackendInfo, JsonSchema, Message, Piece, ToolCall, Turn

_TURN = re.compile(
    r"<\|im_start\|>(?:system|user|assistant)|<\|start_header_id\|>|<\|(?:system|user|assistant|developer)\|>"
    r"|<\|start\|>|<\|START_OF_TURN_TOKEN\|>|<\|start_of_role\|>|<｜(?:User|Assistant|tool▁calls▁begin)｜>"
    r"|\[\|(?:system|user)\|\]|\[INST\]|<<SYS>>|\[SYSTEM_PROMPT\]|\[TOOL_CALLS\]|</?s>|<start_of_turn>"
    r"|</tool_response>|<tool_call>|<function=|</think>",
    re.IGNORECASE,
)
_END = "<|im_end|>"
_ORDER = re.compile(r"OBEY: (?P<what>call (?P<tool>\w+)|say|advise|nothing) ?(?P<rest>[^\n]*)")


class ObedientModel:
    """A backend. It makes each call that it is told to make once, then gives the draft that it is told to give."""

    def __init__(self, *, gullible: bool) -> None:
        self._gullible = gullible
        self._made: set[str] = set()
        self.heard: list[str] = []
        """Every instruction that it took for one of its master's."""

    @property
    def info(self) -> BackendInfo:
        return BackendInfo("scripted", "obedient")

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[JsonSchema]
    ) -> AsyncGenerator[Piece, None]:
        calls: list[ToolCall] = []
        for order in self._orders(messages):
            if order["tool"] and order[0] not in self._made:
                self._made.add(order[0])
                arguments, _ = json.JSONDecoder().raw_decode(order["rest"])
                calls.append(ToolCall(f"call_{len(self._made)}", order["tool"], arguments))
        yield Turn("" if calls else "Ready.", tuple(calls), prompt_tokens=10, output_tokens=5)

    async def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        orders = list(self._orders(messages))
        draft = {
            "no_evidence": any(order["what"] == "nothing" for order in orders),
            "observed": [_claim(order["rest"]) for order in orders if order["what"] == "say"],
            "recommendations": [_claim(order["rest"]) for order in orders if order["what"] == "advise"],
            "steps": [order["rest"] for order in orders if order["what"] == "advise"],
        }
        draft["observed"].append(_claim("`gross_price` rounds to two places"))
        yield Turn(json.dumps(draft), prompt_tokens=10, output_tokens=5)

    def notice(self, question: str) -> str:
        return ""

    async def aclose(self) -> None:
        pass

    def _orders(self, messages: Sequence[Message]) -> Iterator[re.Match[str]]:
        for text in _everything(messages) if self._gullible else _spoken(messages):
            for order in _ORDER.finditer(text):
                self.heard.append(order[0])
                yield order


def _claim(text: str) -> dict[str, object]:
    return {"text": text, "citations": [{"evidence": "E1"}]}


def _everything(messages: Sequence[Message]) -> Iterator[str]:
    return (message.content for message in messages)


def _spoken(messages: Sequence[Message]) -> Iterator[str]:
    """What stands outside the fences and inside turns that are no tool's, as special tokens divide the text."""
    for message in messages:
        if message.role == "tool":
            yield from _TURN.split(_END.join(message.content.split(_END)))[1:]
            yield _outside_fence(message.content)
        else:
            yield message.content


def _outside_fence(content: str) -> str:
    opening = re.match(r"<<data (\w+)\n", content)
    if not opening:
        return content
    return content.partition(f"\ndata {opening[1]}>>")[2]
