"""What was asked and answered in a workspace, so that `ask --continue` and a later session can go on from it.

One JSON Lines file per conversation in the index folder's `conversations/`, readable by its owner only; a line
is one exchange. Secrets are masked before anything is written. A line cut off by a crash is left out on reading.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, cast

from agent.answer import Answer, Status
from agent.transcript import Exchange
from tools.secrets import mask

_SAID_OF_NOTHING: Mapping[Status, str] = {
    "answered": "",
    "partial": "",
    "no_evidence": "No evidence was found.",
    "could_not_search": "The search did not work.",
    "model_failed": "No answer could be read.",
}
KEPT_EXCHANGES = 6
"""How many of the newest exchanges a follow-up sees."""


@dataclass(frozen=True, slots=True)
class KeptConversation:
    """An earlier conversation, for a list of them."""

    path: Path
    last_used: datetime
    questions: tuple[str, ...]


class Conversations:
    """The conversations of one workspace."""

    def __init__(self, index_folder: Path) -> None:
        self._folder = index_folder / "conversations"

    def newest(self) -> Path | None:
        """The file of the conversation that was added to last."""
        files = sorted(self._folder.glob("*.jsonl"), key=lambda path: (path.stat().st_mtime_ns, path.name))
        return files[-1] if files else None

    def start(self) -> Path:
        """A name for a new conversation; the file comes with its first exchange."""
        return (
            self._folder
            / f"{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}-{time.monotonic_ns() % 1_000_000:06d}.jsonl"
        )

    def exchanges(self, conversation: Path) -> list[Exchange]:
        """The newest exchanges, oldest first."""
        return list(_read(conversation))[-KEPT_EXCHANGES:] if conversation.is_file() else []

    def kept(self) -> list[KeptConversation]:
        """Every conversation that holds an exchange, the one added to last first."""
        found = [
            KeptConversation(
                path,
                datetime.fromtimestamp(path.stat().st_mtime),
                tuple(exchange.question for exchange in _read(path)),
            )
            for path in self._folder.glob("*.jsonl")
        ]
        return sorted(
            (one for one in found if one.questions), key=lambda one: (one.last_used, one.path), reverse=True
        )

    def delete(self, conversation: Path) -> None:
        """Forget one conversation for good."""
        conversation.unlink(missing_ok=True)

    def append(self, conversation: Path, answer: Answer) -> None:
        """Add one exchange."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        line = json.dumps(
            {
                "question": mask(answer.question)[0],
                "answer": mask(as_text(answer))[0],
                "status": answer.status,
            }
        )
        descriptor = os.open(conversation, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "ab+") as file:
            file.write(_after_a_cut(file) + line.encode() + b"\n")


def as_text(answer: Answer) -> str:
    """The answer as a model should remember it: its claims with their labels."""
    lines = [
        f"{claim.text} ({', '.join(citation.label for citation in claim.citations)})"
        for claim in (*answer.observed, *answer.recommendations)
    ]
    return "\n".join(lines) or _SAID_OF_NOTHING[answer.status]


def _after_a_cut(file: IO[bytes]) -> bytes:
    """A newline where a crash left the last line without one, so that the next line stands by itself."""
    if file.seek(0, os.SEEK_END) == 0:
        return b""
    file.seek(-1, os.SEEK_END)
    return b"" if file.read(1) == b"\n" else b"\n"


def _read(conversation: Path) -> Iterator[Exchange]:
    for line in conversation.read_bytes().split(b"\n"):
        try:
            value: Any = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            entry = cast(dict[str, Any], value)
            yield Exchange(str(entry.get("question", "")), str(entry.get("answer", "")))
