"""Scaffolds in the idiom of each language: begun, and never a test that passes."""

import ast

import pytest

from agent.drafting.contract import Contract
from agent.drafting.python_style import PythonStyle
from agent.drafting.scaffolds import Begun, scaffold
from tools.drafting.target import Target


def begun(language, path, place, name="Cart.total", example="", **more):
    target = Target(path, name.rpartition(".")[2], name, language, 3, 9)
    return Begun(target, Contract(None, (), (), ()), place, example, PythonStyle(), **more)


def test_python_skips_itself():
    text = scaffold(begun("python", "shop/cart.py", "tests/test_cart.py", module="shop.cart"))
    ast.parse(text)
    assert '@pytest.mark.skip(reason="unfinished")' in text
    assert "from shop.cart import Cart" in text
    assert "UNFINISHED: shop/cart.py:3" in text


@pytest.mark.parametrize(
    ("language", "path", "place", "example", "pieces"),
    [
        (
            "typescript",
            "src/cart.ts",
            "test/cart.test.ts",
            'import { it } from "vitest";\nimport { x } from "../src/x.js";',
            ['from "vitest"', 'import { Cart } from "../src/cart.js";', 'it.todo("unfinished");'],
        ),
        (
            "javascript",
            "cart.js",
            "cart.test.js",
            'import test from "node:test";',
            ['from "node:test"', 'from "./cart"', "{ todo: true }"],
        ),
        ("go", "shop/cart.go", "shop/cart_test.go", "package shop_test\n", ["package shop_test", "t.Skip("]),
        ("rust", "src/cart.rs", "tests/cart.rs", "", ['#[ignore = "unfinished"]', "fn cart_total()"]),
        (
            "java",
            "src/main/java/Cart.java",
            "src/test/java/CartTest.java",
            "import org.junit.jupiter.api.Test;",
            ["class CartTest {", '@Disabled("unfinished")'],
        ),
    ],
)
def test_other_languages_are_begun_in_their_idiom(language, path, place, example, pieces):
    text = scaffold(begun(language, path, place, example=example))
    assert all(piece in text for piece in [*pieces, "UNFINISHED"]), text


def test_a_language_without_an_idiom_has_none():
    assert scaffold(begun("cobol", "a.cob", "b.cob")) == ""
