"""Small values of a type, read from its annotation: usual ones first, then those at its edges.

Known are the built-in types, collections of them, `Literal`, `Optional` and unions, aliases, and the project's own
enumerations, dataclasses and named tuples, whose values are made from those of their fields.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from itertools import islice, zip_longest

from agent.drafting.expressions import Expression, joined
from agent.drafting.python_module import Need, PythonModule, PythonModules

_MOST_DEPTH = 3
_MOST_VALUES = 10

_PLAIN: dict[str, tuple[str, ...]] = {
    "int": ("1", "2", "0", "-1", "10", "3", "100"),
    "float": ("1.5", "2.0", "0.0", "-1.0", "10.0"),
    "bool": ("True", "False"),
    "str": ("'a b'", "''", "'A'", "' '", "'é'", "'a'", "'12'", "'a-b_c.d'"),
    "bytes": ("b'ab'", "b''"),
    "complex": ("1j",),
    "None": ("None",),
    "object": ("1", "'a'", "None"),
    "Any": ("1", "'a'", "None"),
}
_OF_LIBRARY: dict[str, tuple[str, tuple[str, ...]]] = {
    "date": ("datetime", ("date(2024, 2, 29)", "date(2023, 12, 31)", "date(2024, 1, 1)")),
    "datetime": ("datetime", ("datetime(2024, 2, 29, 12, 30)", "datetime(2023, 12, 31, 23, 59, 59)")),
    "timedelta": ("datetime", ("timedelta(days=1)", "timedelta(seconds=90)", "timedelta(0)")),
    "time": ("datetime", ("time(12, 30)", "time(0, 0)")),
    "Decimal": ("decimal", ("Decimal('1.5')", "Decimal('0')", "Decimal('-2.25')")),
    "Fraction": ("fractions", ("Fraction(1, 3)",)),
    "PurePath": ("pathlib", ("PurePath('a/b.txt')",)),
    "PurePosixPath": ("pathlib", ("PurePosixPath('a/b.txt')",)),
    "Path": ("pathlib", ("Path('a/b.txt')", "Path('a')")),
}
_LISTS = frozenset({"list", "List", "Sequence", "Iterable", "Collection", "MutableSequence", "Iterator"})
_SETS = {"set": "set", "Set": "set", "AbstractSet": "set", "frozenset": "frozenset", "FrozenSet": "frozenset"}
_DICTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"})
_WRAPPERS = frozenset({"Annotated", "Final", "Required", "NotRequired"})


class TypedValues:
    """Values for the annotations of one workspace."""

    def __init__(self, modules: PythonModules) -> None:
        self._modules = modules

    def of(self, annotation: ast.expr | None, module: PythonModule, depth: int = 0) -> list[Expression]:
        """Values for an annotation, the usual ones first; none where it is not understood."""
        if annotation is None or depth > _MOST_DEPTH:
            return []
        return list(islice(_distinct(self._of(annotation, module, depth)), _MOST_VALUES))

    def made_by(self, name: str, module: PythonModule, depth: int = 0) -> list[Expression]:
        """Objects of a class of the workspace, from the values of what it is made from."""
        where = self._home(name, module)
        node = where.classes.get(name) if where else None
        if where is None or node is None:
            return []
        bases = {_last(base) for base in node.bases}
        need = (where.name, name)
        if any(base.endswith(("Enum", "Flag")) for base in bases):
            return [Expression(f"{name}.{member}", (need,)) for member in _members(node)]
        parameters = _fields(node, bases)
        return [] if parameters is None else self._made(need, parameters, where, depth)

    def _of(self, node: ast.expr, module: PythonModule, depth: int) -> Iterable[Expression]:
        match node:
            case ast.Constant(value=str() as text):
                return self._of(_as_expression(text), module, depth)
            case ast.Constant(value=None):
                return [Expression("None")]
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return _by_turns([self.of(left, module, depth), self.of(right, module, depth)])
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return self._named(name, module, depth)
            case ast.Subscript(value=value, slice=inside):
                return self._subscripted(_last(value), _parts(inside), module, depth)
            case _:
                return []

    def _named(self, name: str, module: PythonModule, depth: int) -> Iterable[Expression]:
        if name in _PLAIN and module.need(name) in (None, ("typing", name)):
            return [Expression(text) for text in _PLAIN[name]]
        need = module.need(name)
        if name in _OF_LIBRARY and (need is None or need[0].split(".")[0] == _OF_LIBRARY[name][0]):
            library, texts = _OF_LIBRARY[name]
            return [Expression(text, ((library, name),)) for text in texts]
        if name in _LISTS or name in _DICTS or name in _SETS:
            inside = ["str", "int"] if name in _DICTS else ["int"]
            return self._subscripted(name, [ast.Name(one) for one in inside], module, depth)
        if name in module.constants and depth < _MOST_DEPTH:  # an alias
            return self.of(module.constants[name], module, depth + 1)
        return self.made_by(name, module, depth)

    def _subscripted(
        self, name: str, parts: Sequence[ast.expr], module: PythonModule, depth: int
    ) -> Iterable[Expression]:
        if name == "Literal":
            return [Expression(ast.unparse(one)) for one in parts]
        if name in ("Optional", "Union") or name in _WRAPPERS:
            wanted = parts[:1] if name in _WRAPPERS else parts
            none = [[Expression("None")]] if name == "Optional" else []
            return _by_turns([*(self.of(one, module, depth) for one in wanted), *none])
        if name in _LISTS or name in _SETS:
            items = self.of(parts[0], module, depth + 1)
            return _lists(items) if name in _LISTS else _sets(items, _SETS[name])
        if name in _DICTS and len(parts) == 2:
            return _dicts(self.of(parts[0], module, depth + 1), self.of(parts[1], module, depth + 1))
        if name in ("tuple", "Tuple"):
            return self._tuples(parts, module, depth)
        return []

    def _tuples(self, parts: Sequence[ast.expr], module: PythonModule, depth: int) -> list[Expression]:
        if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...:
            items = self.of(parts[0], module, depth + 1)
            return [joined("(", [*items[:2]], ")" if len(items) > 1 else ",)"), Expression("()")]
        columns = [self.of(one, module, depth + 1)[:3] for one in parts]
        if not columns or any(not column for column in columns):
            return []
        end = ",)" if len(columns) == 1 else ")"
        return [joined("(", row, end) for row in _rows(columns)]

    def _made(
        self, need: Need, parameters: Sequence[ast.arg], where: PythonModule, depth: int
    ) -> list[Expression]:
        columns = [self.of(one.annotation, where, depth + 1)[:4] for one in parameters]
        if any(not column for column in columns):
            return []
        made = [joined(f"{need[1]}(", row, ")") for row in _rows(columns)] or [Expression(f"{need[1]}()")]
        return [Expression(one.text, (need, *one.needs)) for one in made]

    def _home(self, name: str, module: PythonModule) -> PythonModule | None:
        """The module in which a class is defined, imports followed once."""
        if name in module.classes:
            return module
        need = module.need(name)
        return self._modules.named(need[0]) if need and need[1] == name and need[0] else None


def _fields(node: ast.ClassDef, bases: set[str]) -> list[ast.arg] | None:
    """What objects of a class are made from; None where that cannot be told from the class alone."""
    init = next(
        (one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None
    )
    if init is not None:
        given = init.args
        required = given.args[1 : len(given.args) - len(given.defaults)]
        keyword_only = any(default is None for default in given.kw_defaults)
        return None if keyword_only or given.posonlyargs else required
    if "NamedTuple" in bases or any(_last(one) == "dataclass" for one in node.decorator_list):
        if bases - {"NamedTuple", "object"}:
            return None
        return [
            ast.arg(one.target.id, one.annotation)
            for one in node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and one.value is None
        ]
    return None if bases - {"object", "Protocol"} else []


def _members(node: ast.ClassDef) -> list[str]:
    return [
        target.id
        for one in node.body
        if isinstance(one, ast.Assign)
        for target in one.targets
        if isinstance(target, ast.Name) and not target.id.startswith("_")
    ]


def _lists(items: Sequence[Expression]) -> list[Expression]:
    if not items:
        return []
    several = [joined("[", items[start : start + 3], "]") for start in (0, 2) if items[start:]]
    return [
        *several,
        joined("[", items[:1], "]"),
        Expression("[]"),
        joined("[", [*items[1:2], *items[:2]], "]"),
    ]


def _sets(items: Sequence[Expression], name: str) -> list[Expression]:
    start, end = ("{", "}") if name == "set" else ("frozenset({", "})")
    return [joined(start, items[:2], end), Expression(f"{name}()")] if items else []


def _dicts(keys: Sequence[Expression], values: Sequence[Expression]) -> list[Expression]:
    if not keys or not values:
        return []
    pairs = [
        Expression(f"{key.text}: {value.text}", (*key.needs, *value.needs))
        for key, value in zip(keys, values, strict=False)
    ]
    return [
        joined("{", pairs[:2], "}"),
        Expression("{}"),
        joined("{", pairs[:1], "}"),
        joined("{", pairs[1:4], "}"),
    ]


def _rows(columns: Sequence[Sequence[Expression]]) -> list[list[Expression]]:
    """As many rows as the longest column has; shorter ones begin anew."""
    most = max((len(column) for column in columns), default=0)
    return [[column[at % len(column)] for column in columns] for at in range(most)]


def _by_turns(groups: Sequence[Sequence[Expression]]) -> list[Expression]:
    return [one for row in zip_longest(*groups) for one in row if one is not None]


def _distinct(values: Iterable[Expression]) -> Iterable[Expression]:
    return {one.text: one for one in values}.values()


def _last(node: ast.expr) -> str:
    """The last part of a dotted name, calls taken away."""
    if isinstance(node, ast.Call):
        return _last(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _parts(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def _as_expression(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Constant(...)
