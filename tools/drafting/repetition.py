"""Whether a test just repeats the implementation: what it expects is computed as the target computes it.

A test repeats when each of its comparisons with a call of the target has, on its other side, the target's own
expression with the arguments in the place of the parameters, or when it or a helper of the draft holds the target's
statements. Names of local variables do not count; a value that is written out is never a repetition.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence

from tools.drafting.draft_reading import DraftedTest, DraftRead
from tools.drafting.mutants import first_line_of
from tools.drafting.target import Target

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_COMPUTED = (ast.Call, ast.BinOp, ast.BoolOp, ast.Compare, ast.comprehension, ast.IfExp, ast.JoinedStr)
_A_NAME = "name"
_LEAST_COPIED_NODES = 8
_COPIED_SHARE = 0.8
_MAX_INLINED = 20


def repeats(test: DraftedTest, draft: DraftRead, functions: Sequence[_Function]) -> bool:
    """Whether the test repeats one of these functions, which are the targets' own."""
    return any(_copies(test, draft, one) or _expects_the_same(test, one) for one in functions)


def target_functions(source: bytes, targets: Sequence[Target]) -> tuple[_Function, ...]:
    """The functions that targets of this file name; none where it is not Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(
        node
        for node in ast.walk(tree)
        if isinstance(node, _Function)
        and any(
            one.first_line <= first_line_of(node) and (node.end_lineno or 0) <= one.last_line
            for one in targets
        )
    )


def _copies(test: DraftedTest, draft: DraftRead, function: _Function) -> bool:
    """The target's statements stand in the test, or in a helper that it calls."""
    own = [shape for shape in _shapes(_without_docstring(function.body)) if shape != _A_NAME]
    if sum(1 for statement in function.body for _ in ast.walk(statement)) < _LEAST_COPIED_NODES:
        return False
    called = {
        one.func.id
        for one in ast.walk(test.node)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)
    }
    places = [test.node, *(draft.helpers[name] for name in called & set(draft.helpers))]
    return any(_share(own, _shapes(_without_docstring(place.body))) >= _COPIED_SHARE for place in places)


def _share(own: Sequence[str], others: Sequence[str]) -> float:
    left = list(others)
    found = 0
    for one in own:
        if one in left:
            left.remove(one)
            found += 1
    return found / len(own) if own else 0.0


def _shapes(body: Sequence[ast.stmt]) -> list[str]:
    """Each statement without the names of variables; a returned value counts as an assigned one."""
    shapes: list[str] = []
    for statement in body:
        for one in ast.walk(statement):
            if isinstance(one, ast.stmt):
                bare = copy.copy(one)
                if isinstance(one, ast.Return | ast.Assign) and one.value is not None:
                    shapes.append(_shape(one.value))
                elif isinstance(one, ast.If | ast.While | ast.For | ast.AsyncFor | ast.With | ast.Try):
                    for field in ("body", "orelse", "finalbody", "handlers"):
                        if hasattr(bare, field):
                            setattr(bare, field, [])
                    shapes.append(_shape(bare))
                elif not isinstance(one, ast.Assert | ast.FunctionDef | ast.AsyncFunctionDef):
                    shapes.append(_shape(one))
    return shapes


def _shape(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return _A_NAME
    names: dict[str, str] = {}

    class Renamed(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return ast.Name(names.setdefault(node.id, f"name{len(names)}"), ast.Load())

        def visit_Call(self, node: ast.Call) -> ast.AST:
            if not isinstance(node.func, ast.Name):
                return self.generic_visit(node)
            given = [ast.keyword(one.arg, self.visit(one.value)) for one in node.keywords]
            return ast.Call(node.func, [self.visit(one) for one in node.args], given)

    return ast.dump(Renamed().visit(copy.deepcopy(node)))


def _expects_the_same(test: DraftedTest, function: _Function) -> bool:
    compared = list(_compared(test.node, function.name))
    return bool(compared) and all(
        _is_own_expression(call, other, test.node, function) for call, other in compared
    )


def _compared(test: _Function, name: str) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Calls of the target, each with what it is compared to; variables stand for what they were given."""
    known = _assigned(test.body)
    for one in ast.walk(test):
        sides: list[ast.expr] = []
        if (
            isinstance(one, ast.Assert)
            and isinstance(one.test, ast.Compare)
            and len(one.test.comparators) == 1
        ):
            sides = [one.test.left, one.test.comparators[0]]
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and len(one.args) >= 2:
            sides = one.args[:2] if one.func.attr.startswith("assert") else []
        sides = [_inlined(side, known) for side in sides]
        for side, other in (sides, sides[::-1]) if sides else ():
            if isinstance(side, ast.Call) and _called_name(side) == name:
                yield side, other
                break


def _is_own_expression(call: ast.Call, other: ast.expr, test: _Function, function: _Function) -> bool:
    if not any(isinstance(one, _COMPUTED) for one in ast.walk(other)):
        return False
    given = {**_defaults(function), **_arguments(call, function)}
    known = _assigned(_without_docstring(function.body))
    expected = _alpha(_inlined(other, _assigned(test.body)))
    returned = [
        one.value for one in ast.walk(function) if isinstance(one, ast.Return) and one.value is not None
    ]
    return any(_alpha(_inlined(value, known, given)) == expected for value in returned)


def _arguments(call: ast.Call, function: _Function) -> dict[str, ast.expr]:
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    if isinstance(call.func, ast.Attribute) and names[:1] in (["self"], ["cls"]):
        names = names[1:]
    given = dict(zip(names, call.args, strict=False))
    return {**given, **{one.arg: one.value for one in call.keywords if one.arg}}


def _defaults(function: _Function) -> dict[str, ast.expr]:
    positional = [*function.args.posonlyargs, *function.args.args]
    found = {
        one.arg: value for one, value in zip(positional[::-1], function.args.defaults[::-1], strict=False)
    }
    by_name = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    return {**found, **{one.arg: value for one, value in by_name if value is not None}}


def _assigned(body: Sequence[ast.stmt]) -> dict[str, ast.expr]:
    """Variables that are given one value only."""
    found: dict[str, ast.expr] = {}
    again: set[str] = set()
    for statement in body:
        for one in ast.walk(statement):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                again |= {one.id} if one.id in found else set()
                found.setdefault(one.id, ast.Name(one.id, ast.Load()))
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            found[statement.targets[0].id] = statement.value
    return {name: value for name, value in found.items() if name not in again and not _names(value, name)}


def _names(value: ast.expr, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(value))


def _inlined(
    node: ast.expr, known: Mapping[str, ast.expr], given: Mapping[str, ast.expr] | None = None
) -> ast.expr:
    """The expression with the values of variables in their places; those `given` are from elsewhere, and final."""
    final = given or {}

    class Inlined(ast.NodeTransformer):
        left = _MAX_INLINED

        def visit_Name(self, node: ast.Name) -> ast.AST:
            if node.id in final:
                return copy.deepcopy(final[node.id])
            value = known.get(node.id)
            if value is None or self.left <= 0:
                return node
            self.left -= 1
            return self.visit(copy.deepcopy(value))

    return Inlined().visit(copy.deepcopy(node))


def _alpha(node: ast.expr) -> str:
    """The expression with its own variables, those of comprehensions and lambdas, numbered."""
    own = {
        one.id if isinstance(one, ast.Name) else one.arg
        for one in ast.walk(node)
        if isinstance(one, ast.arg) or (isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    }
    names: dict[str, str] = {}

    class Numbered(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            new = names.setdefault(node.id, f"own{len(names)}") if node.id in own else node.id
            return ast.Name(new, ast.Load())

        def visit_arg(self, node: ast.arg) -> ast.AST:
            return ast.arg(names.setdefault(node.arg, f"own{len(names)}"))

        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            # `math.sqrt` and an imported `sqrt` are the same.
            if isinstance(node.value, ast.Name) and node.value.id not in own:
                return ast.Name(node.attr, ast.Load())
            return ast.Attribute(self.visit(node.value), node.attr, ast.Load())

    return ast.dump(Numbered().visit(copy.deepcopy(node)))


def _called_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _without_docstring(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    first = body[0] if body else None
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if is_docstring else body
