"""Names, kinds, signatures and docstrings of definitions, beyond what the samples show."""

from __future__ import annotations

import pytest

from tools.index.chunk import Chunk, Definition
from tools.index.chunker import chunk_source


def _definitions(path: str, text: str) -> dict[str, Definition]:
    return {one.qualified_name: one for one in chunk_source(path, text).definitions}


def _kinds(path: str, text: str) -> dict[str, str]:
    return {name: one.kind for name, one in _definitions(path, text).items()}


def _chunks(path: str, text: str) -> list[Chunk]:
    return list(chunk_source(path, text).chunks)


def test_locals_of_a_function_are_no_definitions_but_nested_functions_and_classes_are() -> None:
    text = (
        "def f():\n    LIMIT = 1\n    class C:\n        x = 1\n        def m(self): pass\n    def g(): pass\n"
    )
    assert _kinds("a.py", text) == {
        "f": "function",
        "f.C": "class",
        "f.C.x": "field",
        "f.C.m": "method",
        "f.g": "function",
    }
    assert len(_chunks("a.py", text)) == 1


def test_constants_behind_a_condition_count() -> None:
    text = "try:\n    import a\n    FAST = True\nexcept ImportError:\n    a = None\nif FAST:\n    MODE = 1\n"
    assert {"FAST", "MODE"} <= set(_kinds("a.py", text))


def test_a_multi_line_type_has_a_chunk_of_its_own_and_a_short_one_has_not() -> None:
    text = "type A = string\ntype B = {\n  x: number\n  y: number\n}\n"
    assert [chunk.symbol for chunk in _chunks("a.ts", text)] == ["", "B"]


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("export const a = memo(() => {\n  return 1\n})\n", "a"),
        ("export const a = lib.make('x', (one) => {\n  return one\n})\n", "a"),
        ("const names = list.map((one) => {\n  return one\n})\n", ""),
        ("const { b } = make(() => {\n  return 1\n})\n", ""),
    ],
)
def test_a_function_inside_of_a_call_counts_when_the_call_makes_the_constant(text: str, symbol: str) -> None:
    assert [chunk.symbol for chunk in _chunks("a.js", text)] == [symbol]


def test_functions_of_an_object_are_qualified_by_it() -> None:
    text = "const api = {\n  get() {\n    return 1\n  },\n  put: () => 2,\n}\nlib.fn = {\n  each: function () {},\n}\n"
    assert {"api.get", "api.put", "lib.fn.each"} <= set(_kinds("a.js", text))


@pytest.mark.parametrize(
    ("path", "text", "kinds"),
    [
        ("test_a.py", "def test_x(): pass\ndef helper(): pass\n", ["test", "function"]),
        ("a.py", "def test_x(): pass\n", ["function"]),
        ("tests/a.py", "class TestX:\n    def test_y(self): pass\n", ["class", "test"]),
        (
            "a_test.go",
            "func TestX(t *T) {}\nfunc BenchmarkX(b *B) {}\nfunc setup() {}\n",
            ["test", "test", "function"],
        ),
        ("a.rs", "#[tokio::test]\nasync fn works() {}\n", ["test"]),
        ("src/test/ATest.java", "class ATest {\n  @Test\n  void works() {}\n}\n", ["class", "test"]),
        ("a.test.ts", "it('works', () => {\n  run()\n})\n", ["test"]),
        ("spec/a_spec.rb", "describe Cart do\n  it 'adds' do\n    add\n  end\nend\n", ["test"]),
    ],
)
def test_tests_are_told_from_other_functions(path: str, text: str, kinds: list[str]) -> None:
    assert [chunk.kind for chunk in _chunks(path, text)] == kinds


def test_a_test_with_a_title_is_named_by_its_suites_and_its_title() -> None:
    text = "describe('cart', () => {\n  it('adds one', async () => {\n    add()\n  })\n})\n"
    parsed = chunk_source("a.test.ts", text)
    assert [(chunk.symbol, chunk.qualified_name) for chunk in parsed.chunks] == [
        ("adds one", "cart.adds one")
    ]
    assert [(one.name, one.enclosing) for one in parsed.references if one.name == "add"] == [
        ("add", "cart.adds one")
    ]


@pytest.mark.parametrize(
    ("path", "text", "signature"),
    [
        (
            "a.py",
            "def f(\n    a: int,  # why\n    b=2,\n) -> str:\n    pass\n",
            "def f( a: int, b=2, ) -> str",
        ),
        ("a.py", "@a\n@b(1)\nclass C(D):\n    pass\n", "class C(D)"),
        ("a.py", "LIMIT: Final = 3  # of what\n", "LIMIT: Final = 3"),
        ("a.ts", "export default async function f<T>(a: T): Promise<T> {\n}\n", None),
        ("a.java", "class C {\n}\n", "class C"),
        (
            "a.go",
            "func (s *Server[T]) Run(ctx C) (int, error) {\n}\n",
            "func (s *Server[T]) Run(ctx C) (int, error)",
        ),
        ("a.c", "static int *\nf(int a)\n{\n}\n", "static int * f(int a)"),
        ("a.kt", "fun f(a: Int) = a + 1\n", "fun f(a: Int)"),
    ],
)
def test_a_signature_is_the_header_on_one_line(path: str, text: str, signature: str | None) -> None:
    expected = signature or "export default async function f<T>(a: T): Promise<T>"
    assert next(iter(chunk_source(path, text).definitions)).signature == expected


def test_a_signature_has_an_end() -> None:
    text = f"def f({', '.join(f'argument_{n}' for n in range(500))}):\n    pass\n"
    assert len(_definitions("a.py", text)["f"].signature) == 300


def test_decorators_belong_to_the_definition_and_comments_above_only_to_its_chunk() -> None:
    text = "x = 1\n\n# Says why.\n@a\n@b\ndef f():\n    pass\n"
    definition = _definitions("a.py", text)["f"]
    assert (definition.first_line, definition.last_line) == (4, 7)
    chunk = _chunks("a.py", text)[-1]
    assert (chunk.first_line, chunk.last_line, chunk.docstring) == (3, 7, "Says why.")


def test_a_comment_with_a_blank_line_below_belongs_to_nobody() -> None:
    assert _chunks("a.go", "package a\n\n// Alone.\n\nfunc f() {}\n")[-1].docstring == ""


def test_orders_to_tools_are_no_docstring() -> None:
    assert _chunks("a.js", "// eslint-disable-next-line no-x\nfunction f() {}\n")[0].docstring == ""


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.go", "func (p *Pair[K, V]) Swap() {}\n", "Pair.Swap"),
        ("a.rs", "impl<'a, T: X> fmt::Display for store::Item<'a, T> {\n fn fmt(&self) {}\n}\n", "Item.fmt"),
        ("a.rs", "impl<T> Trait for &mut [T] {\n fn go(&self) {}\n}\n", "T.go"),
        ("a.cpp", "namespace a::b { void C::f() {} }\n", "a.b.C.f"),
        ("a.cpp", "bool Box<T>::operator==(const Box& o) const { return true; }\n", "Box.operator=="),
        ("a.js", "module.exports.run = function () {}\n", "run"),
        ("a.swift", "extension Player {\n  func stop() {}\n}\n", "Player.stop"),
        ("a.kt", "fun String.shout() {\n}\n", "String.shout"),
        ("a.rb", "class Shop::Cart\n  def self.open; end\nend\n", "Shop.Cart.open"),
        ("a.lua", "function M.sub:go() end\n", "M.sub.go"),
        ("a.php", "<?php\nnamespace A\\B;\nclass C { function f() {} }\n", "C.f"),
    ],
)
def test_names_are_qualified_by_what_they_belong_to(path: str, text: str, name: str) -> None:
    assert name in _definitions(path, text)


def test_no_definition_has_the_place_of_another_in_one_statement() -> None:
    assert list(_kinds("a.go", "package a\n\nvar one, two = 1, 2\n")) == ["one", "two"]
