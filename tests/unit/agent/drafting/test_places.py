"""Where a new test file goes."""

import pytest

from agent.drafting.places import NAMINGS, pairs, place_for

PYTHON = NAMINGS["python"]


def placed(source, symbol, sources, tests, language="python"):
    namings = NAMINGS[language]
    known = pairs(sources, tests, namings)
    return place_for(source, symbol, known, {*sources, *tests}, namings).path


@pytest.mark.parametrize(
    ("source", "sources", "tests", "expected"),
    [
        pytest.param("shop/cart.py", ["shop/cart.py"], [], "tests/test_cart.py", id="no tests yet"),
        pytest.param(
            "shop/cart.py",
            ["shop/cart.py", "shop/tax.py"],
            ["tests/test_tax.py"],
            "tests/test_cart.py",
            id="one folder",
        ),
        pytest.param(
            "agent/loop.py",
            ["agent/loop.py", "agent/budget.py", "tools/show.py"],
            ["tests/unit/agent/test_budget.py", "tests/unit/tools/test_show.py"],
            "tests/unit/agent/test_loop.py",
            id="mirrored",
        ),
        pytest.param(
            "src/shop/net/http.py",
            ["src/shop/net/http.py", "src/shop/net/url.py"],
            ["tests/net/test_url.py"],
            "tests/net/test_http.py",
            id="mirrored below a package",
        ),
        pytest.param(
            "shop/cart.py",
            ["shop/cart.py", "shop/tax.py"],
            ["shop/test_tax.py"],
            "shop/test_cart.py",
            id="beside",
        ),
        pytest.param(
            "shop/cart.py",
            ["shop/cart.py", "other/tax.py"],
            ["other/tests/test_tax.py"],
            "shop/tests/test_cart.py",
            id="a folder in each package",
        ),
        pytest.param(
            "shop/cart.py",
            ["shop/cart.py", "shop/tax.py"],
            ["tests/tax_test.py"],
            "tests/cart_test.py",
            id="named the other way round",
        ),
    ],
)
def test_a_new_file_goes_where_the_others_show(source, sources, tests, expected):
    assert placed(source, "total", sources, tests) == expected


def test_a_name_that_is_taken_gets_the_symbol_added():
    sources, tests = ["shop/cart.py"], ["tests/test_cart.py"]
    assert placed("shop/cart.py", "Cart.total", sources, tests) == "tests/test_cart_total.py"
    tests.append("tests/test_cart_total.py")
    assert placed("shop/cart.py", "Cart.total", sources, tests) == "tests/test_shop_cart_total.py"


def test_a_name_in_use_in_another_folder_is_taken_too():
    sources, tests = ["shop/cart.py", "bar/cart.py"], ["bar/test_cart.py"]
    assert placed("shop/cart.py", "total", sources, tests) != "shop/test_cart.py"


@pytest.mark.parametrize(
    ("language", "source", "test", "expected"),
    [
        ("typescript", "src/cart.ts", "src/tax.spec.ts", "src/cart.spec.ts"),
        ("go", "shop/cart.go", "shop/tax_test.go", "shop/cart_test.go"),
        (
            "java",
            "src/main/java/shop/Cart.java",
            "src/test/java/shop/TaxTest.java",
            "src/test/java/shop/CartTest.java",
        ),
    ],
)
def test_other_languages_have_names_of_their_own(language, source, test, expected):
    tax = {"typescript": "src/tax.ts", "go": "shop/tax.go", "java": "src/main/java/shop/Tax.java"}[language]
    assert placed(source, "total", [source, tax], [test], language) == expected
