"""What a person names is found, or what they may have meant; what changed and is not tested is found by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.git_repositories import new_repository
from support.indexed import build_index

from tools.drafting.target import TargetUnknown, changed_targets, find_targets
from tools.git import open_repository
from tools.index.catalog import Catalog
from tools.workspace import Workspace

FILES = {
    "shop/cart.py": "def total(prices):\n    return sum(prices)\n\n\nclass Cart:\n    def total(self):\n"
    "        def add(a, b):\n            return a + b\n        return add(1, 2)\n\n    def clear(self):\n        pass\n",
    "shop/tax.py": "RATE = 0.2\n\n\ndef with_tax(price):\n    return price * (1 + RATE)\n\n\ndef rounded(price):\n    return round(price, 2)\n",
    "shop/names.py": "NAMES = ('a', 'b')\n",
    "tests/test_tax.py": "from shop.tax import rounded\n\n\ndef test_rounded():\n    assert rounded(1.004) == 1.0\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = new_repository(tmp_path_factory.mktemp("targets") / "shop", FILES)
    (root / "shop/tax.py").write_text(
        FILES["shop/tax.py"].replace("1 + RATE", "1.0 + RATE").replace(", 2)", ", 3)")
    )
    (root / "shop/new.py").write_text("def brand_new():\n    return 1\n")
    return root


@pytest.fixture(scope="module")
def catalog(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    data = tmp_path_factory.mktemp("data")
    build_index(root, data)
    with Catalog.open(data, read_only=True) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("with_tax", ["with_tax"]),
        ("shop/tax.py:with_tax", ["with_tax"]),
        ("./shop/tax.py:with_tax", ["with_tax"]),
        ("shop/tax.py::with_tax", ["with_tax"]),
        ("Cart.total", ["Cart.total"]),
        ("shop/cart.py:Cart.total", ["Cart.total"]),
        ("shop/cart.py:total", ["total"]),
        ("shop/cart.py:clear", ["Cart.clear"]),
        ("Cart", ["Cart"]),
        ("shop/cart.py", ["total", "Cart.total", "Cart.clear"]),
    ],
)
def test_a_target_is_found_by_each_way_of_naming_it(text: str, found: list[str], catalog: Catalog) -> None:
    assert [one.qualified_name for one in find_targets(catalog, text)] == found


@pytest.mark.parametrize(
    ("text", "cause", "hint"),
    [
        ("total", "defined twice", "shop/cart.py:Cart.total"),
        ("with_tacks", "no function or class", "with_tax"),
        ("shop/tax.py:with_tacks", "defined nowhere", "with_tax"),
        ("shop/taxes.py:with_tax", "no indexed file `shop/taxes.py`", "shop/tax.py"),
        ("shop/taxi.py", "no indexed file", "shop/tax.py"),
        ("shop/names.py", "no function is defined", "name a function"),
        ("zzz", "no function or class", "name a function"),
    ],
)
def test_an_unclear_name_is_told_with_what_is_near(
    text: str, cause: str, hint: str, catalog: Catalog
) -> None:
    with pytest.raises(TargetUnknown) as raised:
        find_targets(catalog, text)
    assert cause in str(raised.value.cause)
    assert hint in str(raised.value.hint)


def test_changed_functions_that_no_test_calls_are_found(root: Path, catalog: Catalog) -> None:
    workspace = Workspace(root)
    found = changed_targets(workspace, catalog, open_repository(root))
    workspace.close()
    assert [(one.path, one.symbol) for one in found] == [
        ("shop/new.py", "brand_new"),
        ("shop/tax.py", "with_tax"),
    ]


def test_a_revision_that_is_none_is_told(root: Path, catalog: Catalog) -> None:
    workspace = Workspace(root)
    with pytest.raises(TargetUnknown):
        changed_targets(workspace, catalog, open_repository(root), "no-such")
    workspace.close()
