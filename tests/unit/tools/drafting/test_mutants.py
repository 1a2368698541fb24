"""Mutants change just what they say, on the bytes of the file, and leave what no test should notice."""

from __future__ import annotations

import ast

import pytest

from tools.drafting.mutants import Mutant, MutantKind, mutants_of, probes_of
from tools.drafting.target import Target


def the_target(source: str | bytes, name: str = "f", language: str = "python") -> Target:
    tree = ast.parse(source)
    node = next(one for one in ast.walk(tree) if getattr(one, "name", "") == name)
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    return Target("a.py", name, name, language, first, node.end_lineno or first)


def changes(source: str, kind: MutantKind | None = None, name: str = "f") -> list[tuple[str, str]]:
    found = mutants_of(source.encode(), the_target(source, name), limit=500)
    return [(one.before, one.after) for one in found if kind is None or one.kind is kind]


def applied(source: bytes, mutant: Mutant) -> bytes:
    return source[: mutant.start] + mutant.replacement + source[mutant.end :]


@pytest.mark.parametrize(
    ("body", "kind", "after"),
    [
        ("return a", MutantKind.RETURN, ["return None"]),
        ("yield a", MutantKind.RETURN, ["yield None"]),
        ("return", MutantKind.RETURN, []),
        ("return None", MutantKind.RETURN, []),
        ("if a < b: a()", MutantKind.CONDITION, ["if a >= b: a()"]),
        ("if a: a()", MutantKind.CONDITION, ["if not (a): a()"]),
        ("if not a: a()", MutantKind.CONDITION, ["if a: a()"]),
        ("while a and b: a()", MutantKind.CONDITION, ["while not (a and b): a()"]),
        ("a = b if a else b", MutantKind.CONDITION, ["a = b if not (a) else b"]),
        ("a = [c for c in b if c]", MutantKind.CONDITION, ["a = [c for c in b if not (c)]"]),
        ("b.append(a)", MutantKind.STATEMENT, [""]),
        ("a += b", MutantKind.STATEMENT, [""]),
        ("c = b", MutantKind.STATEMENT, []),
        ("a = b", MutantKind.STATEMENT, [""]),
        ("b[0] = a", MutantKind.STATEMENT, [""]),
        ("raise ValueError('said')", MutantKind.STATEMENT, [""]),
        ("return 3", MutantKind.CONSTANT, ["return 4"]),
        ("return True", MutantKind.CONSTANT, ["return False"]),
        ("return 'x'", MutantKind.CONSTANT, ['return ""']),
        ("return ''", MutantKind.CONSTANT, ['return "changed"']),
        ("return f'{a} {b}'", MutantKind.CONSTANT, ['return ""']),
        ("raise ValueError('said')", MutantKind.CONSTANT, []),
        ("return a + b", MutantKind.OPERATOR, ["return a - b"]),
        ("return a not in b", MutantKind.OPERATOR, ["return a in b"]),
        ("return a is not b", MutantKind.OPERATOR, ["return a is b"]),
        ("return a or b", MutantKind.OPERATOR, ["return a and b"]),
        ("return (a) * (b)", MutantKind.OPERATOR, ["return (a) / (b)"]),
        ("return a <= b < a", MutantKind.OPERATOR, ["return a < b < a", "return a <= b <= a"]),
    ],
)
def test_each_kind_changes_what_it_says(body: str, kind: MutantKind, after: list[str]) -> None:
    assert [new for _, new in changes(f"def f(a, b):\n    {body}\n", kind)] == after


@pytest.mark.parametrize(
    "body",
    [
        '"""Says 1."""',
        "pass",
        "print(1)",
        "log.info('x %s', 1)",
        "self.logger.debug(1)",
        "warnings.warn('x')",
        "import os",
    ],
)
def test_what_no_test_should_notice_stays(body: str) -> None:
    assert changes(f"def f(self, log):\n    {body}\n") == []


def test_annotations_defaults_and_decorators_stay() -> None:
    assert changes("@cached(1)\ndef f(a: int = 2) -> 'x':\n    b: 'y' = a\n") == []


def test_a_class_has_the_mutants_of_its_methods() -> None:
    source = (
        "class C:\n    x = 1\n    def f(self):\n        return self.x\n    def g(self):\n        return 2\n"
    )
    found = mutants_of(source.encode(), the_target(source, "C"))
    assert {(one.function, one.function_line) for one in found} == {("f", 3), ("g", 5)}


def test_only_the_target_is_changed() -> None:
    source = "def f():\n    return 1\n\ndef g():\n    return 2\n"
    assert {line for one in mutants_of(source.encode(), the_target(source, "g")) for line in [one.line]} == {
        5
    }


@pytest.mark.parametrize(
    "raw",
    [
        "def f(a):\r\n\tif a == 'é':\r\n\t\treturn 'ü' + a\r\n\treturn 1\r\n".encode(),
        b"\xef\xbb\xbfdef f(a):\n    return 'x' if a else 2\n",
        "# -*- coding: latin-1 -*-\ndef f(a):\n    b = 'é'; return b + 'ü' * 3\n".encode("latin-1"),
        "def f(a):\n    return ('日本' +\n            a)  # 語\n".encode(),
        b"def f(a): return'x'\n",
    ],
    ids=["CRLF and tabs", "a byte order mark", "latin-1", "several lines", "no room"],
)
def test_every_mutant_is_python_and_all_else_stays_byte_for_byte(raw: bytes) -> None:
    found = mutants_of(raw, the_target(raw))
    assert found
    for mutant in found:
        changed = applied(raw, mutant)
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(raw))
        assert changed[: mutant.start] == raw[: mutant.start]
        assert changed.endswith(raw[mutant.end :])
        assert raw.count(b"\r\n") == changed.count(b"\r\n")


def test_a_cap_leaves_some_of_every_kind_and_always_the_same() -> None:
    body = "".join(f"    if a > {n}:\n        b.append({n} + a)\n" for n in range(30)) + "    return b\n"
    source = f"def f(a, b):\n{body}"
    found = mutants_of(source.encode(), the_target(source), limit=20)
    assert len(found) == 20
    assert {one.kind for one in found} == set(MutantKind)
    assert found == mutants_of(source.encode(), the_target(source), limit=20)
    assert max(one.line for one in found) > 40


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    return 1\n",
        "def f(): return 1\n",
        "def f():\n    '''x'''\n    @d\n    def g(): ...\n    return g\n",
    ],
)
def test_a_probe_is_the_first_statement(source: str) -> None:
    [probe] = probes_of(source.encode(), the_target(source), "seen()")
    [function] = ast.parse(applied(source.encode(), probe)).body
    assert isinstance(function, ast.FunctionDef)
    assert ast.unparse(function.body[0]) == "seen()"
    assert len(function.body) == len(ast.parse(source).body[0].body) + 1  # type: ignore[attr-defined]


def test_other_languages_and_broken_files_have_none() -> None:
    target = Target("a.go", "f", "f", "go", 1, 2)
    assert mutants_of(b"func f() {\n}\n", target) == ()
    assert mutants_of(b"def f(:\n", Target("a.py", "f", "f", "python", 1, 1)) == ()
