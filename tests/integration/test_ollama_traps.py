"""Every trap of a model server that is known to us has a test that falls into it when our guard is gone.

The list (`tests/support/ollama_traps.toml`) is what a change of a backend is held against.
"""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LIST = tomllib.loads((TESTS / "support" / "ollama_traps.toml").read_text(encoding="utf-8"))
TRAPS: dict[str, list[str]] = {trap: tests for part in LIST.values() for trap, tests in part.items()}


@cache
def written_in(file: str) -> frozenset[str]:
    """The tests of a file."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_has_a_test_that_is_there(trap: str) -> None:
    tests = [test.split("::") for test in TRAPS[trap]]
    assert tests
    assert [test for test in tests if test[1] not in written_in(test[0])] == []
