"""Tables of parameters in tests (`pytest.mark.parametrize`): their rows, as names → the nodes that stand for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice, product

_MOST_ROWS = 40


def rows_of(function: ast.FunctionDef) -> list[dict[str, ast.expr]]:
    """Each row of the tables above a test, several tables multiplied; one empty row where there is none."""
    tables = [list(_rows(one)) for one in function.decorator_list if is_table(one)]
    whole = [table for table in tables if table]
    rows: list[dict[str, ast.expr]] = []
    for chosen in islice(product(*whole), _MOST_ROWS):
        row: dict[str, ast.expr] = {}
        for one in chosen:
            row |= one
        rows.append(row)
    return rows


def is_table(decorator: ast.expr) -> bool:
    """Whether a decorator is such a table."""
    return (
        isinstance(decorator, ast.Call)
        and isinstance(decorator.func, ast.Attribute)
        and decorator.func.attr == "parametrize"
    )


def names_node(decorator: ast.expr) -> ast.expr | None:
    """Where a table names its parameters: one text, or several."""
    return decorator.args[0] if isinstance(decorator, ast.Call) and decorator.args else None


def _rows(decorator: ast.expr) -> Iterator[dict[str, ast.expr]]:
    names = _names(names_node(decorator))
    if not isinstance(decorator, ast.Call) or len(decorator.args) < 2 or not names:
        return
    rows = decorator.args[1]
    for row in rows.elts if isinstance(rows, ast.List | ast.Tuple) else ():
        values = _values(row, len(names))
        if len(values) == len(names):
            yield dict(zip(names, values, strict=True))


def _names(node: ast.expr | None) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [name.strip() for name in node.value.split(",") if name.strip()]
    if isinstance(node, ast.List | ast.Tuple):
        return [
            one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)
        ]
    return []


def _values(row: ast.expr, count: int) -> list[ast.expr]:
    if isinstance(row, ast.Call):  # pytest.param(…)
        return list(row.args)
    if count == 1:
        return [row]
    return list(row.elts) if isinstance(row, ast.Tuple | ast.List) else []
