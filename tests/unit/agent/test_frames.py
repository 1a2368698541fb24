"""Frames of other machines, containers and build folders, found in a real workspace by its index."""

from contextlib import closing

import pytest
from support.indexed import build_index, write_files

from agent.frames import FrameFinder
from agent.traces import read_report
from agent.traces.report import Frame
from tools.index.catalog import Catalog
from tools.workspace import Workspace

CART = '''\
"""Carts."""


class Cart:
    def total(self):
        return sum(self.prices)

    def clear(self):
        self.prices = []


def total(prices):
    return sum(prices)
'''
FILES = {
    "src/shop/cart.py": CART,
    "src/shop/__init__.py": "",
    "src/admin/cart.py": "def total(rows):\n    return len(rows)\n",
    "src/admin/__init__.py": "",
    "web/src/view.ts": "export function view(): string {\n  return 'x';\n}\n",
    "cmd/main.go": "package main\n\nfunc main() {\n\tprintln(1)\n}\n",
    "app/src/main/java/com/acme/Main.java": "package com.acme;\n\nclass Main {\n    void run() {\n        int a = 1;\n    }\n}\n",
    "tests/test_cart.py": "def test_total():\n    assert total([1]) == 1\n",
    "index.js": "exports.run = () => 1;\n",
}


@pytest.fixture(scope="module")
def finder(tmp_path_factory):
    root = tmp_path_factory.mktemp("shop")
    data = tmp_path_factory.mktemp("data") / "index"
    write_files(root, FILES)
    build_index(root, data)
    with closing(Workspace(root)) as workspace, Catalog.open(data, read_only=True) as catalog:
        yield FrameFinder(workspace, catalog)


def place(located):
    return (located.path, located.line, located.function)


@pytest.mark.parametrize(
    "path",
    [
        "src/shop/cart.py",
        "./src/shop/cart.py",
        "/app/src/shop/cart.py",
        "/home/ci/builds/42/shop/cart.py",
        "C:\\Users\\dev\\code\\src\\shop\\cart.py",
        "/usr/local/lib/python3.11/site-packages/shop/cart.py",
    ],
)
def test_a_path_is_the_file_with_the_longest_common_end(finder, path):
    found = finder.locate(Frame(path, 13, "total", "return sum(prices)"))
    assert place(found) == ("src/shop/cart.py", 13, "total")
    assert found.certain
    assert not found.moved


def test_an_absolute_path_of_this_very_workspace_is_found(finder, tmp_path):
    root = finder._workspace.root
    found = finder.locate(Frame(f"{root}/src/admin/cart.py", 2, "total", "return len(rows)"))
    assert place(found) == ("src/admin/cart.py", 2, "total")


def test_of_files_with_one_name_the_quoted_line_decides(finder):
    found = finder.locate(Frame("cart.py", 2, "total", "return len(rows)"))
    assert place(found) == ("src/admin/cart.py", 2, "total")


def test_a_line_that_has_moved_is_found_by_its_text_in_the_function(finder):
    found = finder.locate(Frame("/app/src/shop/cart.py", 40, "Cart.total", "return sum(self.prices)"))
    assert place(found) == ("src/shop/cart.py", 6, "Cart.total")
    assert found.moved
    assert found.certain


def test_a_line_that_is_gone_is_said_to_be_uncertain(finder):
    found = finder.locate(Frame("/app/src/shop/cart.py", 13, "total", "return math.fsum(prices)"))
    assert place(found) == ("src/shop/cart.py", 13, "total")
    assert not found.certain


def test_a_number_outside_of_the_function_gives_way_to_the_functions_name(finder):
    found = finder.locate(Frame("shop/cart.py", 6, "Cart.clear"))
    assert (found.path, found.function, found.line) == ("src/shop/cart.py", "Cart.clear", 8)


@pytest.mark.parametrize(
    ("frame", "path"),
    [
        (Frame("webpack://shop/./web/src/view.ts?1a2b", 2, "view"), "web/src/view.ts"),
        (Frame("file:///srv/web/src/view.ts", 2, "view"), "web/src/view.ts"),
        (Frame("/srv/dist/view.js", 7, "view"), "web/src/view.ts"),
        (Frame("com/acme/Main.java", 5, "Main.run"), "app/src/main/java/com/acme/Main.java"),
        (Frame("/build/cmd/main.go", 4, "main"), "cmd/main.go"),
    ],
)
def test_other_languages_have_their_own_ways_of_writing_paths(finder, frame, path):
    assert finder.locate(frame).path == path


@pytest.mark.parametrize(
    "frame",
    [
        Frame("/usr/lib/python3.11/json/decoder.py", 355, "raw_decode", "obj, end = self.scan_once(s, idx)"),
        Frame("/app/.venv/lib/python3.11/site-packages/other/cart.py", 2, "total", "return 1"),
        Frame("/app/node_modules/left-pad/index.js", 1, "run"),
        Frame("node:internal/modules/cjs/loader", 12, "load"),
        Frame("/usr/local/go/src/runtime/panic.go", 884, "gopanic"),
        Frame(
            "/home/dev/.cargo/registry/src/registry.example-6f17d22bba15001f/serde-1.0/src/view.rs", 3, "f"
        ),
        Frame("<frozen importlib._bootstrap>", 241, "_call"),
        Frame("java/util/ArrayList.java", 967, "ArrayList.next"),
        Frame("/opt/elsewhere/unknown.py", 3, "f"),
        Frame("/opt/elsewhere/cart.py", 3, "checkout", "return checkout_all()"),
        Frame("src/shop/cart.py", 4_000),
    ],
)
def test_what_is_not_of_this_workspace_is_told_apart(finder, frame):
    assert not finder.locate(frame).inside


def test_tests_are_known_as_tests(finder):
    assert finder.locate(Frame("tests/test_cart.py", 2, "test_total")).is_test


def test_a_case_has_the_frames_above_the_catch_of_a_caught_exception(finder):
    text = """\
Traceback (most recent call last):
  File "/app/src/shop/cart.py", line 13, in total
    return sum(prices)
TypeError: 'NoneType' object is not iterable

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/src/admin/cart.py", line 2, in total
    return len(rows)
  File "/app/src/shop/cart.py", line 13, in total
    raise ShopError from error
shop.ShopError
"""
    case = finder.case(read_report(text))
    assert [(frame.path, frame.line) for frame in case.inside] == [
        ("src/admin/cart.py", 2),
        ("src/shop/cart.py", 13),
    ]


def test_a_deep_recursion_is_one_step(finder):
    lines = ['  File "/app/src/shop/cart.py", line 13, in total', "    return sum(prices)"] * 900
    text = "\n".join(
        ["Traceback (most recent call last):", *lines, "RecursionError: maximum recursion depth exceeded"]
    )
    assert len(finder.case(read_report(text)).inside) == 1
