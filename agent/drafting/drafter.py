"""From targets to drafted tests: look around, find the contract, draft, run and judge, tell. The file to read first.

Targets of one source file share one new test file. What is kept of a draft is the judge's decision alone; where nothing
can be kept, a scaffold is written that skips itself.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from agent.answer import Claim
from agent.backends.base import Backend
from agent.drafting.account import Account
from agent.drafting.by_model import ModelDrafts, Written
from agent.drafting.by_rules import Characteriser
from agent.drafting.characterised import RuleDrafts
from agent.drafting.contract import Contract, contract_of
from agent.drafting.judged import Court
from agent.drafting.patch import patch_of
from agent.drafting.progress import Told
from agent.drafting.python_module import PythonModules
from agent.drafting.python_tests import FunctionCases, write_tests
from agent.drafting.report import (
    DraftedFile,
    DraftEvent,
    Drafting,
    DraftReport,
    DraftRequest,
    TargetReport,
    TestsDrafted,
    place_of,
)
from agent.drafting.scaffolds import Begun, scaffold
from agent.drafting.surroundings import Surroundings, Surveyor
from agent.drafting.writing import exists
from agent.ledger import Ledger
from agent.phrases import load_phrases
from tools.drafting.bench import Bench
from tools.drafting.judge import Judge, JudgeOptions
from tools.drafting.target import Target, TargetUnknown, changed_targets, find_targets
from tools.git import NotARepository, open_repository
from tools.index.catalog import Catalog
from tools.index.chunk_workers import ChunkWorkers
from tools.suite import Suite
from tools.workspace import Workspace

_JUDGING = JudgeOptions(seconds=300.0, round_seconds=60.0)
"""For one target: a dozen seconds where nothing else runs, but a busy machine must not cost a good test."""


@dataclass(frozen=True)
class DraftParts:
    """What drafting works with."""

    workspace: Workspace
    catalog: Catalog
    workers: ChunkWorkers
    suite: Suite
    backend: Backend
    model: ModelDrafts | None = None
    """None: no model, drafts are made by rules."""


@dataclass
class _Drafted:
    """Of one source file, so far."""

    reports: list[TargetReport] = field(default_factory=list[TargetReport])
    cases: list[FunctionCases] = field(default_factory=list[FunctionCases])
    files: list[DraftedFile] = field(default_factory=list[DraftedFile])
    command: str = ""
    isolation: str = ""

    def ran(self, command: str, isolation: str) -> None:
        """Note what ran a draft, if anything did."""
        if command:
            self.command, self.isolation = command, isolation


def drafting_targets(workspace: Workspace, catalog: Catalog, request: DraftRequest) -> tuple[Target, ...]:
    """What a request asks tests for. Raises: TargetUnknown."""
    if request.changed is not None:
        try:
            return changed_targets(workspace, catalog, open_repository(workspace.root), request.changed)
        except NotARepository as why:
            raise TargetUnknown(
                "the changes cannot be found",
                cause=str(why),
                hint="name a target: `path:symbol`, `path` or a symbol",
            ) from why
    return find_targets(catalog, request.target)


class Drafter:
    """Drafts tests for one request."""

    def __init__(self, parts: DraftParts, request: DraftRequest) -> None:
        self._parts = parts
        self._request = request
        self._phrases = load_phrases()[request.language]
        self._modules = PythonModules(parts.workspace, parts.catalog)
        self._surveyor = Surveyor(parts.workspace, parts.catalog, self._modules)
        self._placed: set[str] = set()
        """Where drafts of this request go already."""
        self._account = Account(parts.workspace, parts.catalog, parts.workers, Ledger(), self._phrases)
        self._court = Court(Judge(parts.workspace, parts.suite, _JUDGING), parts.suite, self._phrases)
        characteriser = Characteriser(
            parts.workspace, self._modules, Bench(parts.workspace, parts.suite), self._phrases
        )
        self._rules = RuleDrafts(characteriser, self._court, self._account)

    async def draft(self, targets: Sequence[Target]) -> AsyncGenerator[DraftEvent, None]:
        """Every event; the last is `TestsDrafted`.

        Raises: ConsentRefused, TestsUnusable, ModelUnavailable, DraftExists.
        """
        started = time.monotonic()
        drafted: list[_Drafted] = []
        style: dict[str, Claim] = {}
        learnt = False
        for group in _by_file(self._methods(targets)):
            yield Drafting("style", place_of(group[0]))
            around = self._around(group)
            learnt = learnt or bool(around.tests)
            claims = await self._surveyor.claims(around, group, self._account)
            style |= {claim.text: claim for claim in claims}
            one = _Drafted()
            drafted.append(one)
            async with aclosing(self._file(group, around, tuple(claims), one)) as events:
                async for event in events:
                    yield event
        yield TestsDrafted(self._report(drafted, tuple(style.values()), learnt, time.monotonic() - started))

    def _around(self, group: Sequence[Target]) -> Surroundings:
        around = self._surveyor.around(group, self._placed)
        self._placed.add(around.place.path)
        if around.replaces is not None and not self._request.replace:
            raise exists(around.place.path)
        return around

    async def _file(
        self, group: Sequence[Target], around: Surroundings, style: tuple[Claim, ...], drafted: _Drafted
    ) -> AsyncGenerator[DraftEvent, None]:
        contracts: dict[Target, Contract] = {}
        written: list[Written] = []
        for target in group:
            yield Drafting("contract", place_of(target))
            contracts[target] = contract = await contract_of(
                target, self._parts.catalog, self._modules, self._account
            )
            if self._parts.model is None or target.language != "python":
                events = self._by_rules(target, contract, around, drafted)
            else:
                events = self._by_model(target, contract, around, style, drafted, written)
            async with aclosing(events):
                async for event in events:
                    yield event
        drafted.files += self._files(group, contracts, around, drafted, written)

    async def _by_rules(
        self, target: Target, contract: Contract, around: Surroundings, drafted: _Drafted
    ) -> AsyncGenerator[DraftEvent, None]:
        told = Told(lambda tell: self._rules.draft(target, contract, around, tell))
        async with aclosing(told.events()) as events:
            async for event in events:
                yield event
        result = told.result
        drafted.reports.append(result.report)
        drafted.ran(result.command, result.isolation)
        if result.cases is not None:
            drafted.cases.append(result.cases)

    async def _by_model(
        self,
        target: Target,
        contract: Contract,
        around: Surroundings,
        style: tuple[Claim, ...],
        drafted: _Drafted,
        written: list[Written],
    ) -> AsyncGenerator[DraftEvent, None]:
        assert self._parts.model is not None
        own = (
            around
            if not written
            else replace(around, place=replace(around.place, path=_numbered(around, len(written) + 1)))
        )
        drafting = self._parts.model.begin(target, contract, own, style, self._account, self._court)
        async with aclosing(drafting.events()) as events:
            async for event in events:
                yield event
        drafted.reports.append(drafting.report)
        drafted.ran(drafting.command, drafting.isolation)
        if drafting.written is not None:
            written.append(drafting.written)

    def _files(
        self,
        group: Sequence[Target],
        contracts: Mapping[Target, Contract],
        around: Surroundings,
        drafted: _Drafted,
        written: Sequence[Written],
    ) -> list[DraftedFile]:
        if drafted.cases:
            text, tests = write_tests(drafted.cases, around.style)
            return [self._drafted_file(around, around.place.path, text, tuple(test.name for test in tests))]
        if written:
            return [self._drafted_file(around, one.path, one.text, one.tests) for one in written]
        begun = Begun(
            group[0],
            contracts[group[0]],
            around.place.path,
            (self._surveyor.text(around.near) or "") if around.near else "",
            around.style,
            self._modules.name_of(group[0].path) if group[0].language == "python" else "",
        )
        text = scaffold(begun)
        if not text:
            return []
        drafted.reports[0] = replace(drafted.reports[0], outcome="scaffold")
        return [replace(self._drafted_file(around, around.place.path, text, ()), unfinished=True)]

    def _drafted_file(
        self, around: Surroundings, path: str, text: str, tests: tuple[str, ...]
    ) -> DraftedFile:
        before = around.replaces if path == around.place.path else None
        return DraftedFile(path, text.replace("\n", around.newline), before, tests=tests)

    def _methods(self, targets: Sequence[Target]) -> list[Target]:
        """The targets, of a class its methods that others may call."""
        found: list[Target] = []
        for target in targets:
            here = [
                one
                for one in self._parts.catalog.definitions_in(target.path)
                if one.kind == "method" and one.qualified_name.startswith(f"{target.qualified_name}.")
            ]
            inside = [one for one in here if not one.name.startswith("_")]
            found += [
                Target(
                    one.path,
                    one.name,
                    one.qualified_name,
                    one.language,
                    one.first_line,
                    one.last_line,
                    one.signature,
                )
                for one in inside
            ] or [target]
        return list(dict.fromkeys(found))

    def _report(
        self, drafted: Sequence[_Drafted], style: tuple[Claim, ...], learnt: bool, seconds: float
    ) -> DraftReport:
        files = tuple(file for one in drafted for file in one.files)
        reports = tuple(report for one in drafted for report in one.reports)
        if not drafted:
            return self._empty(seconds)
        warnings = [] if learnt else [self._phrases.write("draft_no_style")]
        if any(report.characterisation for report in reports):
            warnings.append(self._phrases.write("draft_warn_characterised"))
        if any(report.outcome == "kept" and not report.characterisation for report in reports):
            warnings.append(self._phrases.write("draft_warn_model"))
        warnings += [
            self._phrases.write("draft_warn_scaffold", path=file.path) for file in files if file.unfinished
        ]
        return DraftReport(
            targets=reports,
            files=files,
            patch=patch_of(files),
            style=style,
            backend=self._parts.backend.info,
            seconds=round(seconds, 3),
            command=next((one.command for one in drafted if one.command), ""),
            isolation=next((one.isolation for one in drafted if one.isolation), ""),
            warnings=tuple(warnings),
        )

    def _empty(self, seconds: float) -> DraftReport:
        """Of a request that nothing fits: no function changed."""
        none = self._phrases.write("draft_none_changed")
        return DraftReport((), (), "", (), self._parts.backend.info, round(seconds, 3), warnings=(none,))


def _by_file(targets: Sequence[Target]) -> list[list[Target]]:
    by_path: dict[str, list[Target]] = {}
    for target in targets:
        by_path.setdefault(target.path, []).append(target)
    return list(by_path.values())


def _numbered(around: Surroundings, number: int) -> str:
    stem, _, suffix = around.place.path.rpartition(".")
    return f"{stem}_{number}.{suffix}"
