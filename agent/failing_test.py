"""A test that was run to be explained: what its failure says as a report, and the answer for one that passes."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace

from agent.backends.extractive.sentences import code
from agent.messages import BackendInfo, JsonSchema, Message, Piece, ToolCall, Turn
from agent.phrases import Phrases, load_phrases
from agent.traces import read_report
from agent.traces.report import Failure, Frame, Report
from tools.run_tests import TestsRan
from tools.runners.runner import TestOutcome
from tools.suite import TestsUnusable

_RAISED = re.compile(r"(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Failed|Exit|Interrupt)): ?(?P<message>.*)")
_ASSERTED = "AssertionError"


def tests_call(target: str) -> ToolCall:
    """The look-up that the run of a test is, for the record."""
    return ToolCall("call_test", "run_tests", {"target": target})


def failure_report(ran: TestsRan) -> Report | None:
    """What the first failing test says, with the frames that its runner reported; None where all that ran passed.

    Raises: TestsUnusable, where the run has no verdict and nothing to explain.
    """
    if ran.test_run.verdict == "passed":
        return None
    for failure in ran.failures:
        return _report_of(failure.test)
    if not ran.tail.strip():
        raise TestsUnusable(
            "the test ran without a verdict",
            cause=ran.run.report.problem or "no test was run",
            hint="name a test as its runner does (`tests/test_cart.py::test_total`), and look whether it runs by hand",
        )
    return read_report(ran.tail)


def _report_of(test: TestOutcome) -> Report:
    """The failure as its text says; the runner's own frames, where the text shows no more than those."""
    text = f"{test.message}\n{test.output}".strip()
    read = read_report(text)
    if read.decisive and len(read.decisive.frames) >= len(test.frames):
        return replace(read, tests=(test.id,))
    frames = tuple(Frame(one.path, one.line, one.function) for one in test.frames)
    raised = _RAISED.match(text)
    kind = raised["type"] if raised else _ASSERTED if test.outcome == "failed" else ""
    message = raised["message"] if raised else text
    return Report(text, read.language, (Failure(kind, message, frames),), read.values, (test.id,))


@dataclass(frozen=True)
class Passing:
    """Plays the model's part where a test passes: it says so, by the run, and looks nothing up."""

    info: BackendInfo
    evidence: str
    """The id of the run."""
    command: str

    def notice(self, question: str) -> str:
        """Nothing was chosen or quoted."""
        return ""

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[JsonSchema]
    ) -> AsyncGenerator[Piece, None]:
        """Nothing is to be looked up."""
        yield Turn(content=self.command)

    async def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        """One claim, by the schema of `agent.drafts`."""
        phrases: Phrases = load_phrases()["en"]
        text = phrases.write("explain_passes", code=code(self.command))
        claim = {"text": text, "citations": [{"evidence": self.evidence}]}
        yield Turn(content=json.dumps({"no_evidence": False, "observed": [claim]}))

    async def aclose(self) -> None:
        """There is nothing to free."""
