"""Tests being drafted, and what came of it: what each pins down, what was not kept and why, the patch, and a key to write it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from agent.answer import Claim
from agent.drafting.report import DraftEvent, Drafting, DraftReport, TargetReport, TestsDrafted
from agent.phrases import Language
from tools.show import show_name
from tui.amounts import many
from tui.highlighting import highlighted, safe_lines
from tui.plain_drafting import STEPS, left_lines, outcome
from tui.spoken import DRAFTS, SPOKEN, SpokenDrafts
from tui.widgets.claim_view import ClaimView
from tui.widgets.exchange import Exchange
from tui.widgets.fold import Fold

OPEN_PATCH_LINES = 60
"""A longer patch is folded at first."""


class WriteLine(Static, can_focus=True):
    """Writes the drafted files, on the person's own key."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "write", "Write the files")]
    DEFAULT_CSS = """
    WriteLine {
        width: auto; max-width: 100%; height: auto; padding: 0 1; color: $text-warning; text-style: bold; pointer: pointer;
        &:hover { background: $boost; }
        &:focus { background: $warning; color: $background; }
    }
    """

    class Wanted(Message):
        """The person wants the files written."""

        def __init__(self, line: WriteLine, report: DraftReport) -> None:
            super().__init__()
            self.line = line
            self.report = report

    def __init__(self, report: DraftReport) -> None:
        names = ", ".join(show_name(file.path) for file in report.files)
        super().__init__(Content(f"▸ write {names}   (F8; nothing is written before)"))
        self._report = report

    def action_write(self) -> None:
        """Say so."""
        self.post_message(self.Wanted(self, self._report))

    def on_click(self) -> None:
        """A click does what Enter does."""
        self.action_write()


class DraftingView(Exchange):
    """One drafting, as it goes on and when it is done."""

    DEFAULT_CSS = """
    DraftingView {
        .target { text-style: bold; height: auto; }
        .left { color: $text-muted; height: auto; margin-bottom: 1; padding-left: 2; }
        .patch { height: auto; color: $foreground; }
        .warning { color: $text-warning; height: auto; }
    }
    """

    def __init__(self, target: str, clock: Callable[[], float], language: Language) -> None:
        super().__init__(target, clock, "draft", f"Draft tests: {target}", SPOKEN[language])
        self._words = DRAFTS[language]

    async def take_drafting(self, event: DraftEvent) -> None:
        """Draw what one event tells."""
        match event:
            case Drafting(step, target, done, total):
                count = f" {done}/{total}" if total > 1 else ""
                self.progress.say(f"{STEPS[step]}{count}: {target}")
            case TestsDrafted(report):
                await self._drafted(report)
            case _:
                await self.take(event)

    async def _drafted(self, report: DraftReport) -> None:
        await self.end()
        lines = safe_lines(report.patch.rstrip("\n").split("\n"))
        coloured = await asyncio.to_thread(highlighted, "draft.diff", lines)
        for claim in _claims(report):
            self.cite(claim)
        await self.rest.mount(Account(report, self._words))
        if report.files:
            patch = Content("\n").join(coloured or [Content(line) for line in lines])
            fold = Fold(f"the patch, {many(len(lines), 'line')}", [Static(patch, classes="patch")])
            await self.rest.mount(fold, WriteLine(report))
            fold.open = len(lines) <= OPEN_PATCH_LINES


class Account(Vertical):
    """What was drafted, target by target."""

    DEFAULT_CSS = """
    Account { height: auto; margin-bottom: 1; }
    """

    def __init__(self, report: DraftReport, words: SpokenDrafts) -> None:
        super().__init__()
        self._report = report
        self._words = words

    def compose(self) -> ComposeResult:
        report = self._report
        if report.style:
            style = [ClaimView(claim) for claim in report.style]
            yield Fold(Content(f"{self._words.style}: {len(style)}"), style)
        for target in report.targets:
            yield from self._target(target)
        if report.command:
            ran = f"{show_name(report.command)} ({show_name(report.isolation)}), {report.seconds:.1f} s"
            yield Static(Content(ran), classes="left")
        for warning in report.warnings:
            yield Static(Content(f"! {show_name(warning)}"), classes="warning")

    def _target(self, target: TargetReport) -> ComposeResult:
        told = f"{show_name(target.place)}  {outcome(target, self._words)}"
        yield Static(Content(told), classes="target")
        for claim in target.pins:
            yield ClaimView(claim)
        if target.contract:
            body = [ClaimView(claim) for claim in target.contract]
            yield Fold(many(len(body), "statement about the target", "statements about the target"), body)
        if left := [line.plain.strip() for line in left_lines(target, self._words)]:
            yield Static(Content("\n".join(left)), classes="left")


def _claims(report: DraftReport) -> list[Claim]:
    """All that is shown, in the order of the screen."""
    of_targets = [claim for one in report.targets for claim in (*one.pins, *one.contract)]
    return [*of_targets, *report.style]
