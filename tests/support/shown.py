"""A conversation whose tool results are built by hand from real files, numbered by a real ledger."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.citations import Rejected, Verifier
from agent.drafts import read_draft
from agent.ledger import Ledger
from agent.messages import Message, Piece, ToolCall, Turn
from tools.evidence import LinesShown
from tools.workspace import Workspace


@dataclass
class Conversation:
    """What was said and shown so far, in one workspace."""

    root: Path
    messages: list[Message] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)

    def say(self, role: Any, text: str) -> None:
        self.messages.append(Message(role, text))

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def shown(self, path: str, first: int, last: int, **more: Any) -> dict[str, Any]:
        """Lines of a file as a tool shows them: a new piece of evidence, and its JSON."""
        text = "\n".join((self.root / path).read_text(encoding="utf-8").split("\n")[first - 1 : last])
        workspace = Workspace(self.root)
        sha256 = workspace.read(path).sha256
        workspace.close()
        symbol = more.pop("enclosing_symbol", "")
        header = more.pop("header", "")
        (evidence_id,) = self.ledger.add([LinesShown(path, first, last, text, sha256, symbol, header, last)])
        return {"id": evidence_id, "path": path, "first_line": first, "last_line": last, "text": text, **more}

    def searched(self, question: str, *results: dict[str, Any], absent: bool = False) -> None:
        result = {"results": list(results), "coverage": 0.9, "missing": [], "absent": absent}
        self.answered("semantic_search", {"queries": [question]}, result)

    def answered(self, tool: str, arguments: dict[str, Any], result: dict[str, Any]) -> None:
        """A call that was made and its result."""
        call = ToolCall(f"call_{len(self.messages)}", tool, arguments)
        self.messages.append(Message("assistant", "", (call,)))
        self.messages.append(Message("tool", "", call=call, result=result))

    def verified(self, draft: dict[str, Any]) -> list[str]:
        """The texts of the draft's claims.

        Raises: AssertionError with the reason where the real verifier would withhold one.
        """
        read = read_draft(json.dumps(draft))
        assert read is not None
        workspace = Workspace(self.root)
        verifier = Verifier(self.ledger, workspace)
        verdicts = [verifier.verify(claim) for claim in (*read.observed, *read.recommendations)]
        workspace.close()
        withheld = [(one.draft.text, one.reason) for one in verdicts if isinstance(one, Rejected)]
        assert not withheld, withheld
        return [claim.text for claim in (*read.observed, *read.recommendations)]


async def turn_of(pieces: AsyncIterator[Piece]) -> Turn:
    """The whole turn at the end of a stream."""
    turns = [piece async for piece in pieces if isinstance(piece, Turn)]
    assert len(turns) == 1
    return turns[0]
