"""Mutants of a target: small changes to its body, each of which a good test notices.

Found by `ast` positions and made on the bytes of the source, so that everything else stays as it is: indentation,
encoding, line ends. Every mutant compiles. Left out is what tests have no reason to notice: docstrings, annotations,
what is logged or printed, the wording of errors.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.drafting.mutations import Change, MutantKind, Source, UnreadableSource, changes_in
from tools.drafting.target import Target

__all__ = ["Mutant", "MutantKind", "mutants_of", "probes_of"]

_MAX_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change to the source of a target."""

    target: Target
    kind: MutantKind
    line: int
    before: str
    """The line as it stands, and as it would: both without their indentation."""
    after: str
    """"" for a statement that is removed."""
    start: int
    """Bytes of the file from here up to `end` become `replacement`."""
    end: int
    replacement: bytes
    function: str
    """Name and first line (of its decorators) of the outermost function that it is in."""
    function_line: int


def mutants_of(source: bytes, target: Target, limit: int = 24) -> tuple[Mutant, ...]:
    """At most so many mutants, the same ones each time, spread over kinds and lines; none for what is not Python."""
    found = _parsed(source, target)
    if found is None:
        return ()
    text, functions = found
    by_kind: dict[MutantKind, list[Mutant]] = {kind: [] for kind in MutantKind}
    seen: set[tuple[int, int, bytes]] = set()
    for function in functions:
        for change in changes_in(function, text):
            mutant = _mutant(text, target, function, change)
            key = (mutant.start, mutant.end, mutant.replacement)
            if key not in seen and text.still_parses(change):
                seen.add(key)
                by_kind[change.kind].append(mutant)
    chosen = _spread(list(by_kind.values()), limit)
    return tuple(sorted(chosen, key=lambda one: (one.start, one.end, one.replacement)))


def probes_of(source: bytes, target: Target, statement: str) -> tuple[Mutant, ...]:
    """For each function of the target, the change that puts a statement before the first of its body."""
    found = _parsed(source, target)
    if found is None:
        return ()
    text, functions = found
    return tuple(_probe(text, target, function, statement) for function in functions)


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _parsed(source: bytes, target: Target) -> tuple[Source, tuple[_Function, ...]] | None:
    if target.language != "python":
        return None
    try:
        text = Source(source)
        functions = tuple(_functions_between(text.tree, target.first_line, target.last_line))
    except UnreadableSource:
        return None
    return text, functions


def _functions_between(node: ast.AST, first: int, last: int) -> Iterator[_Function]:
    """The outermost functions whose lines are all among these; of a class, its methods."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function) and first <= first_line_of(child) and (child.end_lineno or 0) <= last:
            yield child
        elif not isinstance(child, ast.expr):
            yield from _functions_between(child, first, last)


def first_line_of(function: _Function) -> int:
    """Of its decorators, as a code object has it."""
    return min([function.lineno, *(one.lineno for one in function.decorator_list)])


def _mutant(text: Source, target: Target, function: _Function, change: Change) -> Mutant:
    start, end = text.offset(change.start), text.offset(change.end)
    replacement = change.replacement.encode(text.encoding, "backslashreplace")
    line = text.line_at(change.start)
    before = text.lines[line - 1].strip()
    column = change.start - text.starts[line - 1]
    whole = text.lines[line - 1][:column] + change.replacement
    # What is replaced may end some lines below; of that line the rest is shown.
    whole += text.text[change.end :].split("\n", 1)[0].rstrip("\r")
    after = "" if change.kind is MutantKind.STATEMENT else whole.strip()
    return Mutant(
        target,
        change.kind,
        line,
        before[:_MAX_SHOWN],
        after[:_MAX_SHOWN],
        start,
        end,
        replacement,
        function.name,
        first_line_of(function),
    )


def _probe(text: Source, target: Target, function: _Function, statement: str) -> Mutant:
    first = function.body[0]
    at = text.position(first.lineno, first.col_offset)
    if isinstance(first, _Function | ast.ClassDef) and first.decorator_list:
        at = text.position(first.decorator_list[0].lineno, first.decorator_list[0].col_offset) - 1
    line = text.line_at(at)
    indent = text.text[text.starts[line - 1] : at]
    between = f"\n{indent}" if not indent.strip() else "; "
    offset = text.offset(at)
    replacement = f"{statement}{between}".encode(text.encoding)
    return Mutant(
        target,
        MutantKind.STATEMENT,
        line,
        "",
        "",
        offset,
        offset,
        replacement,
        function.name,
        first_line_of(function),
    )


def _spread(groups: Sequence[Sequence[Mutant]], limit: int) -> list[Mutant]:
    """As many of each kind as there is room for, what one kind does not need goes to the others."""
    chosen: list[Mutant] = []
    waiting = sorted((group for group in groups if group), key=len)
    while waiting:
        room = (limit - len(chosen)) // len(waiting)
        group = waiting.pop(0)
        chosen += _evenly(group, room)
    return chosen


def _evenly(group: Sequence[Mutant], count: int) -> list[Mutant]:
    if count >= len(group):
        return list(group)
    return [group[number * len(group) // count] for number in range(count)]
