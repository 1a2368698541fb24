"""Scaffolds: a test file that is begun in the project's idiom and skips itself until a person has finished it.

What a test of the target has to reach is listed as comments with the lines it stands on; nothing is asserted, so a
scaffold can never pass for a test.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.drafting.contract import Contract
from agent.drafting.python_style import PythonStyle
from tools.drafting.target import Target

UNFINISHED = "unfinished"
_INDENT = "    "
_FRAMEWORKS = ("vitest", "@jest/globals", "bun:test", "node:test", "mocha")
_SPLIT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+")


@dataclass(frozen=True)
class Begun:
    """What a scaffold is made of."""

    target: Target
    contract: Contract
    place: str
    example: str
    """Text of a test file of the project, or ""."""
    style: PythonStyle
    module: str = ""
    """As it is imported, where that is a matter of names (Python)."""

    @property
    def name(self) -> str:
        return self.target.symbol

    @property
    def owner(self) -> str:
        """The class of a method, or ""."""
        return self.target.qualified_name.rpartition(".")[0].rpartition(".")[2]


def scaffold(begun: Begun) -> str:
    """The text of the file; "" for a language that there is no idiom for."""
    write = _BY_LANGUAGE.get(begun.target.language)
    return "\n".join(write(begun)).rstrip() + "\n" if write else ""


def _python(begun: Begun) -> Iterator[str]:
    need = begun.owner or begun.name
    name = "_".join(_words(begun.target.qualified_name))
    yield f'"""Unfinished tests of `{begun.target.qualified_name}`: a scaffold to be completed by hand."""'
    yield ""
    unittest = begun.style.framework == "unittest"
    yield "import unittest" if unittest else "import pytest"
    yield ""
    yield f"from {begun.module} import {need}"
    yield ""
    yield ""
    call = f"{begun.name}(...)" if not begun.owner else f"{begun.owner}(...).{begun.name}(...)"
    body = [*_reach(begun, "#"), f"assert {call} == ..."]
    if unittest:
        yield f"class {_camel(begun.target.qualified_name)}Test(unittest.TestCase):"
        yield f'{_INDENT}@unittest.skip("{UNFINISHED}")'
        yield f"{_INDENT}def test_{name}(self):"
        yield from (f"{_INDENT}{_INDENT}{line}" for line in body)
        return
    yield f'@pytest.mark.skip(reason="{UNFINISHED}")'
    yield f"def test_{name}(){' -> None' if begun.style.annotated else ''}:"
    yield from (f"{_INDENT}{line}" for line in body)


def _node(begun: Begun) -> Iterator[str]:
    framework = next((one for one in _FRAMEWORKS if one in begun.example), "")
    if framework not in ("", "mocha"):
        yield f'import {{ describe, it }} from "{framework}";'
    yield f'import {{ {begun.owner or begun.name} }} from "{_relative(begun)}";'
    yield ""
    yield f'describe("{begun.target.qualified_name}", () => {{'
    yield from (f"  {line}" for line in _reach(begun, "//"))
    options = ", { todo: true }" if framework == "node:test" else ""
    pending = framework in (
        "node:test",
        "mocha",
    )  # mocha takes a test without a body for one still to be written
    yield f'  it("{UNFINISHED}"{options});' if pending else f'  it.todo("{UNFINISHED}");'
    yield "});"


def _go(begun: Begun) -> Iterator[str]:
    package = re.search(r"^package\s+(\w+)", begun.example, re.MULTILINE)
    folder = posixpath.basename(posixpath.dirname(begun.target.path)) or "main"
    yield f"package {package[1] if package else re.sub(r'[^a-z0-9_]', '', folder.lower())}"
    yield ""
    yield 'import "testing"'
    yield ""
    yield f"func Test{_camel(begun.target.qualified_name)}(t *testing.T) {{"
    yield f'\tt.Skip("{UNFINISHED}")'
    yield from (f"\t{line}" for line in _reach(begun, "//"))
    yield "}"


def _rust(begun: Begun) -> Iterator[str]:
    yield from _reach(begun, "//")
    yield "#[test]"
    yield f'#[ignore = "{UNFINISHED}"]'
    yield f"fn {'_'.join(_words(begun.target.qualified_name))}() {{"
    yield f'{_INDENT}todo!("{UNFINISHED}");'
    yield "}"


def _java(begun: Begun) -> Iterator[str]:
    package = re.search(r"^package\s+[\w.]+;", begun.contract.shown or begun.example, re.MULTILINE)
    old = "org.junit.Test" in begun.example
    if package:
        yield from (package[0], "")
    skip = "Ignore" if old else "Disabled"
    prefix = "org.junit" if old else "org.junit.jupiter.api"
    yield f"import {prefix}.{skip};"
    yield f"import {prefix}.Test;"
    yield ""
    yield f"class {posixpath.splitext(posixpath.basename(begun.place))[0]} {{"
    yield f"{_INDENT}@Test"
    yield f'{_INDENT}@{skip}("{UNFINISHED}")'
    yield f"{_INDENT}void {begun.name}() {{"
    yield from (f"{_INDENT}{_INDENT}{line}" for line in _reach(begun, "//"))
    yield f"{_INDENT}}}"
    yield "}"


_BY_LANGUAGE: Mapping[str, Callable[[Begun], Iterator[str]]] = {
    "python": _python,
    "typescript": _node,
    "tsx": _node,
    "javascript": _node,
    "go": _go,
    "rust": _rust,
    "java": _java,
}


def _reach(begun: Begun, mark: str) -> list[str]:
    """What a finished test reaches, as comments."""
    target = begun.target
    lines = [f"{mark} UNFINISHED: {target.path}:{target.first_line} is to be reached by calls of it."]
    lines += [f"{mark} - {line}" for line in _raising(begun.contract)]
    callers = begun.contract.callers[:2]
    return [*lines, *(f"{mark} - called in {one.path}:{one.line}" for one in callers)]


def _raising(contract: Contract) -> Sequence[str]:
    labels = [citation.label for claim in contract.claims for citation in claim.citations]
    definition = contract.definition
    if definition is None:
        return ()
    raising = re.compile(r"^\s*(?:raise|throw)\b")
    found = [
        number for number, line in enumerate(definition.lines(), definition.first_line) if raising.match(line)
    ]
    return [f"an error: {definition.path}:{line}" for line in found if f"{definition.path}:{line}" in labels]


def _relative(begun: Begun) -> str:
    """The module as the test file imports it: with the suffix that the project writes."""
    path = posixpath.relpath(begun.target.path, posixpath.dirname(begun.place) or ".")
    plain = re.sub(r"\.[cm]?[jt]sx?$", "", path)
    written = re.search(r"""from\s+["']\.[^"']*?(\.[cm]?[jt]sx?)?["']""", begun.example)
    suffix = (written[1] or "") if written else ""
    return f"{plain if plain.startswith('.') else f'./{plain}'}{suffix}"


def _words(name: str) -> list[str]:
    return [part.lower() for part in _SPLIT.split(name) if part]


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[_\W]+", name) if part)
