"""Drafts without a model: characterisation tests of Python functions, made by calling them in the sandbox."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from agent.drafting.candidates import candidates
from agent.drafting.contract import Contract
from agent.drafting.examples import from_docstring, from_file, texts_in_docstring
from agent.drafting.expressions import Call, Expression
from agent.drafting.observing import Callee, observe
from agent.drafting.outcomes import Outcome, thinned
from agent.drafting.python_module import Function, PythonModule, PythonModules
from agent.drafting.python_tests import FunctionCases
from agent.drafting.typed_values import TypedValues
from agent.phrases import Phrases
from tools.drafting.bench import Bench
from tools.drafting.mutants import mutants_of
from tools.drafting.target import Target
from tools.show import show_name
from tools.workspace import Unreadable, Workspace

_MAX_BYTES = 1_000_000
_MOST_REASONS = 2


@dataclass(frozen=True)
class Characterised:
    """One function, with the calls that are worth a test; none, with why."""

    cases: FunctionCases | None = None
    untested: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Subject:
    """A function that can be called."""

    target: Target
    module: PythonModule
    function: Function
    is_bound: bool
    """It takes an object: a method that is neither static nor of the class."""


@dataclass(frozen=True)
class Characteriser:
    """Calls functions of one workspace."""

    workspace: Workspace
    modules: PythonModules
    bench: Bench
    phrases: Phrases

    async def characterise(self, target: Target, contract: Contract, near: str) -> Characterised:
        """What the function does today. Raises: ConsentRefused, TestsUnusable."""
        subject = self._subject(target)
        if subject is None:
            return self._untested("draft_untested_language")
        if isinstance(subject.function, ast.AsyncFunctionDef):
            return self._untested("draft_untested_async")
        types = TypedValues(self.modules)
        receivers = self._receivers(subject, types)
        if subject.is_bound and not receivers:
            return self._untested("draft_untested_object")
        shown = self._shown(subject, contract)
        calls = candidates(subject.function, subject.module, shown, types, receivers[:3])
        callee = Callee(subject.module.name, target.qualified_name)
        mutants = mutants_of(self._source(target.path), target)
        seen = await observe(self.bench, callee, calls, mutants, near)
        if seen.problem:
            return self._untested("draft_untested_import", why=show_name(seen.problem))
        chosen = thinned(seen.outcomes, seen.kills)
        reasons = tuple(self._left_out(dict(seen.why_not.most_common(_MOST_REASONS))))
        if not chosen:
            nothing = self.phrases.write("draft_untested_nothing")
            return Characterised(untested=(nothing, *reasons))
        return Characterised(_cases(subject, callee, tuple(chosen)), reasons)

    def _subject(self, target: Target) -> _Subject | None:
        module = self.modules.read(target.path) if target.language == "python" else None
        function = module.functions.get(target.qualified_name) if module else None
        if module is None or function is None or not module.name:
            return None
        kinds = {one.id for one in function.decorator_list if isinstance(one, ast.Name)}
        is_method = "." in target.qualified_name
        return _Subject(target, module, function, is_method and not kinds & {"staticmethod", "classmethod"})

    def _receivers(self, subject: _Subject, types: TypedValues) -> list[Expression]:
        if not subject.is_bound:
            return []
        owner, _, _ = subject.target.qualified_name.rpartition(".")
        return types.made_by(owner, subject.module) if "." not in owner else []

    def _shown(self, subject: _Subject, contract: Contract) -> list[Call]:
        """The calls that the project itself shows: docstring, callers, tests."""
        name, function = subject.target.qualified_name, subject.function
        found = list(from_docstring(function, name, subject.module))
        for origin, uses in (("caller", contract.callers), ("test", contract.tests)):
            by_path: dict[str, list[int]] = {}
            for use in uses:
                by_path.setdefault(use.path, []).append(use.line)
            for path, lines in by_path.items():
                module = self.modules.read(path)
                found += from_file(module, name, lines, origin=origin) if module else ()
        texts = [Expression(repr(text)) for text in texts_in_docstring(function)]
        required = len(function.args.args) - len(function.args.defaults)
        return [*found, *(Call((text,)) for text in texts if required <= 1 and not subject.is_bound)]

    def _source(self, path: str) -> bytes:
        try:
            return self.workspace.read_bytes(path, max_bytes=_MAX_BYTES)
        except Unreadable:
            return b""

    def _left_out(self, why_not: dict[str, int]) -> list[str]:
        known = self.phrases.answer
        keys = [f"draft_touch_{why.replace(' ', '_')}" for why in why_not]
        return [self.phrases.write("draft_untested_calls", why=known[key]) for key in keys if key in known]

    def _untested(self, phrase: str, **parts: str) -> Characterised:
        return Characterised(untested=(self.phrases.write(phrase, **parts),))


def _cases(subject: _Subject, callee: Callee, outcomes: tuple[Outcome, ...]) -> FunctionCases:
    function, name = subject.function, subject.target.qualified_name
    positional = [*function.args.posonlyargs, *function.args.args]
    own = subject.is_bound or any(
        isinstance(one, ast.Name) and one.id == "classmethod" for one in function.decorator_list
    )
    parameters = [*positional[1 if own else 0 :], *function.args.kwonlyargs]
    return FunctionCases(
        name=subject.target.symbol if subject.is_bound else name,
        called=name.replace(".", "_").strip("_").lower() if "." in name else name.strip("_"),
        need=callee.need,
        parameters=tuple((one.arg, _written(one.annotation)) for one in parameters),
        returns=_written(function.returns),
        outcomes=outcomes,
    )


def _written(annotation: ast.expr | None) -> str:
    return ast.unparse(annotation) if annotation is not None else ""
