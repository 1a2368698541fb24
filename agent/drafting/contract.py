"""What is known of a target before anything is run: signature, docstring, what it raises, who calls it, which tests do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.answer import Claim
from agent.drafting.account import Account, coded
from agent.drafting.python_module import PythonModules
from tools.drafting.target import Target
from tools.evidence import LinesShown
from tools.index.catalog import Catalog
from tools.index.records import StoredReference

_MOST_CALLERS, _MOST_TESTS, _MOST_RAISES = 3, 3, 5
_RAISING = re.compile(r"^\s*(?:raise|throw|panic!?)\b|\breturn\s+(?:nil,\s*)?(?:errors\.|fmt\.Errorf|Err\()")


@dataclass(frozen=True)
class Contract:
    """One target."""

    definition: LinesShown | None
    callers: tuple[StoredReference, ...]
    tests: tuple[StoredReference, ...]
    claims: tuple[Claim, ...]

    @property
    def shown(self) -> str:
        """Its lines."""
        return self.definition.text if self.definition else ""


async def contract_of(target: Target, catalog: Catalog, modules: PythonModules, account: Account) -> Contract:
    """Look it up, with the lines that show it."""
    definition = await account.shown(target.path, target.first_line, target.last_line)
    used = [one for one in catalog.references(target.symbol, ("call",)) if not _within(one, target)]
    callers = tuple(one for one in used if one.area != "tests" and one.language == target.language)
    tests = tuple(one for one in used if one.area == "tests" and one.language == target.language)
    claims: list[Claim | None] = []
    if definition is not None:
        claims += [
            account.claim(
                "draft_signature",
                [definition],
                name=coded(target.symbol),
                code=coded(_header(target, definition)),
            )
        ]
        claims += [
            account.claim("draft_says", [definition], code=coded(line))
            for line in _docstring(target, modules)
        ]
        claims += [
            account.claim("draft_raises", [await account.shown(target.path, line, line)], code=coded(text))
            for line, text in list(_raising(definition))[:_MOST_RAISES]
        ]
    claims += [await _used(one, "draft_called", account) for one in _spread(callers)[:_MOST_CALLERS]]
    claims += [await _used(one, "draft_covered", account) for one in _spread(tests)[:_MOST_TESTS]]
    return Contract(definition, callers, tests, tuple(one for one in claims if one is not None))


async def _used(one: StoredReference, phrase: str, account: Account) -> Claim | None:
    shown = await account.shown(one.path, one.line, one.line)
    return account.claim(phrase, [shown], path=coded(one.path), code=coded(shown.text)) if shown else None


def _within(one: StoredReference, target: Target) -> bool:
    return one.path == target.path and target.first_line <= one.line <= target.last_line


def _spread(references: Sequence[StoredReference]) -> list[StoredReference]:
    """One of each enclosing function, in order."""
    return list({(one.path, one.enclosing): one for one in reversed(references)}.values())[::-1]


def _header(target: Target, definition: LinesShown) -> str:
    """The line that names it, as it stands."""
    lines = [
        line
        for line in definition.lines()
        if target.symbol in line and not line.strip().startswith(("#", "//", "@"))
    ]
    return re.sub(r"\s*[{:]$", "", lines[0].strip()) if lines else target.symbol


def _docstring(target: Target, modules: PythonModules) -> list[str]:
    module = modules.read(target.path) if target.language == "python" else None
    function = module.functions.get(target.qualified_name) if module else None
    said = (ast.get_docstring(function) or "") if function else ""
    return [said.split("\n", 1)[0]] if said.strip() else []


def _raising(definition: LinesShown) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(definition.lines(), definition.first_line):
        if _RAISING.search(line):
            yield number, line.strip()
