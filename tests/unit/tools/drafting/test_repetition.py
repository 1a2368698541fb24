"""A test that computes what it expects as the target does is told from one that knows the answer."""

from __future__ import annotations

import ast

import pytest

from tools.drafting.draft import Draft
from tools.drafting.draft_reading import read_draft
from tools.drafting.repetition import repeats, target_functions
from tools.drafting.target import Target

DISCOUNT = "def discount(price, rate=0.1):\n    rest = 1 - rate\n    return price * rest\n"
TOTAL = "def total(items):\n    return sum(item.price for item in items if item.price > 0)\n"
LOOP = (
    "def counts(words):\n    found = {}\n    for word in words:\n"
    "        found[word] = found.get(word, 0) + 1\n    return found\n"
)
NORM = "import math\n\ndef norm(x, y):\n    return math.sqrt(x * x + y * y)\n"


def is_repeated(target: str, body: str, helpers: str = "") -> bool:
    draft = read_draft(Draft("test_a.py", f"{helpers}\ndef test_it(given):\n    {body}\n"))
    assert draft is not None
    name = next(one.name for one in ast.parse(target).body if isinstance(one, ast.FunctionDef))
    whole = Target("a.py", name, name, "python", 1, target.count("\n"))
    return repeats(draft.tests["test_it"], draft, target_functions(target.encode(), [whole]))


@pytest.mark.parametrize(
    ("target", "body"),
    [
        (DISCOUNT, "assert discount(100, 0.2) == 100 * (1 - 0.2)"),
        (DISCOUNT, "assert discount(100) == 100 * (1 - 0.1)"),
        (DISCOUNT, "assert 100 * (1 - 0.2) == discount(price=100, rate=0.2)"),
        (DISCOUNT, "p, r = 1, 2\n    price = 5\n    expected = price * (1 - 0.5)\n    assert discount(price, 0.5) == expected"),
        (DISCOUNT, "got = discount(given, 0.5)\n    assert got == given * (1 - 0.5)"),
        (DISCOUNT, "self.assertEqual(discount(8, 0.5), 8 * (1 - 0.5))"),
        (TOTAL, "assert total(given) == sum(x.price for x in given if x.price > 0)"),
        (NORM, "assert norm(3, 4) == sqrt(3 * 3 + 4 * 4)"),
        (LOOP, "seen = {}\n    for w in given:\n        seen[w] = seen.get(w, 0) + 1\n    assert counts(given) == seen"),
    ],
)  # fmt: skip
def test_the_implementation_again_is_a_repetition(target: str, body: str) -> None:
    assert is_repeated(target, body)


def test_a_helper_that_is_a_copy_is_a_repetition() -> None:
    copied = LOOP.replace("counts", "reference").replace("word", "w").replace("found", "out")
    assert is_repeated(LOOP, "assert counts(given) == reference(given)", copied)


@pytest.mark.parametrize(
    ("target", "body"),
    [
        (DISCOUNT, "assert discount(100, 0.2) == 80.0"),
        (DISCOUNT, "assert discount(100, 0) == pytest.approx(100)"),
        (DISCOUNT, "assert discount(100, 0.2) == 100 * (1 - 0.2)\n    assert discount(50) == 45"),
        (TOTAL, "assert total([]) == 0"),
        (TOTAL, "assert total(given) == sum([1, 2])"),
        (LOOP, "assert counts(given) == {'a': len(given)}"),
        ("def same(x):\n    return x\n", "assert same(3) == 3"),
        (NORM, "assert norm(3, 4) == 5"),
        (DISCOUNT, "with pytest.raises(TypeError):\n        discount(None)"),
    ],
)
def test_knowing_the_answer_is_none(target: str, body: str) -> None:
    assert not is_repeated(target, body)


@pytest.mark.parametrize(
    ("body", "asserts"),
    [
        ("assert f(1) == 2", True),
        ("with pytest.raises(ValueError):\n        f(1)", True),
        ("self.assertEqual(f(1), 2)", True),
        ("mock.assert_called_once()", True),
        ("np.testing.assert_allclose(f(1), 2)", True),
        ("check(f(1))", True),
        ("if f(1) != 2:\n        pytest.fail('no')", True),
        ("helper(1)", True),
        ("f(1)", False),
        ("print(f(1))", False),
        ("assert True", False),
        ("assert 1 == 1", False),
        ("self.assertTrue(True)", True),
        ("quiet(1)", False),
    ],
)
def test_whether_a_test_asserts_is_read_from_its_text(body: str, asserts: bool) -> None:
    helpers = "def helper(x):\n    assert f(x)\n\ndef quiet(x):\n    f(x)\n    quiet(x)\n"
    draft = read_draft(Draft("test_a.py", f"{helpers}\ndef test_it(self, mock):\n    {body}\n"))
    assert draft is not None
    assert draft.tests["test_it"].asserts is asserts


def test_tests_are_found_in_classes_and_with_their_decorators() -> None:
    text = "class TestA:\n    @mark\n    def test_a(self): ...\n    def help(self): ...\n\nclass B(unittest.TestCase):\n    def test_b(self): ...\n\nasync def test_c(): ...\n"
    draft = read_draft(Draft("test_a.py", text))
    assert draft is not None
    places = {name: (test.first_line, test.last_line) for name, test in draft.tests.items()}
    assert places == {"TestA::test_a": (2, 3), "B::test_b": (7, 7), "test_c": (9, 9)}
