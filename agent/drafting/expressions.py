"""Arguments as text: literals, and plain values made of them (`date(2024, 5, 1)`, `Sighting("Heron", 1)`).

Nothing is evaluated here. A text is taken only where every name in it is a class that a test can import, so what runs
in the sandbox builds values and does nothing else by intention.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agent.drafting.python_module import Need, PythonModule

MOST_CHARACTERS = 160
_MOST_DEPTH = 5
_VALUE_MAKERS = frozenset({"fromisoformat", "fromordinal", "fromtimestamp", "from_float"})
_KNOWN_FUNCTIONS = frozenset(
    {"frozenset", "set", "dict", "list", "tuple", "bytes", "float", "complex", "range"}
)
_KNOWN_CLASSES = frozenset({"date", "datetime", "timedelta", "time", "timezone"})


@dataclass(frozen=True)
class Expression:
    """An argument."""

    text: str
    needs: tuple[Need, ...] = ()

    @property
    def is_literal(self) -> bool:
        return not self.needs


@dataclass(frozen=True)
class Call:
    """One call of the target."""

    args: tuple[Expression, ...] = ()
    named: tuple[tuple[str, Expression], ...] = ()
    receiver: Expression | None = None
    """The object that a method is called on."""
    origin: str = "boundary"
    """docstring, test, caller, boundary: where its arguments come from."""
    place: tuple[str, int] | None = field(default=None, compare=False)
    """The line that they stand on."""

    @property
    def needs(self) -> tuple[Need, ...]:
        parts = [*self.args, *(one for _, one in self.named), *([self.receiver] if self.receiver else [])]
        return tuple(dict.fromkeys(need for part in parts for need in part.needs))

    @property
    def key(self) -> str:
        """The same for calls that are the same."""
        receiver = self.receiver.text if self.receiver else ""
        return repr((receiver, [one.text for one in self.args], sorted((n, e.text) for n, e in self.named)))

    @property
    def shape(self) -> tuple[int, tuple[str, ...]]:
        """Calls of one shape fit into one table."""
        return len(self.args), tuple(name for name, _ in self.named)

    def written(self, function: str) -> str:
        """As code: `season(7, southern=True)`; `function` is the bare name of a method."""
        given = [one.text for one in self.args] + [f"{name}={one.text}" for name, one in self.named]
        callee = f"{self.receiver.text}.{function}" if self.receiver else function
        return f"{callee}({', '.join(given)})"


def expression(
    node: ast.expr, module: PythonModule, known: Mapping[str, ast.expr] | None = None, depth: int = 0
) -> Expression | None:
    """The argument that a node is; None where it is more than a value. `known`: names that stand for other nodes."""
    if depth > _MOST_DEPTH:
        return None
    match node:
        case ast.Constant():
            return _bounded(ast.unparse(node))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant()):
            return _bounded(ast.unparse(node))
        case ast.BinOp(left=ast.Constant() as left, op=ast.Mult(), right=ast.Constant() as right):
            return _repeated(left, right)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return _collection(node, items, module, known, depth)
        case ast.Dict(keys=keys, values=values):
            return _dict(keys, values, module, known, depth)
        case ast.Name(id=name) if known and name in known:
            return expression(known[name], module, {}, depth + 1)
        case ast.Name(id=name) if name in module.constants:
            inner = expression(module.constants[name], module, None, depth + 1)
            return inner if inner and inner.is_literal else None
        case ast.Call():
            return _made(node, module, known, depth)
        case ast.Attribute(value=ast.Name(id=name), attr=member) if name[:1].isupper():
            need = module.need(name)
            return Expression(f"{name}.{member}", (need,)) if need and need[1] == name else None
        case _:
            return None


def joined(start: str, parts: Iterable[Expression], end: str) -> Expression:
    """Expressions with commas between."""
    parts = list(parts)
    needs = dict.fromkeys(need for one in parts for need in one.needs)
    return Expression(f"{start}{', '.join(one.text for one in parts)}{end}", tuple(needs))


def _bounded(text: str) -> Expression | None:
    return Expression(text) if len(text) <= MOST_CHARACTERS and text != "..." else None


def _repeated(left: ast.Constant, right: ast.Constant) -> Expression | None:
    small = [one.value for one in (left, right) if isinstance(one.value, int) and 0 <= one.value <= 1000]
    texts = [one.value for one in (left, right) if isinstance(one.value, str)]
    return Expression(f"{ast.unparse(left)} * {ast.unparse(right)}") if small and texts else None


def _collection(
    node: ast.expr,
    items: list[ast.expr],
    module: PythonModule,
    known: Mapping[str, ast.expr] | None,
    depth: int,
) -> Expression | None:
    parts = [expression(one, module, known, depth + 1) for one in items]
    whole = [one for one in parts if one is not None]
    if len(whole) < len(parts):
        return None
    if isinstance(node, ast.Tuple):
        start, end = "(", ",)" if len(whole) == 1 else ")"
    else:
        start, end = ("[", "]") if isinstance(node, ast.List) else ("{", "}")
    made = joined(start, whole, end)
    return made if len(made.text) <= MOST_CHARACTERS else None


def _dict(
    keys: list[ast.expr | None],
    values: list[ast.expr],
    module: PythonModule,
    known: Mapping[str, ast.expr] | None,
    depth: int,
) -> Expression | None:
    pairs: list[Expression] = []
    for key, value in zip(keys, values, strict=True):
        one = expression(key, module, known, depth + 1) if key is not None else None
        other = expression(value, module, known, depth + 1)
        if one is None or other is None:
            return None
        pairs.append(Expression(f"{one.text}: {other.text}", (*one.needs, *other.needs)))
    made = joined("{", pairs, "}")
    return made if len(made.text) <= MOST_CHARACTERS else None


def _made(
    node: ast.Call, module: PythonModule, known: Mapping[str, ast.expr] | None, depth: int
) -> Expression | None:
    """A value made by its class, or by one of its well-known makers."""
    callee = _class(node.func, module)
    if callee is None:
        return None
    parts = [expression(one, module, known, depth + 1) for one in node.args]
    for keyword in node.keywords:
        inner = expression(keyword.value, module, known, depth + 1) if keyword.arg else None
        parts.append(Expression(f"{keyword.arg}={inner.text}", inner.needs) if inner else None)
    whole = [one for one in parts if one is not None]
    if len(whole) < len(parts):
        return None
    made = joined(f"{callee.text}(", whole, ")")
    needs = tuple(dict.fromkeys((*callee.needs, *made.needs)))
    return Expression(made.text, needs) if len(made.text) <= MOST_CHARACTERS else None


def _class(node: ast.expr, module: PythonModule) -> Expression | None:
    match node:
        case ast.Name(id=name) if name in _KNOWN_FUNCTIONS and module.need(name) is None:
            return Expression(name)
        case ast.Name(id=name) if name[:1].isupper() or name in _KNOWN_CLASSES:
            need = module.need(name)
            return Expression(name, (need,)) if need and need[1] == name else None
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if (
            name[:1].isupper() or name in _KNOWN_CLASSES
        ):
            need = module.need(owner)
            return Expression(name, ((need[0], name),)) if need and not need[1] else None
        case ast.Attribute(value=ast.Name() as owner, attr=name) if name in _VALUE_MAKERS:
            inner = _class(owner, module)
            return Expression(f"{inner.text}.{name}", inner.needs) if inner else None
        case _:
            return None
