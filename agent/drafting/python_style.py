"""How a project's Python tests are written, learnt from them; each observation keeps the lines that show it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from agent.drafting.parameter_tables import is_table, names_node
from agent.drafting.python_module import Function, PythonModule

Framework: TypeAlias = Literal["pytest", "unittest"]
_MOCKS = ("monkeypatch", "mocker", "Mock", "MagicMock", "patch")
_QUOTED = re.compile(r"[rbuf]*(['\"])(?!\1\1)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Seen:
    """One habit, and the first lines that show it."""

    habit: str
    """The name of its phrase: framework, tables, raises, fixtures, mocks, imports, names…"""
    names: tuple[str, ...]
    """What is said of it in backticks: all of it stands in the lines."""
    path: str
    first_line: int
    last_line: int


@dataclass(frozen=True)
class PythonStyle:
    """The habits that a draft goes by; the defaults are those of a project without tests."""

    framework: Framework = "pytest"
    tables: bool = True
    """Cases of one function stand in a table of parameters."""
    names_in_tuple: bool = True
    """`("a", "b")` above a table, not `"a, b"`."""
    ids: bool = False
    """Rows have ids: `pytest.param(…, id="…")`."""
    annotated: bool = False
    in_classes: bool = False
    match: bool = True
    """`pytest.raises(…, match=…)`."""
    single_quotes: bool = False
    seen: tuple[Seen, ...] = ()


@dataclass
class _Tally:
    """What was counted, with the first place of each."""

    counts: Counter[str] = field(default_factory=Counter[str])
    seen: dict[str, Seen] = field(default_factory=dict[str, Seen])

    def add(self, habit: str, path: str, node: ast.AST, *names: str, last_line: int = 0) -> None:
        self.counts[habit] += 1
        if habit not in self.seen:
            first = min(
                [getattr(node, "lineno", 1), *(one.lineno for one in getattr(node, "decorator_list", ()))]
            )
            last = last_line or getattr(node, "end_lineno", first) or first
            self.seen[habit] = Seen(habit, names, path, first, last)


def learnt(
    tests: Sequence[PythonModule], conftests: Sequence[PythonModule], sources: Iterable[str]
) -> PythonStyle:
    """The style of these test files, the most telling first. `sources`: their texts, for the quotes."""
    tally = _Tally()
    for module in tests:
        _read(module, tally)
    for module in conftests:
        _fixtures(module, tally)
    counts = tally.counts
    if not counts["function"] + counts["class"] + counts["unittest"]:
        return PythonStyle()
    is_unittest = counts["unittest"] > counts["function"] + counts["class"]
    framework: Framework = "unittest" if is_unittest else "pytest"
    return PythonStyle(
        framework=framework,
        tables=counts["tables"] > 0,
        names_in_tuple=counts["names in tuple"] >= counts["names in text"],
        ids=counts["ids"] * 2 > counts["tables"],
        annotated=counts["annotated"] * 2 > counts["function"] + counts["class"],
        in_classes=counts["class"] > counts["function"],
        match=not counts["raises"] or counts["match"] > 0,
        single_quotes=_prefers_single(sources),
        seen=tuple(_told(tally, framework)),
    )


def _told(tally: _Tally, framework: Framework) -> Iterator[Seen]:
    """What a person is told: what the drafts go by, and what is there to be used."""
    test = (
        "unittest"
        if framework == "unittest"
        else "class"
        if tally.counts["class"] > tally.counts["function"]
        else "function"
    )
    for habit in (test, "imports", "tables", "ids", "raises", "fixtures", "mocks"):
        if habit in tally.seen:
            yield tally.seen[habit]


def _read(module: PythonModule, tally: _Tally) -> None:
    for name, function in module.functions.items():
        if function.name.startswith("test"):
            _test(module, name, function, tally)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            _call(module, node, tally)
    _fixtures(module, tally)


def _test(module: PythonModule, name: str, function: Function, tally: _Tally) -> None:
    owner = module.classes.get(name.partition(".")[0])
    is_unittest = owner is not None and any(_last(base).endswith("TestCase") for base in owner.bases)
    habit = "unittest" if is_unittest else "class" if owner is not None else "function"
    shown = owner if owner is not None else function
    tally.add(habit, module.path, shown, shown.name, last_line=_head(shown))
    if function.returns is not None:
        tally.counts["annotated"] += 1
    for decorator in filter(is_table, function.decorator_list):
        tally.add("tables", module.path, function, "parametrize", function.name, last_line=_head(function))
        in_text = isinstance(names_node(decorator), ast.Constant)
        tally.counts["names in text" if in_text else "names in tuple"] += 1
        if any(isinstance(one, ast.keyword) and one.arg in ("id", "ids") for one in ast.walk(decorator)):
            tally.add("ids", module.path, decorator, "id" if ".param(" in ast.unparse(decorator) else "ids")
    for argument in function.args.args:
        if argument.arg in _MOCKS:
            tally.add("mocks", module.path, function, argument.arg, last_line=_head(function))


def _call(module: PythonModule, node: ast.Call, tally: _Tally) -> None:
    called = _last(node.func)
    if called == "raises":
        tally.add("raises", module.path, node, ast.unparse(node.func))
        tally.counts["match"] += any(keyword.arg == "match" for keyword in node.keywords)
    elif called in _MOCKS:
        tally.add("mocks", module.path, node, called)


def _fixtures(module: PythonModule, tally: _Tally) -> None:
    for function in module.functions.values():
        if any(_last(one) == "fixture" for one in function.decorator_list):
            tally.add("fixtures", module.path, function, function.name, last_line=_head(function))


def imports_of_target(tests: Sequence[PythonModule], target: str) -> Seen | None:
    """The first line of a test file that imports from a module."""
    for module in tests:
        for node in module.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == target and not node.level:
                return Seen("imports", (target,), module.path, node.lineno, node.end_lineno or node.lineno)
    return None


def _head(node: ast.ClassDef | Function) -> int:
    """The last line before the body."""
    return max(node.lineno, node.body[0].lineno - 1) if node.body else node.lineno


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _last(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _prefers_single(sources: Iterable[str]) -> bool:
    counts: Counter[str] = Counter()
    for source in sources:
        for token in _tokens(source):
            quoted = _QUOTED.match(token.string) if token.type == tokenize.STRING else None
            if quoted:
                counts[quoted[1]] += 1
    return counts["'"] > counts['"']


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(source).readline)
    except (tokenize.TokenError, SyntaxError):
        return
