"""Values near a value, and values around the literals that a function's body compares with: where branches part."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from agent.drafting.expressions import MOST_CHARACTERS, Expression
from agent.drafting.python_module import Function

_MOST_LITERALS = 14
_LONGEST_TEXT = 40


def variations(one: Expression) -> list[Expression]:
    """Literals near a literal; none for other values."""
    if not one.is_literal:
        return []
    try:
        value = ast.literal_eval(one.text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return []
    texts = (repr(other) for other in _near(value))
    return [
        Expression(text) for text in dict.fromkeys(texts) if text != one.text and len(text) <= MOST_CHARACTERS
    ]


def around_literals(function: Function, parameter: str, known: Sequence[str]) -> list[Expression]:
    """Values of the kinds that a parameter takes, around the literals in the body: those beside its name first."""
    kinds: set[type[Any]] = {type(value) for text in known for value in _evaluated(text)}
    beside, others = _literals(function, parameter)
    values = [value for literal in (*beside, *others) for value in _of_kinds(literal, kinds)]
    return [Expression(text) for text in list(dict.fromkeys(map(repr, values)))[:_MOST_LITERALS]]


def _evaluated(text: str) -> Iterator[Any]:
    try:
        yield ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return


def _literals(function: Function, parameter: str) -> tuple[list[Any], list[Any]]:
    """The constants that stand in one expression with the parameter's name, and all others."""
    beside: list[Any] = []
    others: list[Any] = []
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Compare | ast.Call | ast.BinOp):
                named = any(isinstance(one, ast.Name) and one.id == parameter for one in ast.walk(node))
                (beside if named else others).extend(_constants(node))
    return list(dict.fromkeys(beside)), [one for one in dict.fromkeys(others) if one not in beside]


def _constants(node: ast.AST) -> Iterator[Any]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, int | float | str | bytes):
            yield one.value


def _of_kinds(literal: Any, kinds: set[type[Any]]) -> Iterator[Any]:
    """A literal as an argument, and its neighbours; a number also as the length of a text or list."""
    if isinstance(literal, bool):
        return
    if isinstance(literal, int | float) and kinds & {int, float}:
        yield from (literal, literal + 1, literal - 1)
    if isinstance(literal, int) and 0 < literal <= _LONGEST_TEXT and str in kinds:
        yield from ("a" * literal, "a" * (literal + 1))
    if isinstance(literal, str) and str in kinds:
        yield literal
        if literal.strip():
            yield from (f"a{literal}b", f"{literal}{literal}", f"a {literal} b{literal}")
    if isinstance(literal, bytes) and bytes in kinds:
        yield from (literal, b"a" + literal + b"b")


def _near(value: Any) -> Iterable[Any]:
    match value:
        case bool():
            return (not value,)
        case int():
            return (value + 1, value - 1, -value, value * 2, value * 10)
        case float():
            return (value + 0.5, -value, value * 10)
        case str():
            return _near_text(value)
        case bytes():
            return (value[:-1], value + value[:1], value.upper())
        case list():
            return _near_list(cast(list[Any], value))
        case tuple():
            items = cast(tuple[Any, ...], value)
            return (items[:-1], items[::-1], items[:1])
        case dict():
            return _near_dict(cast(dict[Any, Any], value))
        case _:
            return ()


def _near_text(value: str) -> list[str]:
    middle = len(value) // 2
    near = [
        value.upper(),
        value.lower(),
        f" {value} ",
        value[:-1],
        value[1:],
        value + value[-1:],
        value[:middle],
    ]
    words = value.split()
    if len(words) > 1:
        near += [" ".join(words[:-1]), " ".join(reversed(words)), "  ".join(words), words[0]]
    for separator in (";", ",", ":", "-", ".", "/", "=", "|", "\n"):
        if separator in value:
            parts = value.split(separator)
            near += [
                separator.join(parts[:-1]),
                separator.join([*parts, parts[-1]]),
                value.replace(separator, ""),
            ]
            near += [separator.join([*parts[:at], "x", *parts[at + 1 :]]) for at in range(min(4, len(parts)))]
    if any(letter.isdigit() for letter in value):
        near += ["".join("0" if letter.isdigit() else letter for letter in value), f"-{value}"]
    return near


def _near_list(value: list[Any]) -> list[list[Any]]:
    near = [value[:1], value[:-1], value[::-1], value + value[:1], sorted(value, key=repr)]
    return near if value else []


def _near_dict(value: dict[Any, Any]) -> list[dict[Any, Any]]:
    items = list(value.items())
    near = [dict(items[:-1]), dict(items[:1]), dict(reversed(items))]
    for key, one in items[:3]:
        near += [{**value, key: other} for other in list(_near(one))[:2]]
    return near
