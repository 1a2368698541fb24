"""What a traceback, a log, a test's output or a compiler error says: pure values, the same for every language.

Frames run from the outermost call to the innermost, whatever order the text had. Failures stand in the order they
were raised, so the first is the root. Paths, lines and source texts are as written: nothing is looked up here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

TraceLanguage: TypeAlias = Literal["python", "javascript", "go", "rust", "java", ""]
Relation: TypeAlias = Literal["", "cause", "context", "member"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One call on the way to a failure, or one place that a message names."""

    path: str
    line: int
    function: str = ""
    quoted: str = ""
    """The source line as the text shows it, white space at its ends removed."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One exception, panic, failed assertion or compiler error."""

    type: str
    message: str = ""
    frames: tuple[Frame, ...] = ()
    relation: Relation = ""
    """How the next failure came of it: it is that one's cause, it was being handled, or it is a member of that group."""

    @property
    def headline(self) -> str:
        """`Type: first line of the message`."""
        first = self.message.split("\n", 1)[0]
        return ": ".join(part for part in (self.type, first) if part)


@dataclass(frozen=True, slots=True)
class Report:
    """One text, read."""

    text: str
    language: TraceLanguage = ""
    failures: tuple[Failure, ...] = ()
    values: tuple[str, ...] = ()
    """What the text shows of the values at hand, as written (`assert 3 == 4`, `left: 3`, `name = None`)."""
    tests: tuple[str, ...] = ()
    """The failing tests that it names."""
    prose: str = field(default="", compare=False)
    """What people wrote around the trace."""

    @property
    def decisive(self) -> Failure | None:
        """The failure to explain, of the first chain of failures.

        That is the root of its causes; but where handling one failure failed by itself, what failed last.
        """
        at = next((n for n, failure in enumerate(self.failures) if not failure.relation), -1)
        while at > 0 and _led_to(self.failures[at - 1], self.failures[at]):
            at -= 1
        return self.failures[at] if self.failures else None


def _led_to(before: Failure, after: Failure) -> bool:
    match before.relation:
        case "cause" | "member":
            return True
        case "context":
            return _raises(after)
        case _:
            return False


def _raises(failure: Failure) -> bool:
    """True when it was raised on purpose, by what its innermost frame quotes."""
    return bool(failure.frames) and failure.frames[-1].quoted.startswith(("raise ", "throw "))
