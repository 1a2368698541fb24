"""The changes that make mutants of Python functions, and the source that they are made in.

Positions are characters of the decoded text, which keeps its line ends; `Source` turns them into bytes of the file.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import cast

_LINE_END = re.compile(r"\r\n|\r|\n")
_QUIET = ("log", "_log", "logger", "_logger", "logging", "LOG", "LOGGER", "warnings")


class UnreadableSource(Exception):
    """It is not Python of the version that runs us."""


class MutantKind(StrEnum):
    """What is changed."""

    RETURN = "return"
    """A value that is returned or yielded becomes None."""
    CONDITION = "condition"
    """A condition is negated."""
    STATEMENT = "statement"
    """A statement is removed."""
    CONSTANT = "constant"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Change:
    """Characters from `start` up to `end` become `replacement`."""

    kind: MutantKind
    start: int
    end: int
    replacement: str


class Source:
    """The source of a module: text, tree, and where both are in the file."""

    def __init__(self, raw: bytes) -> None:
        """Raises: UnreadableSource."""
        self.raw = raw
        try:
            self.encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
            self._mark_bytes = 3 if self.encoding == "utf-8-sig" else 0
            self.encoding = self.encoding.removesuffix("-sig")
            self.text = raw[self._mark_bytes :].decode(self.encoding)
            self.tree = ast.parse(raw)
        except (
            SyntaxError,
            UnicodeDecodeError,
            LookupError,
            ValueError,
            RecursionError,
            MemoryError,
        ) as error:
            raise UnreadableSource(str(error)) from error
        ends = [found.span() for found in _LINE_END.finditer(self.text)]
        self.starts = [0, *(end for _, end in ends)]
        self.lines = [
            self.text[start:end]
            for start, end in zip(self.starts, [*(end for end, _ in ends), len(self.text)], strict=True)
        ]

    @cached_property
    def _parts(self) -> list[tuple[int, int]]:
        """Where the statements of the module are, each with its decorators."""
        parts: list[tuple[int, int]] = []
        for statement in self.tree.body:
            decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
            first = min([statement.lineno, *(one.lineno for one in decorators)])
            parts.append((self.starts[first - 1], self.span(statement)[1]))
        return parts

    def still_parses(self, change: Change) -> bool:
        """Whether it is still Python, and not the same. Only the statement of the module is parsed that it is in."""
        start, end = next(
            (part for part in self._parts if part[0] <= change.start and change.end <= part[1]),
            (0, len(self.text)),
        )
        before = self.text[start:end]
        after = before[: change.start - start] + change.replacement + before[change.end - start :]
        try:
            return ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False

    def position(self, line: int, column: int) -> int:
        """A place of the tree, whose columns are bytes of UTF-8."""
        before = self.lines[line - 1].encode()[:column]
        return self.starts[line - 1] + len(before.decode())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.position(node.lineno, node.col_offset),
            self.position(node.end_lineno, node.end_col_offset),
        )

    def offset(self, position: int) -> int:
        """The byte of the file that a character begins at."""
        return self._mark_bytes + len(self.text[:position].encode(self.encoding))

    def line_at(self, position: int) -> int:
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= position else (low, middle)
        return low + 1


def changes_in(function: ast.FunctionDef | ast.AsyncFunctionDef, source: Source) -> Iterator[Change]:
    """Every change to the body of a function, in the order of the tree."""
    names = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    yield from _Body(source, names).statements(function.body)


class _Body:
    """One function's body, as it is walked."""

    def __init__(self, source: Source, assigned: set[str]) -> None:
        self._source = source
        self._assigned = assigned

    def statements(self, body: list[ast.stmt]) -> Iterator[Change]:
        for statement in body:
            if not _is_idle(statement):
                yield from self._statement(statement)

    def _statement(self, statement: ast.stmt) -> Iterator[Change]:
        if self._is_removable(statement):
            start, end = self._source.span(statement)
            yield Change(MutantKind.STATEMENT, start, end, "pass")
        if isinstance(statement, ast.Return) and statement.value is not None:
            yield from self._returned(statement.value)
        if isinstance(statement, ast.If | ast.While):
            yield from self._negated(statement.test)
        self._assigned |= _names_bound(statement)
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from self.statements(statement.body)
            return
        for field, value in ast.iter_fields(statement):
            parts: list[object] = cast(list[object], value) if isinstance(value, list) else [value]
            if field in ("body", "orelse", "finalbody"):
                yield from self.statements([one for one in parts if isinstance(one, ast.stmt)])
            elif field != "annotation" and not isinstance(statement, ast.Raise | ast.Assert):
                for part in parts:
                    yield from self._part(part)

    def _part(self, part: object) -> Iterator[Change]:
        """Expressions, and what holds statements without being one: handlers and cases."""
        if isinstance(part, ast.expr):
            yield from self._expression(part)
        elif isinstance(part, ast.ExceptHandler | ast.match_case):
            if isinstance(part, ast.match_case) and part.guard is not None:
                yield from self._negated(part.guard)
            yield from self.statements(part.body)
        elif isinstance(part, ast.withitem):
            yield from self._expression(part.context_expr)

    def _expression(self, node: ast.expr) -> Iterator[Change]:
        if isinstance(node, ast.JoinedStr):  # before Python 3.12, the places within are not those of the file
            yield self._replaced(MutantKind.CONSTANT, node, '""')
            return
        if isinstance(node, ast.Constant):
            if other := _other_constant(node.value):
                yield self._replaced(MutantKind.CONSTANT, node, other)
            return
        if isinstance(node, ast.Yield) and node.value is not None:
            yield from self._returned(node.value)
        elif isinstance(node, ast.IfExp):
            yield from self._negated(node.test)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            start, _ = self._source.span(node)
            yield Change(MutantKind.CONDITION, start, self._source.span(node.operand)[0], "")
        yield from self._operators(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from self._expression(child)
            elif isinstance(child, ast.keyword):
                yield from self._expression(child.value)
            elif isinstance(child, ast.comprehension):
                yield from self._expression(child.iter)
                for condition in child.ifs:
                    yield from self._negated(condition)
                    yield from self._expression(condition)

    def _returned(self, value: ast.expr) -> Iterator[Change]:
        if not (isinstance(value, ast.Constant) and value.value is None):
            yield self._replaced(MutantKind.RETURN, value, "None")

    def _negated(self, test: ast.expr) -> Iterator[Change]:
        if isinstance(test, ast.Constant) or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            return
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITES:
            opposite = _OPPOSITES[type(test.ops[0])]
            yield from self._operator(MutantKind.CONDITION, test.left, test.comparators[0], *opposite)
            return
        start, end = self._source.span(test)
        yield Change(MutantKind.CONDITION, start, end, f"not ({self._source.text[start:end]})")

    def _operators(self, node: ast.expr) -> Iterator[Change]:
        kind = MutantKind.OPERATOR
        if isinstance(node, ast.BinOp) and (words := _SWAPPED.get(type(node.op))):
            yield from self._operator(kind, node.left, node.right, *words)
        elif isinstance(node, ast.Compare):
            values = [node.left, *node.comparators]
            for left, operator, right in zip(values, node.ops, node.comparators, strict=False):
                if words := _SWAPPED.get(type(operator)):
                    yield from self._operator(kind, left, right, *words)
        elif isinstance(node, ast.BoolOp):
            words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield from self._operator(kind, node.values[0], node.values[1], *words)

    def _operator(
        self, kind: MutantKind, left: ast.expr, right: ast.expr, word: str, other: str
    ) -> Iterator[Change]:
        start, end = self._source.span(left)[1], self._source.span(right)[0]
        between = self._source.text[start:end]
        found = re.search(r"\s+".join(map(re.escape, word.split())), between)
        if found and "#" not in between:
            yield Change(kind, start + found.start(), start + found.end(), other)

    def _replaced(self, kind: MutantKind, node: ast.expr, text: str) -> Change:
        start, end = self._source.span(node)
        # `return"x"` is Python too.
        glued = start > 0 and self._source.text[start - 1].isalpha() and text[0].isalnum()
        return Change(kind, start, end, f" {text}" if glued else text)

    def _is_removable(self, statement: ast.stmt) -> bool:
        """Whether it can go without leaving a name that nothing has given a value, which any test would notice."""
        if isinstance(statement, ast.Assign):
            plain = all(isinstance(one, ast.Name) for one in statement.targets)
            return not plain or _names_bound(statement) <= self._assigned
        return isinstance(
            statement, ast.AugAssign | ast.Expr | ast.Raise | ast.Delete | ast.Break | ast.Continue
        )


def _names_bound(statement: ast.stmt) -> set[str]:
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign | ast.For | ast.AsyncFor):
        targets = [statement.target]
    return {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}


def _is_idle(statement: ast.stmt) -> bool:
    """Docstrings and other bare values, and what is only logged, warned of or printed."""
    if isinstance(statement, ast.Pass | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal):
        return True
    if not isinstance(statement, ast.Expr):
        return False
    value = statement.value
    if isinstance(value, ast.Constant):
        return True
    called = value.func if isinstance(value, ast.Call) else None
    if isinstance(called, ast.Name):
        return called.id == "print"
    while isinstance(called, ast.Attribute):
        if called.attr in _QUIET:
            return True
        called = called.value
    return isinstance(called, ast.Name) and called.id in _QUIET


def _other_constant(value: object) -> str:
    """Source of another value of the same type; "" where there is none to be had."""
    if isinstance(value, bool):
        return str(not value)
    if isinstance(value, int | float):
        return repr(value + 1) if abs(value) < 1e15 else "0"
    if isinstance(value, str):
        return '"changed"' if not value else '""'
    if isinstance(value, bytes):
        return 'b"changed"' if not value else 'b""'
    return ""


_SWAPPED: Mapping[type[ast.AST], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
_OPPOSITES: Mapping[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", ">="),
    ast.LtE: ("<=", ">"),
    ast.Gt: (">", "<="),
    ast.GtE: (">=", "<"),
    **{kind: _SWAPPED[kind] for kind in (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)},
}
