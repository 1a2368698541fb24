"""From a report of a failure to the run that explains it: the case, the first look-ups, what a model is told.

The look-ups are the program's own: around each frame in the workspace, made before the first turn of a model, so that
every backend begins with the lines that failed. What the answer must hold, and in which order, is said in
`prompts/explain.md`; without a model `agent/backends/extractive/explaining` fills the same order by rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.backends.base import Backend
from agent.backends.extractive.explaining import ExplainByRules
from agent.backends.extractive.explaining.faults import fault_of
from agent.fence import fence, new_boundary
from agent.frames import Case, FrameFinder, Located
from agent.messages import ToolCall
from agent.prompts import prompt
from agent.question import QuestionReader
from agent.traces import read_report
from agent.traces.report import Report

MAX_REPORT_CHARACTERS = 60_000
"""Of a longer text the beginning and the end are read: a log may be of any size."""
_MAX_TOLD_CHARACTERS = 6_000
_MAX_PLACES = 8
_MAX_LINES = 160
"""Lines shown of one function."""
_MAX_QUERY = 300


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One failure, ready to be explained."""

    case: Case
    question: str
    """The report as it goes into the answer's record."""
    told: str
    """What a model is told."""
    look_ups: tuple[ToolCall, ...]

    @property
    def headline(self) -> str:
        """What was reported, in one line."""
        return headline(self.case.report)


def inquire(text: str, finder: FrameFinder) -> Inquiry:
    """Take a report apart and find its places."""
    return inquire_about(read_report(shortened(text, MAX_REPORT_CHARACTERS)), finder, text)


def inquire_about(report: Report, finder: FrameFinder, text: str = "") -> Inquiry:
    """The same of a report that was read already; `text` is what goes into the answer's record."""
    case, told = finder.case(report), shortened((text or report.text).strip(), _MAX_TOLD_CHARACTERS)
    return Inquiry(case, told, _told(case), _look_ups(case))


def explainer(inquiry: Inquiry, backend: Backend) -> Backend:
    """Who explains: the backend, or, where it is no model and there are frames to follow, the rules for that."""
    fault = fault_of(inquiry.case.report)
    if backend.info.name != "extractive" or not inquiry.case.inside or fault is None:
        return backend
    reader = QuestionReader()
    language = reader.read(inquiry.case.report.prose).language
    return ExplainByRules(backend.info, inquiry.case, fault, reader.phrases[language])


def headline(report: Report) -> str:
    """The decisive failure in one line; of a text without one its first line."""
    failure = report.decisive
    first = next((line.strip() for line in report.text.splitlines() if line.strip()), "")
    return (failure.headline if failure else "") or first[:_MAX_QUERY]


def shortened(text: str, most: int) -> str:
    """The text, its middle left out where it is longer than `most` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"


def _look_ups(case: Case) -> tuple[ToolCall, ...]:
    """The functions on the path, those nearest to the failure; where none is known, a search for what was said."""
    nearest = list(dict.fromkeys(_window(frame) for frame in reversed(case.inside)))[:_MAX_PLACES]
    places = nearest[::-1]
    if not places:
        queries = [_query(case.report)]
        return (ToolCall("call_0", "semantic_search", {"queries": queries}),)
    return tuple(
        ToolCall(f"call_{at}", "read_file_lines", {"path": path, "first_line": first, "last_line": last})
        for at, (path, first, last) in enumerate(places)
    )


def _window(frame: Located) -> tuple[str, int, int]:
    """The lines of its function; of a very long one those around the failing line."""
    if frame.last_line - frame.first_line < _MAX_LINES:
        return frame.path, frame.first_line, frame.last_line
    first = max(frame.first_line, frame.line - _MAX_LINES * 3 // 4)
    return frame.path, first, min(frame.last_line, first + _MAX_LINES)


def _query(report: Report) -> str:
    said = headline(report)
    return re.sub(r"\s+", " ", said)[:_MAX_QUERY] or report.text[:_MAX_QUERY]


def _told(case: Case) -> str:
    """The instructions, the report as data, and where its frames are."""
    if not case.inside:
        return _query(case.report)
    failure = case.report.decisive
    places = "\n".join(f"- {_place(frame)}" for frame in case.frames)
    return prompt("explain").format(
        report=fence(shortened(case.report.text, _MAX_TOLD_CHARACTERS), new_boundary()),
        failure=failure.headline if failure else "",
        places=places,
    )


def _place(frame: Located) -> str:
    if not frame.inside:
        return f"outside the workspace: {frame.frame.path}:{frame.frame.line}"
    where = f"`{frame.path}:{frame.line}`" + (f" in `{frame.function}`" if frame.function else "")
    if not frame.certain:
        return f"{where} (the file no longer holds the line that the report quotes)"
    return f"{where} (line {frame.frame.line} when it failed)" if frame.moved else where
