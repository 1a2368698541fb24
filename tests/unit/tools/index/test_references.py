"""Uses of names: which count, of which kind, and inside of what."""

from __future__ import annotations

import pytest

from tools.index.chunker import chunk_source


def _uses(path: str, text: str) -> list[tuple[str, int, str, str]]:
    return [(one.name, one.line, one.kind, one.enclosing) for one in chunk_source(path, text).references]


def test_a_name_counts_once_a_line_by_its_strongest_use() -> None:
    assert _uses("a.py", "run(run, run)\nrun\n") == [("run", 1, "call", ""), ("run", 2, "other", "")]


def test_the_innermost_definition_around_is_named_and_decorators_are_inside() -> None:
    text = "@traced\nclass A:\n    limit = given()\n    def m(self):\n        return inner()\n"
    assert _uses("a.py", text) == [
        ("traced", 1, "other", "A"),
        ("given", 3, "call", "A.limit"),
        ("inner", 5, "call", "A.m"),
    ]


def test_locals_single_letters_and_self_are_left_out() -> None:
    text = (
        "def work(items, *rest, key=None):\n"
        "    total = 0\n"
        "    for item, count in items:\n"
        "        total += item.price * count\n"
        "    with opened() as stream:\n"
        "        key(stream, rest, self, n)\n"
        "    return [one for one in items if TOTAL]\n"
    )
    assert [name for name, *_ in _uses("a.py", text)] == ["price", "opened", "TOTAL"]


def test_a_local_hides_a_name_in_functions_inside_too_but_not_elsewhere() -> None:
    text = "def f(names):\n    def g():\n        return names\n    return g\n\ndef h():\n    return names\n"
    assert ("names", 7, "other", "h") in _uses("a.py", text)
    assert not [use for use in _uses("a.py", text) if use[0] == "names" and use[1] < 6]


def test_an_attribute_of_a_local_still_counts() -> None:
    text = "def f(app):\n    app.session_interface.open_session(app)\n"
    assert _uses("a.py", text) == [
        ("open_session", 2, "call", "f"),
        ("session_interface", 2, "other", "f"),
    ]


def test_a_definition_is_not_a_use_of_itself() -> None:
    assert _uses("a.ts", "export class A { go(): void {} }\nfunction run() {}\n") == []


def test_imports_are_uses_on_the_line_of_the_name() -> None:
    assert _uses("a.py", "from m import (\n    one,\n    two as other,\n)\n") == [
        ("one", 2, "import", ""),
        ("other", 3, "import", ""),
        ("two", 3, "import", ""),
    ]


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.js", "new store.Cart()\n", "Cart"),
        ("a.tsx", "const a = <Panel.Head x={1} />\n", "Head"),
        ("a.ts", "this.#load<T>(1)\n", "#load"),
        ("a.go", "package a\nfunc f() { pkg.Do(1) }\n", "Do"),
        ("a.rs", "fn f() { a::make::<u8>(1); }\n", "make"),
        ("a.rs", "fn f() { x.collect::<Vec<u8>>(); }\n", "collect"),
        ("a.rs", "fn f() { vec![helper(1)]; }\n", "helper"),
        ("a.java", "class A { Object o = new Box<>(1); }\n", "Box"),
        ("a.cpp", "int f() { return ns::go(1); }\n", "go"),
        ("a.cpp", "int f() { return p->run(1); }\n", "run"),
        ("a.cs", "class A { int f() => store.Get<int>(1); }\n", "Get"),
        ("a.rb", "store.fetch(1)\n", "fetch"),
        ("a.php", "<?php $this->save(); \n", "save"),
        ("a.kt", "fun f() = store.load(1)\n", "load"),
        ("a.swift", "func f() { store.load(1) }\n", "load"),
        ("a.scala", "object A { def f = store.load[Int](1) }\n", "load"),
        ("a.sh", "set_up && run\n", "run"),
    ],
)
def test_a_call_is_known_in_each_language(path: str, text: str, name: str) -> None:
    assert name in [used for used, _, kind, _ in _uses(path, text) if kind == "call"]


def test_a_component_in_a_template_is_used() -> None:
    text = "<template>\n  <UserCard />\n</template>\n"
    assert _uses("Page.vue", text) == [("UserCard", 2, "call", "")]
