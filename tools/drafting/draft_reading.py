"""What can be said of a draft by reading it: its tests by name, whether each asserts anything, what it names.

A test asserts when it, or a helper of the draft that it calls, holds an assertion about something that was computed:
`assert`, `pytest.raises` and its kin, unittest's and mock's `assert…`. The name of a helper from elsewhere has to do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tools.drafting.draft import Draft

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_EXPECTING = ("raises", "warns", "deprecated_call", "assertRaises", "assertLogs", "assertWarns")
_ASSERTING_STARTS = ("assert", "check", "verify", "expect", "should")
_FAILING = ("fail", "approve")
_SANDBOX_PATHS = ("/workspace", "/tmp/home", "/tmp/pytest-of", "/opt/codewitness")


@dataclass(frozen=True)
class DraftedTest:
    """A test function of a draft."""

    name: str
    """With its class: `TestCart::test_total`."""
    node: _Function
    first_line: int
    last_line: int
    asserts: bool
    sandbox_path: str
    """A path in it that only the sandbox has, or ""."""


@dataclass(frozen=True)
class DraftRead:
    """A draft, read."""

    tree: ast.Module
    tests: Mapping[str, DraftedTest]
    helpers: Mapping[str, _Function]
    """Functions and methods that are no tests, by their last name."""


def read_draft(draft: Draft) -> DraftRead | None:
    """The draft's tests; None for what is not Python."""
    try:
        tree = ast.parse(draft.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    tests = dict(_tests(tree))
    every = [node for node in ast.walk(tree) if isinstance(node, _Function)]
    helpers = {node.name: node for node in every if node not in tests.values()}
    read = {name: _drafted(name, node, helpers) for name, node in tests.items()}
    return DraftRead(tree, read, helpers)


def _tests(tree: ast.Module) -> Iterator[tuple[str, _Function]]:
    for statement in tree.body:
        if isinstance(statement, _Function) and statement.name.startswith("test"):
            yield statement.name, statement
        elif isinstance(statement, ast.ClassDef) and _holds_tests(statement):
            for inner in statement.body:
                if isinstance(inner, _Function) and inner.name.startswith("test"):
                    yield f"{statement.name}::{inner.name}", inner


def _holds_tests(statement: ast.ClassDef) -> bool:
    bases = {_last_name(base) for base in statement.bases}
    return statement.name.startswith("Test") or any(base.endswith(("TestCase", "Test")) for base in bases)


def _drafted(name: str, node: _Function, helpers: Mapping[str, _Function]) -> DraftedTest:
    texts = [
        one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]
    path = next((start for text in texts for start in _SANDBOX_PATHS if text.startswith(start)), "")
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    return DraftedTest(
        name, node, first, node.end_lineno or node.lineno, _asserts(node, helpers, frozenset()), path
    )


def _asserts(node: _Function, helpers: Mapping[str, _Function], within: frozenset[str]) -> bool:
    for one in ast.walk(node):
        if isinstance(one, ast.Assert) and _is_computed(one.test):
            return True
        if isinstance(one, ast.Call):
            name = _last_name(one.func)
            helper = helpers.get(name)
            if helper is not None and helper is not node and name not in within:
                if _asserts(helper, helpers, within | {name}):
                    return True
            elif helper is None and _is_assertion(name, one):
                return True
    return False


def _is_computed(test: ast.expr) -> bool:
    """`assert True` and `assert 1 == 1` say nothing."""
    return any(isinstance(one, ast.Name | ast.Call) for one in ast.walk(test))


def _is_assertion(name: str, call: ast.Call) -> bool:
    if name in _EXPECTING or name in _FAILING:
        return True
    arguments = [*call.args, *(one.value for one in call.keywords)]
    about = isinstance(call.func, ast.Attribute) and not isinstance(call.func.value, ast.Constant)
    return name.startswith(_ASSERTING_STARTS) and (about or any(map(_is_computed, arguments)))


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
