"""Tool results are data: fenced by a boundary that the repository cannot know, special tokens broken.

The boundary is fixed for a conversation, so the server's prefix cache is reused. A special token of a chat
template gets a visible middle dot, in model input only: a file can then not close the model's turn.
"""

from __future__ import annotations

import re
import secrets

from tools.show import show

_SPECIAL = re.compile(
    r"<\|[^|<>\s]{1,40}\|>"  # ChatML, Llama 3, Phi, GLM, Command, gpt-oss, Granite
    r"|<｜[^｜<>\s]{1,40}｜>"  # DeepSeek
    r"|\[\|[a-z_]{2,30}\|\]"  # EXAONE
    r"|\[/?INST\]|<</?SYS>>|\[/?(?:SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK)\]"
    r"|\[gMASK\]|<sop>|</?s>|<(?:bos|eos|pad|unk)>|</?(?:start_of_turn|end_of_turn)>"
    r"|</?(?:tool_call|tool_response|tools|think|function_invocation)>|<function=|<parameter=",
    re.IGNORECASE,
)


def new_boundary() -> str:
    """Eight random hex digits."""
    return secrets.token_hex(4)


def fence(text: str, boundary: str) -> str:
    """A tool's text between two lines that carry the boundary, made safe for a chat template and for the eye."""
    return f"<<data {boundary}\n{defuse(show(text))}\ndata {boundary}>>"


def defuse(text: str) -> str:
    """Break every special token by a middle dot after its first character."""
    return _SPECIAL.sub(lambda match: match[0][0] + "·" + match[0][1:], text)
