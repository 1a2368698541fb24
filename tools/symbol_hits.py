"""What `grep_symbol` found: definitions, other places, dependents; as text for a model and as plain JSON.

The id, `first_line` and `last_line` of an entry are those of its evidence; `line` is the one line it is about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.evidence import Evidence, LinesShown
from tools.evidence_text import Room, clip_around, clip_line, numbered, place
from tools.index.dependents import Dependent
from tools.sources import HitKind


@dataclass(frozen=True)
class Hit:
    """One line that holds what was looked for; of a definition its first lines."""

    lines: LinesShown
    line: int
    column: int
    kind: HitKind
    in_code: bool
    """Syntax knows it as a name; false in comments, texts and prose."""
    enclosing: str
    area: str
    what: str = ""
    """Of a definition: function, method, class…"""

    @property
    def counted_as(self) -> str:
        return self.kind

    @property
    def is_test(self) -> bool:
        return self.area == "tests"

    def block(self, id_: str) -> str:
        if self.kind == "definition":
            return f"[{id_}] {place(self.lines)} {self.what} {self.lines.symbol}\n{numbered(self.lines)}"
        within = f" in {self.enclosing}" if self.enclosing else ""
        return (
            f"[{id_}] {place(self.lines)}{within}\n{self.line}| {clip_around(self.lines.text, self.column)}"
        )

    def plain(self, id_: str) -> dict[str, Any]:
        long = self.kind != "definition"
        text = (
            clip_around(self.lines.text, self.column)
            if long
            else "\n".join(map(clip_line, self.lines.lines()))
        )
        return {
            "id": id_,
            "path": self.lines.path,
            "line": self.line,
            "first_line": self.lines.first_line,
            "last_line": self.lines.last_line,
            "text": text,
            "kind": self.kind,
            "what": self.what,
            "symbol": self.lines.symbol,
            "in_code": self.in_code,
            "enclosing": self.enclosing,
            "area": self.area,
        }


@dataclass(frozen=True)
class DependentShown:
    """One dependent, with the line where it uses what it depends on."""

    dependent: Dependent
    lines: LinesShown
    area: str

    @property
    def counted_as(self) -> str:
        return dependent_counted_as(self.dependent)

    @property
    def is_test(self) -> bool:
        return self.dependent.is_test

    def block(self, id_: str) -> str:
        dependent = self.dependent
        uses = "imports" if dependent.kind == "import" else "calls" if dependent.kind == "call" else "uses"
        who = dependent.symbol or "the file itself"
        sure = ", matched by name only" if dependent.by_name_only else ""
        head = f"[{id_}] {place(self.lines)} {who} {uses} {dependent.via}{sure}"
        return f"{head}\n{self.lines.first_line}| {self._text}"

    @property
    def _text(self) -> str:
        return clip_around(self.lines.text, max(0, self.lines.text.find(self.dependent.via)))

    def plain(self, id_: str) -> dict[str, Any]:
        return {
            "id": id_,
            "symbol": self.dependent.symbol,
            "path": self.lines.path,
            "line": self.lines.first_line,
            "first_line": self.lines.first_line,
            "last_line": self.lines.last_line,
            "text": self._text,
            "depth": self.dependent.depth,
            "via": self.dependent.via,
            "kind": self.dependent.kind,
            "area": self.area,
            "by_name_only": self.dependent.by_name_only,
            "is_test": self.is_test,
        }


def dependent_counted_as(dependent: Dependent) -> str:
    """The heading that a dependent stands under."""
    depth = f"depth {dependent.depth}"
    return f"tests at {depth}" if dependent.is_test else depth


@dataclass(frozen=True)
class SymbolHits:
    """The whole result. Counts are of all that was found, entries are what fits."""

    looked_for: str
    definitions: tuple[Hit, ...]
    hits: tuple[Hit, ...]
    dependents: tuple[DependentShown, ...]
    totals: Mapping[str, int]
    """Found per heading: definition, call, import, other, depth 1…, tests at depth 1…"""
    by_file: Mapping[str, int]
    notes: tuple[str, ...]
    next_call: str
    """What to ask next where a cap cut the result, or ""."""

    @property
    def evidence(self) -> Sequence[Evidence]:
        return [entry.lines for entry in (*self.definitions, *self.hits, *self.dependents)]

    @property
    def count(self) -> int:
        return sum(self.totals.values())

    @property
    def truncated(self) -> bool:
        return bool(self.next_call)

    def for_model(self, ids: Sequence[str]) -> str:
        parts: list[str] = [] if self.count else [f"Nothing found: looked for {self.looked_for}."]
        heading = ""
        for id_, (title, entry) in zip(ids, self._entries(), strict=True):
            if title != heading:
                parts.append(f"{title}:")
                heading = title
            parts.append(entry.block(id_))
        parts += [f"(note: {note})" for note in self.notes]
        if self.next_call:
            parts.append(f"({len(ids)} of {self.count} shown; next: {self.next_call})")
        return "\n".join(parts)

    def as_json(self, ids: Sequence[str]) -> dict[str, Any]:
        defined = len(self.definitions)
        used = defined + len(self.hits)
        return {
            "definitions": [hit.plain(id_) for id_, hit in zip(ids[:defined], self.definitions, strict=True)],
            "hits": [hit.plain(id_) for id_, hit in zip(ids[defined:used], self.hits, strict=True)],
            "dependents": [one.plain(id_) for id_, one in zip(ids[used:], self.dependents, strict=True)],
            "totals": dict(self.totals),
            "by_file": dict(self.by_file),
            "notes": list(self.notes),
            "truncated": self.truncated,
        }

    def _entries(self) -> Iterator[tuple[str, Hit | DependentShown]]:
        """Every entry with the heading that it stands under, in the order of `evidence`."""
        for entry in (*self.definitions, *self.hits, *self.dependents):
            yield f"{entry.counted_as} ({self.totals[entry.counted_as]})", entry


@dataclass
class Gathered:
    """Collects entries as long as they fit, and counts all."""

    max_entries: int
    room: Room = field(default_factory=Room)
    definitions: list[Hit] = field(default_factory=list[Hit])
    hits: list[Hit] = field(default_factory=list[Hit])
    dependents: list[DependentShown] = field(default_factory=list[DependentShown])
    totals: Counter[str] = field(default_factory=Counter[str])
    kept: Counter[str] = field(default_factory=Counter[str])
    """Of each heading, and of tests."""
    by_file: Counter[str] = field(default_factory=Counter[str])

    def add(
        self, entry: Hit | DependentShown, *, max_tests: int | None = None, max_alike: int | None = None
    ) -> None:
        """Count the entry, and keep it where it fits and not too many tests, or of its own kind, are kept already."""
        self.count(entry.counted_as, entry.lines.path)
        full = (
            self.entries >= self.max_entries
            or (max_tests is not None and entry.is_test and self.kept["tests"] >= max_tests)
            or (max_alike is not None and self.kept[entry.counted_as] >= max_alike)
        )
        if full or not self.room.take(entry.block("E000")):
            return
        self.kept.update([entry.counted_as, *(["tests"] if entry.is_test else [])])
        if isinstance(entry, DependentShown):
            self.dependents.append(entry)
        elif entry.kind == "definition":
            self.definitions.append(entry)
        else:
            self.hits.append(entry)

    def count(self, heading: str, path: str) -> None:
        """Count something that was found, shown or not."""
        self.totals[heading] += 1
        self.by_file[path] += 1

    @property
    def entries(self) -> int:
        return len(self.definitions) + len(self.hits) + len(self.dependents)

    def result(self, looked_for: str, notes: Sequence[str], narrower: str, *, cut: bool) -> SymbolHits:
        """`narrower` is the next call to make should something have been cut, here or (`cut`) before."""
        return SymbolHits(
            looked_for=looked_for,
            definitions=tuple(self.definitions),
            hits=tuple(self.hits),
            dependents=tuple(self.dependents),
            totals=self.totals,
            by_file=self.by_file,
            notes=tuple(notes),
            next_call=narrower if cut or self.entries < sum(self.totals.values()) else "",
        )
