"""Calls to try on a function: those that its project shows, and others around them and at the edges of its types.

A parameter's values come from its annotation and its default, from the literals that the body compares with, and from
what the project passes already, varied a little. One argument is varied at a time; few arguments also all together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product, zip_longest

from agent.drafting.expressions import Call, Expression
from agent.drafting.python_module import Function, PythonModule
from agent.drafting.typed_values import TypedValues
from agent.drafting.variations import around_literals, variations

MOST_CALLS = 220
_MOST_TOGETHER = 70
_MOST_BASES = 6
_UNKNOWN = ("'a'", "''", "0", "1", "-1", "None", "[]", "{}", "'a b'", "2.5")
"""For a parameter of which nothing is known."""


def candidates(
    function: Function,
    module: PythonModule,
    shown: Sequence[Call],
    types: TypedValues,
    receivers: Sequence[Expression] = (),
) -> list[Call]:
    """The calls to try, those that the project shows first. `receivers`: objects to call a method on."""
    is_method = bool(receivers)
    parameters = _parameters(function, is_method)
    first = [one for one in shown if (one.receiver is not None) == is_method]
    pools = [_pool(one, function, module, types, _given(first, at)) for at, one in enumerate(parameters)]
    made = _distinct(
        [
            *first,
            *(_combined(parameters, pools, first, receivers)),
            *_with_options(function, first, types, module),
        ]
    )
    return list(islice(made, MOST_CALLS))


def _parameters(function: Function, is_method: bool) -> list[ast.arg]:
    """Those that a caller gives by position."""
    positional = [*function.args.posonlyargs, *function.args.args]
    of_class = any(isinstance(one, ast.Name) and one.id == "classmethod" for one in function.decorator_list)
    return positional[1:] if is_method or of_class else positional


def _given(shown: Sequence[Call], at: int) -> list[Expression]:
    return [one.args[at] for one in shown if len(one.args) > at]


def _pool(
    parameter: ast.arg,
    function: Function,
    module: PythonModule,
    types: TypedValues,
    given: Sequence[Expression],
) -> list[Expression]:
    typed = types.of(parameter.annotation, module)
    default = _default(function, parameter)
    known = [*given, *([default] if default else [])]
    literals = around_literals(function, parameter.arg, [one.text for one in (*known, *typed)])
    varied = [other for one in known[:_MOST_BASES] for other in variations(one)]
    unknown = [] if typed or known else [Expression(text) for text in _UNKNOWN]
    pool = [*given[:_MOST_BASES], *typed[:3], *literals, *varied, *typed[3:], *unknown]
    return list({one.text: one for one in pool}.values())


def _default(function: Function, parameter: ast.arg) -> Expression | None:
    positional = [*function.args.posonlyargs, *function.args.args]
    defaults = dict(zip(reversed(positional), reversed(function.args.defaults), strict=False))
    node = defaults.get(parameter)
    if not isinstance(node, ast.Constant | ast.UnaryOp | ast.Tuple):
        return None
    return Expression(ast.unparse(node))


def _combined(
    parameters: Sequence[ast.arg],
    pools: Sequence[Sequence[Expression]],
    shown: Sequence[Call],
    receivers: Sequence[Expression],
) -> Iterator[Call]:
    if any(not pool for pool in pools):
        pools = pools[: next(at for at, pool in enumerate(pools) if not pool)]
    objects: Sequence[Expression | None] = receivers or (None,)
    usual = tuple(pool[0] for pool in pools)
    positional = [one.args for one in shown if not one.named][:_MOST_BASES]
    bases = list(dict.fromkeys([*positional, usual, usual[:1]]))
    yield from (Call(base, (), receiver) for base in bases for receiver in objects)
    yield from _by_turns([_one_at_a_time(base, pools, one) for base in bases[:3] for one in objects[:2]], 50)
    yield from _together(pools, objects[0])
    yield from _by_turns([_one_at_a_time(base, pools, one) for base in bases for one in objects], MOST_CALLS)
    for receiver in objects:
        yield Call((), (), receiver)


def _by_turns(several: Sequence[Iterator[Call]], most: int) -> Iterator[Call]:
    """One of each in turn, until all are at their end or there are enough."""
    rows = zip_longest(*several)
    yield from islice((one for row in rows for one in row if one is not None), most)


def _one_at_a_time(
    base: tuple[Expression, ...], pools: Sequence[Sequence[Expression]], receiver: Expression | None
) -> Iterator[Call]:
    for pool_row in range(max((len(pool) for pool in pools), default=0)):
        for at, pool in enumerate(pools[: len(base) + 1]):
            if pool_row < len(pool):
                yield Call((*base[:at], pool[pool_row], *base[at + 1 :]), (), receiver)


def _together(pools: Sequence[Sequence[Expression]], receiver: Expression | None) -> Iterator[Call]:
    """Arguments that depend on each other (`low` and `high`) show themselves only together."""
    if len(pools) < 2:
        return
    each = max(2, int(_MOST_TOGETHER ** (1 / len(pools))))
    for row in islice(product(*(pool[:each] for pool in pools)), _MOST_TOGETHER):
        yield Call(tuple(row), (), receiver)


def _with_options(
    function: Function, shown: Sequence[Call], types: TypedValues, module: PythonModule
) -> Iterator[Call]:
    """Arguments that can only be given by name, on top of what the project passes."""
    for base in shown[:_MOST_BASES]:
        for option in function.args.kwonlyargs:
            for value in types.of(option.annotation, module)[:4]:
                named = tuple(one for one in base.named if one[0] != option.arg)
                yield replace(base, named=(*named, (option.arg, value)), origin="boundary", place=None)


def _distinct(calls: Iterable[Call]) -> Iterator[Call]:
    seen: set[str] = set()
    for call in calls:
        if call.key not in seen:
            seen.add(call.key)
            yield call
