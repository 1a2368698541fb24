"""How a project tests, learnt from its test files."""

import pytest

from agent.drafting.python_module import PythonModule, parsed
from agent.drafting.python_style import PythonStyle, imports_of_target, learnt

TABLES = """
import pytest
from shop.cart import total

@pytest.fixture
def cart() -> list:
    return []

@pytest.mark.parametrize(("given", "expected"), [pytest.param(1, 2, id="one"), pytest.param(2, 3, id="two")])
def test_total(given: int, expected: int, monkeypatch) -> None:
    assert total(given) == expected

def test_refuses() -> None:
    with pytest.raises(ValueError, match="no"):
        total(None)
"""
CLASSES = """
class TestTotal:
    def test_a(self):
        assert total(1) == 2
    def test_b(self):
        assert total('x') == 'y'
"""
UNITTEST = """
import unittest
class TotalTest(unittest.TestCase):
    def test_a(self):
        self.assertEqual(total('a'), 'b')
"""


def style_of(*sources):
    modules = [
        PythonModule(f"tests/test_{at}.py", f"test_{at}", parsed(text)) for at, text in enumerate(sources)
    ]
    return learnt(modules, [], sources)


def test_without_tests_it_is_pytest_with_tables():
    assert style_of() == style_of("x = 1\n") == PythonStyle()


def test_tables_ids_annotations_and_quotes_are_seen():
    style = style_of(TABLES)
    assert (style.framework, style.tables, style.ids, style.annotated) == ("pytest", True, True, True)
    assert (style.names_in_tuple, style.single_quotes, style.in_classes) == (True, False, False)


def test_what_is_told_names_lines_that_hold_it():
    lines = TABLES.split("\n")
    seen = {one.habit: one for one in style_of(TABLES).seen}
    assert list(seen) == ["function", "tables", "ids", "raises", "fixtures", "mocks"]
    for one in seen.values():
        held = "\n".join(lines[one.first_line - 1 : one.last_line])
        assert all(name in held for name in one.names), one


@pytest.mark.parametrize(
    ("source", "framework", "in_classes"), [(CLASSES, "pytest", True), (UNITTEST, "unittest", False)]
)
def test_classes_are_told_apart(source, framework, in_classes):
    style = style_of(source)
    assert (style.framework, style.in_classes, style.single_quotes) == (
        framework,
        in_classes,
        source != TABLES,
    )
    assert not style.tables


def test_names_of_a_table_in_one_text_are_kept_so():
    assert not style_of(TABLES.replace('("given", "expected")', '"given, expected"')).names_in_tuple


def test_the_import_of_the_target_is_found():
    module = PythonModule("tests/test_cart.py", "test_cart", parsed(TABLES))
    seen = imports_of_target([module], "shop.cart")
    assert (seen.names, seen.first_line) == (("shop.cart",), 3)
    assert imports_of_target([module], "shop") is None
