"""Tests written in a project's own style: a table of cases for each function, errors apart.

What is written are calls that were made and what came of them. Comments and names are English, whatever language the
account is in: a project's code is.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from agent.drafting.outcomes import Outcome
from agent.drafting.python_module import Need
from agent.drafting.python_style import PythonStyle

_BUILT_IN = frozenset(
    {"int", "str", "float", "bool", "bytes", "list", "dict", "tuple", "set", "frozenset", "None"}
)
_PLAIN_FLOAT = 6
"""A float of so many characters is exact enough to be compared as it is."""
_LONGEST_ID = 32
_INDENT = "    "


@dataclass(frozen=True)
class FunctionCases:
    """One function with the calls that are to be pinned down."""

    name: str
    """As a test calls it: `slugify`; of a method the bare name."""
    called: str
    """In names of tests: `slugify`, `place_label`."""
    need: Need
    parameters: tuple[tuple[str, str], ...]
    """Name and annotation, in order."""
    returns: str
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class WrittenTest:
    """One test function, before it stands in a file."""

    name: str
    lines: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    function: FunctionCases


def write_tests(
    functions: Sequence[FunctionCases], style: PythonStyle
) -> tuple[str, tuple[WrittenTest, ...]]:
    """The text of a test file, and the tests in it."""
    tests = [test for function in functions for test in _tests(function, style)]
    body = _in_unittest(tests) if style.framework == "unittest" else _in_pytest(tests, style)
    names = ", ".join(f"`{function.called}`" for function in functions)
    about = f"Characterisation of {names}: what it does today, not what it should do. Review every case."
    imports = list(_imports(tests, "\n".join(body)))
    text = "\n".join([f'"""{about}"""', "", *imports, "", "", *body]).rstrip() + "\n"
    return (text if style.single_quotes else with_double_quotes(text)), tuple(tests)


def with_double_quotes(source: str) -> str:
    """The same source, plain texts in double quotes where that needs no escape."""
    lines = source.split("\n")
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for token in reversed(tokens):
        if (
            token.type == tokenize.STRING
            and re.match(r"[bBrR]?'(?!'')", token.string)
            and '"' not in token.string
        ):
            (row, start), (_, end) = token.start, token.end
            prefix, _, rest = token.string.partition("'")
            lines[row - 1] = f'{lines[row - 1][:start]}{prefix}"{rest[:-1]}"{lines[row - 1][end:]}'
    return "\n".join(lines)


def _tests(function: FunctionCases, style: PythonStyle) -> Iterator[WrittenTest]:
    def group(one: Outcome) -> tuple[str, tuple[int, tuple[str, ...]], bool]:
        return one.kind if one.raises else "", one.call.shape, one.listed

    used: set[str] = set()
    for (error, _, _), grouped in groupby(sorted(function.outcomes, key=group), key=group):
        outcomes = tuple(grouped)
        ends = f"raises_{_snake(error)}" if error else "returns"
        name = f"test_{function.called}_{ends}"
        if name in used:
            given = [parameter for parameter, _ in _given(function, outcomes[0])]
            name = f"test_{function.called}_with_{given[-1] if given else 'nothing'}_{ends}"
        while name in used:
            name += "_too"
        used.add(name)
        write = (
            _unittest
            if style.framework == "unittest"
            else _table
            if len(outcomes) > 1 and style.tables
            else _single
        )
        for number, part in enumerate(_parts(outcomes, write is _single), 1):
            own = name if number == 1 else f"{name}_{number}"
            yield WrittenTest(own, tuple(write(own, function, part, style)), part, function)


def _parts(outcomes: tuple[Outcome, ...], apart: bool) -> list[tuple[Outcome, ...]]:
    return [(one,) for one in outcomes] if apart else [outcomes]


def _given(function: FunctionCases, outcome: Outcome) -> list[tuple[str, str]]:
    """The parameters that a call fills, with their annotations."""
    known = dict(function.parameters)
    positional = list(function.parameters[: len(outcome.call.args)])
    extra = len(outcome.call.args) - len(positional)
    rest = [(f"argument{number}", "") for number in range(1, extra + 1)]
    return [*positional, *rest, *((name, known.get(name, "")) for name, _ in outcome.call.named)]


def _arguments(outcome: Outcome) -> list[str]:
    return [one.text for one in outcome.call.args] + [one.text for _, one in outcome.call.named]


def _single(
    name: str, function: FunctionCases, outcomes: Sequence[Outcome], style: PythonStyle
) -> Iterator[str]:
    one = outcomes[0]
    call = one.call.written(function.name)
    yield _head(name, [], style)
    if one.raises:
        yield f"{_INDENT}with pytest.raises({_raised(one, _pattern(one.message))}):"
        yield f"{_INDENT}{_INDENT}{call}"
    else:
        call = f"list({call})" if one.listed else call
        sign = "is" if one.value in ("None", "True", "False") else "=="
        yield f"{_INDENT}assert {call} {sign} {_expected(one)}"


def _table(
    name: str, function: FunctionCases, outcomes: Sequence[Outcome], style: PythonStyle
) -> Iterator[str]:
    receivers = {one.call.receiver.text for one in outcomes if one.call.receiver}
    columns = _given(function, outcomes[0])
    varying = len(receivers) > 1
    owner = _snake(function.need[1])
    messages = [one.message for one in outcomes]
    error = outcomes[0].raises
    last = [] if error and not any(messages) else ["message" if error else _free("expected", columns)]
    names = [*([owner] if varying else []), *(column for column, _ in columns), *last]
    if not names:
        yield from _single(name, function, outcomes, style)
        return
    told = ", ".join(f'"{one}"' for one in names)
    together = f'"{", ".join(names)}"' if not style.names_in_tuple or len(names) == 1 else f"({told})"
    yield "@pytest.mark.parametrize("
    yield f"{_INDENT}{together},"
    yield f"{_INDENT}["
    ids: set[str] = set()
    for one in outcomes:
        first = [one.call.receiver.text] if varying and one.call.receiver else []
        end = ([repr(one.message)] if error else [_expected(one)]) if last else []
        yield f"{_INDENT}{_INDENT}{_row([*first, *_arguments(one), *end], _id(one, ids) if style.ids else '')},"
    yield f"{_INDENT}],"
    yield ")"
    hints = [*([(owner, "")] if varying else []), *columns]
    hints += [(last[0], "str" if error else _returns(function, outcomes))] if last else []
    yield _head(name, hints, style)
    call = _with_names(function, outcomes[0], owner if varying else "")
    if error:
        match = "message" if all(map(_is_plain, messages)) else "re.escape(message)"
        yield f"{_INDENT}with pytest.raises({_raised(outcomes[0], match if last else '')}):"
        yield f"{_INDENT}{_INDENT}{call}"
    else:
        yield f"{_INDENT}assert {call} == {last[0]}"


def _unittest(
    name: str, function: FunctionCases, outcomes: Sequence[Outcome], _: PythonStyle
) -> Iterator[str]:
    yield f"def {name}(self):"
    for one in outcomes:
        call = one.call.written(function.name)
        if one.raises:
            pattern = _pattern(one.message)
            how = f"assertRaisesRegex({one.kind}, {pattern})" if pattern else f"assertRaises({one.kind})"
            yield f"{_INDENT}with self.{how}:"
            yield f"{_INDENT}{_INDENT}{call}"
        elif _is_long_float(one.value):
            yield f"{_INDENT}self.assertAlmostEqual({call}, {one.value})"
        else:
            call = f"list({call})" if one.listed else call
            yield f"{_INDENT}self.assertEqual({call}, {one.value})"


def _in_pytest(tests: Sequence[WrittenTest], style: PythonStyle) -> list[str]:
    lines: list[str] = []
    if not style.in_classes:
        for test in tests:
            lines += [*test.lines, "", ""]
        return lines
    for called, grouped in groupby(tests, key=lambda test: test.function.called):
        lines += [f"class Test{_camel(called)}:"]
        for test in grouped:
            lines += [*(f"{_INDENT}{line}" if line else "" for line in test.lines), ""]
        lines += [""]
    return lines


def _in_unittest(tests: Sequence[WrittenTest]) -> list[str]:
    lines: list[str] = []
    for called, grouped in groupby(tests, key=lambda test: test.function.called):
        lines += [f"class {_camel(called)}Test(unittest.TestCase):"]
        for test in grouped:
            lines += [*(f"{_INDENT}{line}" if line else "" for line in test.lines), ""]
        lines += [""]
    return lines


def _head(name: str, parameters: Sequence[tuple[str, str]], style: PythonStyle) -> str:
    own = ["self"] if style.in_classes else []
    if not style.annotated:
        return f"def {name}({', '.join([*own, *(one for one, _ in parameters)])}):"
    hinted = [f"{one}: {hint if is_built_in(hint) else 'Any'}" for one, hint in parameters]
    return f"def {name}({', '.join([*own, *hinted])}) -> None:"


def is_built_in(annotation: str) -> bool:
    """Whether an annotation can stand in any file as it is."""
    names = re.findall(r"[^\W\d]\w*", annotation)
    return (
        bool(names)
        and all(name in _BUILT_IN for name in names)
        and '"' not in annotation
        and "'" not in annotation
    )


def _returns(function: FunctionCases, outcomes: Sequence[Outcome]) -> str:
    plain = not any("approx" in _expected(one) or one.listed for one in outcomes)
    return function.returns if plain else ""


def _with_names(function: FunctionCases, one: Outcome, owner: str) -> str:
    """The call of a table: the columns' names in place of the arguments."""
    given = [name for name, _ in _given(function, one)]
    positional, named = given[: len(one.call.args)], given[len(one.call.args) :]
    receiver = owner or (one.call.receiver.text if one.call.receiver else "")
    callee = f"{receiver}.{function.name}" if receiver else function.name
    call = f"{callee}({', '.join([*positional, *(f'{name}={name}' for name in named)])})"
    return f"list({call})" if one.listed else call


def _row(values: Sequence[str], row_id: str) -> str:
    if row_id:
        return f"pytest.param({', '.join(values)}, id={row_id!r})"
    return values[0] if len(values) == 1 else f"({', '.join(values)})"


def _id(one: Outcome, used: set[str]) -> str:
    """A row's id: where its arguments come from if the project shows them, else the arguments in short."""
    said = ", ".join(_arguments(one)) or "nothing"
    said = re.sub(r"[^\w .,:-]+", "", said).strip(" ,") or "empty"
    short = "docstring example" if one.call.origin == "docstring" else said[:_LONGEST_ID].strip(" ,")
    if not short.isascii():
        short = "beyond ASCII"
    number = 1
    unique = short
    while unique in used:
        number += 1
        unique = f"{short} {number}"
    used.add(unique)
    return unique


def _raised(one: Outcome, pattern: str) -> str:
    return f"{one.kind}, match={pattern}" if pattern else one.kind


def _pattern(message: str) -> str:
    if not message:
        return ""
    return repr(message) if _is_plain(message) else f"re.escape({message!r})"


def _is_plain(message: str) -> bool:
    """Whether a message means itself as a pattern: `re.escape` also escapes blanks, which need none."""
    return not re.search(r"[.^$*+?{}\[\]\\|()]", message)


def _expected(one: Outcome) -> str:
    if _is_long_float(one.value) or (one.kind in ("list", "tuple") and _holds_long_floats(one.value)):
        return f"pytest.approx({one.value})"
    return one.value


def _is_long_float(text: str) -> bool:
    return bool(re.fullmatch(r"-?\d+\.\d+(e[+-]?\d+)?", text)) and len(text.lstrip("-")) > _PLAIN_FLOAT


def _holds_long_floats(text: str) -> bool:
    try:
        items = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    numbers = all(isinstance(one, int | float) for one in items)
    return numbers and any(_is_long_float(repr(one)) for one in items)


def _imports(tests: Sequence[WrittenTest], body: str) -> Iterator[str]:
    """Standard library, pytest, the project: each in its own block."""
    needs = {test.function.need for test in tests}
    for test in tests:
        for one in test.outcomes:
            needs |= {*one.call.needs, *one.needs}
    plain = [module for module in ("re", "unittest") if re.search(rf"\b{module}\.", body)]
    standard = [need for need in needs if need[0].partition(".")[0] in sys.stdlib_module_names]
    if re.search(r": Any\b", body):
        standard.append(("typing", "Any"))
    blocks = [
        [*(f"import {one}" for one in plain), *_from(standard)],
        ["import pytest"] if re.search(r"\bpytest\.", body) else [],
        list(_from(needs - set(standard))),
    ]
    filled = [block for block in blocks if block]
    for number, block in enumerate(filled):
        yield from ([""] if number else [])
        yield from block


def _from(needs: Iterable[Need]) -> Iterator[str]:
    by_module: dict[str, set[str]] = {}
    for module, name in needs:
        by_module.setdefault(module, set()).add(name)
    for module in sorted(by_module):
        yield f"from {module} import {', '.join(sorted(by_module[module]))}"


def _free(name: str, columns: Sequence[tuple[str, str]]) -> str:
    return f"{name}_" if any(column == name for column, _ in columns) else name


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.rpartition(".")[2]).lower()


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
