"""Calls of a function as its project writes them: in its docstring, in tests, at its callers. Read as text only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from agent.drafting.expressions import Call, Expression, expression
from agent.drafting.parameter_tables import rows_of
from agent.drafting.python_module import Function, PythonModule, parsed

_PROMPT = re.compile(r"^\s*(?:>>>|\.\.\.) ?(?P<code>.*)$")
_INLINE = re.compile(r"``?([^`\n]{1,120})``?")
_MOST = 40


def from_docstring(function: Function, qualified_name: str, module: PythonModule) -> Iterator[Call]:
    """Doctest examples, and calls in backticks."""
    docstring = ast.get_docstring(function) or ""
    first_line = function.body[0].lineno if function.body else function.lineno
    name = qualified_name.rpartition(".")[2]
    pieces: list[tuple[int, str]] = []
    for offset, line in enumerate(docstring.split("\n")):
        code = _PROMPT.match(line)
        pieces += [(offset, code["code"])] if code else [(offset, one) for one in _INLINE.findall(line)]
    for offset, code in pieces:
        tree = parsed(code.strip()) if f"{name}(" in code else None
        if tree is not None:
            for call in _calls(tree, name, module):
                yield _placed(call, "docstring", module.path, first_line + offset)


def texts_in_docstring(function: Function) -> list[str]:
    """What the docstring sets in backticks: often an example of a text argument."""
    return [one for one in _INLINE.findall(ast.get_docstring(function) or "") if "(" not in one][:6]


def from_file(
    module: PythonModule, qualified_name: str, lines: Sequence[int], *, origin: str
) -> Iterator[Call]:
    """The calls on these lines of a file; rows of a table of parameters are put in for their names."""
    name = qualified_name.rpartition(".")[2]
    wanted = frozenset(lines)
    found = 0
    for function in [*module.functions.values(), module.tree]:
        inside = [one for one in _call_nodes(function, name) if one.lineno in wanted]
        for node in inside:
            wanted -= {node.lineno}
            for known in rows_of(function) if isinstance(function, ast.FunctionDef) else [{}]:
                call = _call(node, module, known)
                if call is not None and found < _MOST:
                    found += 1
                    yield _placed(call, origin, module.path, node.lineno)


def _calls(tree: ast.AST, name: str, module: PythonModule) -> Iterator[Call]:
    yield from (call for node in _call_nodes(tree, name) if (call := _call(node, module, {})) is not None)


def _call_nodes(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node.func) == name:
            yield node


def _called(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _call(node: ast.Call, module: PythonModule, known: dict[str, ast.expr]) -> Call | None:
    args = [expression(one, module, known) for one in node.args]
    named = [(one.arg or "", expression(one.value, module, known)) for one in node.keywords]
    receiver = None
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
        receiver = expression(node.func.value, module, known)
    if any(one is None for one in args) or any(not name or one is None for name, one in named):
        return None
    whole: list[Expression] = [one for one in args if one is not None]
    return Call(tuple(whole), tuple((name, one) for name, one in named if one is not None), receiver)


def _placed(call: Call, origin: str, path: str, line: int) -> Call:
    return Call(call.args, call.named, call.receiver, origin, (path, line))
