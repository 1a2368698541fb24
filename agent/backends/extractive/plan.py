"""Which lookups come next, decided from the question and what was found so far.

The rules say at every turn all that they want to know; what was asked already is left out, and when nothing new is
left, it is time to answer. So three or four turns do: names, then what they led to, then the lines around.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agent.backends.extractive.findings import Findings, Place, Use
from agent.backends.extractive.text_draft import literal_flag
from agent.backends.extractive.verdict import best_places, error_shown, main_definitions, names_asked, subject
from agent.names import Name
from agent.question import Intent, Question

MAX_LOOKUPS = 14
"""In one run: more would not be read by anyone."""
_LINES_READ = 110
_MOST_WORDS = 1_000
_LINES_ABOVE = 14
_CONTEXT_ABOVE = 14
_FLAG_ABOVE, _FLAG_BELOW = 4, 8
_CONTEXT_BELOW = 4


@dataclass(frozen=True, slots=True)
class Lookup:
    """One tool call that the rules ask for."""

    tool: str
    arguments: Mapping[str, Any]


def next_lookups(question: Question, findings: Findings) -> list[Lookup]:
    """What to ask now; nothing when there is enough to answer."""
    wanted: dict[str, Lookup] = {}
    for lookup in _wanted(question, findings):
        if not findings.was_asked(lookup.tool, lookup.arguments):
            wanted.setdefault(repr(lookup), lookup)
    return list(wanted.values())[: max(0, MAX_LOOKUPS - len(findings.asked))]


def _wanted(question: Question, findings: Findings) -> Iterator[Lookup]:
    names = names_asked(question)
    if question.intent == "changed":
        yield from _history_of(question, findings)
    for name in names:
        yield from _first_of(name, question)
        yield from _second_of(name, question, findings)
    if question.then and (found := subject(question, findings)):
        yield Lookup("grep_symbol", {"name": found.symbol, "find": _find(question.then)})
    if error := error_shown(question, findings):
        yield Lookup("grep_symbol", {"name": error.symbol, "find": "any"})
    if question.intent in ("definition", "purpose", "how", "report"):
        for use in main_definitions(question, findings)[:1]:
            yield from _body_of(use, findings)
    if not any(findings.found(name.text) for name in names) or question.intent in ("how", "report"):
        for place in best_places(question, findings):
            if place.clipped:
                yield _read(place.path, *place.whole)


def _history_of(question: Question, findings: Findings) -> Iterator[Lookup]:
    """The commits of what is named; those about the question's words where nothing is, or where that gave none."""
    kinds = {"path": "path", "symbol": "symbol"}
    asked = [
        {kinds[name.kind]: name.last_part if name.kind == "symbol" else name.text}
        for name in question.certain
        if name.kind in kinds
    ]
    for arguments in asked:
        yield Lookup("git_history", arguments)
    tried = all(findings.was_asked("git_history", arguments) for arguments in asked)
    if tried and not any(history.commits for history in findings.histories):
        yield Lookup("git_history", {"words": question.text[:_MOST_WORDS]})


def _first_of(name: Name, question: Question) -> Iterator[Lookup]:
    """What the name's shape and the question's intent ask for."""
    match name.kind:
        case "path":
            yield Lookup("list_files", {"path": name.text, "outline": True})
        case "symbol":
            yield Lookup("grep_symbol", {"name": name.text, "find": _find(question.intent)})
        case "setting" if question.intent in ("dependents", "tests"):
            yield Lookup("grep_symbol", {"name": name.text, "find": _find(question.intent)})
        case _:
            yield Lookup("grep_symbol", {"name": name.text, "literal": True})


def _second_of(name: Name, question: Question, findings: Findings) -> Iterator[Lookup]:
    """What the first lookup left open."""
    if name.kind == "path":
        if findings.was_asked("list_files", {"path": name.text, "outline": True}) and not findings.found(
            name.text
        ):
            yield _read(name.text, 1, 40)
        return
    uses = findings.uses.get(name.text, [])
    if question.intent == "dependents" and name.kind in ("symbol", "setting") and findings.found(name.text):
        yield Lookup("grep_symbol", {"name": name.text, "find": "any"})
    if name.certain and name.text in findings.definitions and not findings.found(name.text):
        yield Lookup("grep_symbol", {"name": name.text, "literal": True})
        if name.last_part != name.text:
            yield Lookup("grep_symbol", {"name": name.last_part, "find": "definition"})
    if name.kind == "flag":
        bare = f'"{name.text.lstrip("-")}"'
        written = literal_flag(name.text)
        sources = sorted(
            (use for use in (*uses, *findings.uses.get(bare, [])) if use.place.area in ("source", "")),
            key=lambda use: written.search(use.text) is None,
        )
        if uses:
            yield Lookup("grep_symbol", {"name": bare, "literal": True})
        for use in sources[:1]:
            yield _read(use.place.path, max(1, use.line - _FLAG_ABOVE), use.line + _FLAG_BELOW)
    if question.intent == "error" and name.kind == "text":
        for use in uses[:2]:
            yield _read(use.place.path, max(1, use.line - _CONTEXT_ABOVE), use.line + _CONTEXT_BELOW)


def _body_of(use: Use, findings: Findings) -> Iterator[Lookup]:
    """The definition's lines, and the comment above it where comments stand there."""
    searched = next((p for p in findings.searched if _same_definition(p, use)), None)
    if searched is not None:
        if searched.clipped:
            yield _read(searched.path, *searched.whole)
        return
    first = use.place.first_line
    yield _read(use.place.path, first, first + _LINES_READ)
    if first > 1 and not use.place.path.endswith((".py", ".pyi")):
        yield _read(use.place.path, max(1, first - _LINES_ABOVE), first - 1)


def _same_definition(place: Place, use: Use) -> bool:
    return (
        place.path == use.place.path
        and place.name == use.place.name
        and place.whole[0] <= use.line <= place.whole[1]
    )


def _find(intent: Intent) -> str:
    match intent:
        case "dependents":
            return "dependents"
        case "callers" | "tests" | "error":
            return "any"
        case _:
            return "definition"


def _read(path: str, first_line: int, last_line: int) -> Lookup:
    return Lookup("read_file_lines", {"path": path, "first_line": first_line, "last_line": last_line})
