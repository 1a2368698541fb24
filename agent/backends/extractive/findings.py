"""What the tools have shown so far, read from their JSON results: places, uses of names, and what was asked already.

A `Place` is one piece of evidence with its lines; only what stands in `lines` may be quoted from it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent.backends.extractive.history import ShownHistory, history_of
from agent.messages import Message

_TEST_PATH = re.compile(
    r"(^|/)(tests?|testing|spec|__tests__)/|(^|/)test_[^/]*$|_test\.\w+$|\.(test|spec)\.\w+$|(^|/)conftest\.py$"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of one file that were shown."""

    evidence: str
    path: str
    first_line: int
    lines: tuple[str, ...]
    symbol: str = ""
    name: str = ""
    """Qualified name of the definition that it is (a part of), or ""."""
    kind: str = ""
    signature: str = ""
    docstring: str = ""
    area: str = ""
    score: float = 0.0
    whole: tuple[int, int] = (0, 0)
    """First and last line of the definition or chunk that the lines are part of."""

    @property
    def last_line(self) -> int:
        return self.first_line + len(self.lines) - 1

    @property
    def clipped(self) -> bool:
        """True when less than the whole was shown."""
        return self.whole != (0, 0) and (self.first_line > self.whole[0] or self.last_line < self.whole[1])

    @property
    def is_test(self) -> bool:
        if self.kind == "test" or self.name.partition(".")[0] == "tests":
            return True
        return self.area == "tests" or (not self.area and is_test_path(self.path))

    def holds(self, path: str, first_line: int, last_line: int) -> bool:
        return self.path == path and self.first_line <= first_line <= last_line <= self.last_line


@dataclass(frozen=True, slots=True)
class Use:
    """One place where a name or a text stands."""

    place: Place
    line: int
    text: str
    kind: str
    """definition, call, import or other."""
    enclosing: str
    in_code: bool = True
    """False in comments, texts and prose."""


@dataclass(frozen=True, slots=True)
class Dependent:
    """One definition that depends on the name asked about, directly (depth 1) or through `via`."""

    place: Place
    symbol: str
    depth: int
    via: str


@dataclass
class Findings:
    """Everything shown since the question."""

    asked: set[str] = field(default_factory=set[str])
    searched: list[Place] = field(default_factory=list[Place])
    """Results of the searches, best first."""
    spoken_to: bool = False
    """A search judged that the sources speak to its question."""
    definitions: dict[str, list[Use]] = field(default_factory=dict[str, list[Use]])
    """By the name or text that was looked up."""
    uses: dict[str, list[Use]] = field(default_factory=dict[str, list[Use]])
    dependents: dict[str, list[Dependent]] = field(default_factory=dict[str, list[Dependent]])
    cut: set[str] = field(default_factory=set[str])
    """Names that stand in more places than were shown: they cannot be counted."""
    outlines: dict[str, list[Use]] = field(default_factory=dict[str, list[Use]])
    """By path: the definitions of a file."""
    read: list[Place] = field(default_factory=list[Place])
    test_runs: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Evidence and command of each run of tests."""
    histories: list[ShownHistory] = field(default_factory=list[ShownHistory])
    failed: bool = False
    """A tool could not work, or a call was refused."""

    def was_asked(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        return _key(tool, arguments) in self.asked

    def found(self, name: str) -> bool:
        """True when the name or text was looked up and stands somewhere."""
        return bool(self.definitions.get(name) or self.uses.get(name) or self.outlines.get(name))

    def whole(self, place: Place) -> Place:
        """The same place with all its lines where a read has shown them."""
        if not place.clipped:
            return place
        for other in self.read:
            if other.holds(place.path, place.first_line, place.last_line) and not _shows_less(other, place):
                return _narrowed(other, place)
        return place

    def mentions(self, text: str) -> bool:
        """True when any shown line holds the text, whatever its case and underscores."""
        wanted = text.lower().replace("_", "")
        return any(wanted in line.lower().replace("_", "") for place in self.searched for line in place.lines)

    def definition(self, use: Use) -> Place:
        """The definition with as many of its lines as were shown: by the search, by a read, or by the lookup."""
        for place in map(self.whole, self.searched):
            if (
                place.path == use.place.path
                and place.name == use.place.name
                and place.holds(place.path, use.line, use.line)
            ):
                return place
        for read in self.read:
            if read.holds(use.place.path, use.place.first_line, use.place.last_line):
                return _definition_in(read, use)
        return use.place

    def paths_by_evidence(self) -> dict[str, str]:
        """The path of every piece of evidence."""
        uses = [
            use.place
            for known in (self.definitions, self.uses, self.outlines)
            for entries in known.values()
            for use in entries
        ]
        shown = [one.place for entries in self.dependents.values() for one in entries]
        return {place.evidence: place.path for place in (*self.searched, *self.read, *uses, *shown)}

    def comment_above(self, place: Place) -> Place | None:
        """What was read right above the place."""
        return next(
            (r for r in self.read if r.path == place.path and r.last_line == place.first_line - 1), None
        )


def is_test_path(path: str) -> bool:
    return _TEST_PATH.search(path) is not None


def findings_of(messages: Sequence[Message]) -> Findings:
    """Read every tool result of the run."""
    findings = Findings()
    for message in messages:
        if message.role != "tool" or message.call is None or message.result is None:
            continue
        findings.asked.add(_key(message.call.name, message.call.arguments))
        if "error" in message.result:
            findings.failed = True
            continue
        _take(findings, message.call.name, message.call.arguments, message.result)
    return findings


def _take(findings: Findings, tool: str, arguments: Mapping[str, Any], result: Mapping[str, Any]) -> None:
    match tool:
        case "semantic_search":
            findings.searched += [_searched(entry) for entry in result.get("results", ())]
            findings.spoken_to |= not result.get("absent", True)
        case "grep_symbol":
            name = str(arguments.get("name", ""))
            _merge(findings.definitions.setdefault(name, []), _definitions(result.get("definitions", ())))
            _merge(findings.uses.setdefault(name, []), _uses(result.get("hits", ())))
            if result.get("truncated"):
                findings.cut.add(name)
            findings.dependents.setdefault(name, []).extend(map(_dependent, result.get("dependents", ())))
        case "read_file_lines":
            findings.read.append(_place(result))
        case "list_files":
            findings.outlines[str(arguments.get("path", ""))] = list(
                map(_outlined, result.get("outline", ()))
            )
        case "run_tests":
            findings.test_runs.append((str(result["id"]), str(result["command"])))
        case "git_history":
            findings.histories.append(history_of(arguments, result))
        case _:
            pass


def _searched(entry: Mapping[str, Any]) -> Place:
    place = _place(entry)
    first = int(entry.get("chunk_first_line", place.first_line))
    last = int(entry.get("chunk_last_line", place.last_line))
    return replace(place, whole=(first, last), score=float(entry.get("score", 0.0)))


def _place(entry: Mapping[str, Any]) -> Place:
    lines = tuple(str(entry.get("text", "")).split("\n"))
    first = int(entry.get("first_line", entry.get("line", 1)))
    return Place(
        evidence=str(entry["id"]),
        path=str(entry.get("path", "")),
        first_line=first,
        lines=lines,
        symbol=str(entry.get("symbol", "")).rpartition(".")[2],
        name=str(entry.get("qualified_name") or entry.get("symbol") or ""),
        kind=str(entry.get("kind", "")),
        signature=str(entry.get("signature", "")),
        docstring=str(entry.get("docstring", "")),
        area=str(entry.get("area", "")),
    )


def _uses(entries: Iterable[Mapping[str, Any]], kind: str = "") -> Iterator[Use]:
    for entry in entries:
        place = _place(entry)
        line = int(entry.get("line", place.first_line))
        offset = min(max(0, line - place.first_line), len(place.lines) - 1)
        yield Use(
            place=place,
            line=place.first_line + offset,
            text=place.lines[offset],
            kind=kind or str(entry.get("kind", "other")),
            enclosing=str(entry.get("enclosing", "")),
            in_code=bool(entry.get("in_code", True)),
        )


def _definitions(entries: Sequence[Mapping[str, Any]]) -> Iterator[Use]:
    """Definitions: their lines are the definition's own first ones, and they are known by name and kind."""
    for entry, use in zip(entries, _uses(entries, "definition"), strict=True):
        name = use.enclosing or str(entry.get("symbol", ""))
        symbol, kind = name.rpartition(".")[2], str(entry.get("what", ""))
        yield replace(use, place=replace(use.place, name=name, symbol=symbol, kind=kind, signature=use.text))


def _outlined(entry: Mapping[str, Any]) -> Use:
    """One definition of a file: its evidence is the line that it begins on."""
    name, signature = str(entry.get("name", "")), str(entry.get("signature", ""))
    place = replace(
        _place({**entry, "text": signature, "symbol": name, "first_line": entry["line"]}), signature=signature
    )
    return Use(place, place.first_line, signature, "definition", name)


def _dependent(entry: Mapping[str, Any]) -> Dependent:
    place = _place(entry)
    return Dependent(
        place, str(entry.get("symbol", "")), int(entry.get("depth", 1)), str(entry.get("via", ""))
    )


def _merge(known: list[Use], more: Iterable[Use]) -> None:
    seen = {(use.place.path, use.line) for use in known}
    known += [use for use in more if (use.place.path, use.line) not in seen]


def _narrowed(read: Place, place: Place) -> Place:
    """The part of what was read that is the place."""
    first, last = max(read.first_line, place.whole[0]), min(read.last_line, place.whole[1])
    lines = read.lines[first - read.first_line : last - read.first_line + 1]
    return replace(place, evidence=read.evidence, first_line=first, lines=lines)


def _definition_in(read: Place, use: Use) -> Place:
    """The definition's lines in what was read from its first line on: up to where the indentation falls back."""
    start = use.place.first_line - read.first_line
    header = use.line - read.first_line
    margin = _margin(read.lines[header])
    last = header
    for at in range(header + 1, len(read.lines)):
        line = read.lines[at]
        closes = re.match(r"\s*[)\]}]|\s*(?:->|where\b)", line) is not None
        if line.strip() and _margin(line) <= margin and not closes:
            break
        last = at if line.strip() else last
    return replace(use.place, evidence=read.evidence, lines=read.lines[start : last + 1])


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _shows_less(read: Place, place: Place) -> bool:
    return read.last_line - read.first_line < place.last_line - place.first_line


def _key(tool: str, arguments: Mapping[str, Any]) -> str:
    return json.dumps([tool, arguments], sort_keys=True, default=str)
