"""What was printed, held against the files' bytes, by code that shares nothing with the verifier."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from agent.answer import Answer, LinesCitation
from agent.events import Event, ToolFinished
from tools.evidence import LinesShown

_IN_BACKTICKS = re.compile(r"`([^`]+)`")


def problems(answer: Answer, events: Sequence[Event], root: Path) -> list[str]:
    """Everything that is wrong with the claims that a person would see; nothing, when all is well."""
    shown = {
        (piece.path, line)
        for event in events
        if isinstance(event, ToolFinished)
        for _, piece in event.evidence
        if isinstance(piece, LinesShown)
        for line in range(piece.first_line, piece.last_line + 1)
    }
    wrong: list[str] = []
    for claim in (*answer.observed, *answer.recommendations):
        lines = [citation for citation in claim.citations if isinstance(citation, LinesCitation)]
        if not lines:
            wrong.append(f"{claim.text!r} cites nothing")
        for citation in lines:
            wrong += [f"{claim.text!r}: {problem}" for problem in _of_citation(citation, shown, root)]
        cited = "\n".join(f"{citation.path}\n{citation.text}" for citation in lines)
        wrong += [
            f"{claim.text!r}: {name} is not there"
            for name in _IN_BACKTICKS.findall(claim.text)
            if name not in cited
        ]
    return wrong


def _of_citation(citation: LinesCitation, shown: set[tuple[str, int]], root: Path) -> list[str]:
    data = (root / citation.path).read_bytes()
    lines = [line.removesuffix("\r") for line in data.decode().split("\n")]
    wanted = range(citation.first_line, citation.last_line + 1)
    return [
        problem
        for problem, is_so in {
            "out of range": not 1 <= citation.first_line <= citation.last_line <= len(lines),
            "another text": "\n".join(lines[wanted.start - 1 : wanted.stop - 1]) != citation.text,
            "another hash": hashlib.sha256(data).hexdigest() != citation.sha256,
            "not shown in this run": not all((citation.path, line) in shown for line in wanted),
        }.items()
        if is_so
    ]
