"""The `/` commands of the prompt: what each is called, what it says about itself, what it does."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from tools.errors import UserError
from tools.show import show_name
from tui.export import as_markdown
from tui.plain import described
from tui.themes import OFFERED
from tui.widgets.note import Note
from tui.widgets.problem import Problem
from tui.widgets.status_line import StatusLine
from tui.widgets.welcome import Welcome

if TYPE_CHECKING:
    from tui.screens.main import MainScreen

BACKENDS = ("auto", "ollama", "openai", "extractive")


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what may follow it, and what it does."""

    argument: str
    help: str


COMMANDS: Mapping[str, Command] = {
    "ask": Command("QUESTION", "answer a question (as typing it without /ask does)"),
    "search": Command("WORDS", "search without a model, results while you type"),
    "sessions": Command("", "earlier conversations: go on with one, or delete it"),
    "clear": Command("", "begin a new conversation"),
    "retry": Command("[MODEL]", "ask the last question again, with another model if named"),
    "model": Command("[NAME]", "say who answers, or let another model or backend answer"),
    "index": Command("", "what is indexed, what is skipped and why"),
    "export": Command("[FILE]", "write this conversation to a Markdown file"),
    "copy": Command("", "copy the last answer as Markdown"),
    "theme": Command("[NAME]", "colours: " + ", ".join(OFFERED)),
    "doctor": Command("", "check this machine, with a remedy for what is missing"),
    "help": Command("", "every key and command"),
    "quit": Command("", "leave; everything is kept"),
}


class Slash:
    """Carries the commands out on the main screen."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen

    async def run(self, line: str) -> None:
        """Carry out one line that begins with a known command; what goes wrong is shown in the conversation."""
        name, _, argument = line[1:].partition(" ")
        try:
            await getattr(self, f"_{name}")(argument.strip())
        except UserError as error:
            await self._screen.say(Problem(error))

    async def _ask(self, question: str) -> None:
        if not question:
            await self._screen.say("/ask needs a question behind it")
        elif self._screen.running:
            await self._screen.say("one question at a time: Esc stops the one that is being answered")
        else:
            await self._screen.ask(question)

    async def _search(self, words: str) -> None:
        self._screen.app.action_search(words)

    async def _sessions(self, _: str) -> None:
        self._screen.app.action_sessions()

    async def _clear(self, _: str) -> None:
        if self._screen.running:
            await self._screen.say("a question is being answered: Esc stops it")
            return
        (await self._screen.app.opened()).forget()
        await self._screen.conversation.clear()
        self._screen.pane.close()
        await self._screen.say(Welcome())

    async def _retry(self, model: str) -> None:
        newest = self._screen.conversation.newest
        if newest is None:
            await self._screen.say("there is no question yet to ask again")
            return
        if model:
            await self._model(model)
        await self._ask(newest.question)

    async def _model(self, name: str) -> None:
        desk = await self._screen.app.opened()
        if not name:
            info = await desk.backend()
            more = "".join(f"\n{show_name(key)}: {show_name(value)}" for key, value in info.details.items())
            await self._screen.say(f"{described(info)} answers{more}")
            return
        changes = {"backend": name, "name": ""} if name in BACKENDS else {"name": name}
        info = await desk.use_model(**changes)
        self._screen.app.refresh_status()
        await self._screen.say(f"{described(info)} answers from now on")

    async def _index(self, _: str) -> None:
        from tui.index_lines import status_lines

        status = await (await self._screen.app.opened()).index_status()
        await self._screen.say("\n".join(status_lines(status)))
        if trouble := self._screen.query_one(StatusLine).index_trouble:
            await self._screen.say(Problem(trouble))

    async def _export(self, file: str) -> None:
        answers = [one.answer for one in self._screen.conversation.exchanges if one.answer is not None]
        if not answers:
            await self._screen.say("there is no answer yet to export")
            return
        path = _write_new(file, as_markdown(answers))
        many = "1 answer" if len(answers) == 1 else f"{len(answers)} answers"
        await self._screen.say(f"wrote {many} to {show_name(str(path))}")

    async def _copy(self, _: str) -> None:
        self._screen.action_copy_answer()

    async def _theme(self, name: str) -> None:
        app = self._screen.app
        if name in OFFERED:
            app.theme = name
        else:
            await self._screen.say(f"now {app.theme}; there are {', '.join(OFFERED)}")

    async def _doctor(self, _: str) -> None:
        await self._screen.say("checking this machine…")
        checks = await (await self._screen.app.opened()).examine()
        lines = [
            Content.assemble(
                ("✓ ", "$text-success")
                if check.passed
                else ("✗ ", "$text-error" if check.required else "$text-warning"),
                (show_name(check.name), "bold"),
                f"  {show_name(check.found)}",
                f"\n    {show_name(check.remedy)}" if check.remedy and not check.passed else "",
            )
            for check in checks
        ]
        await self._screen.say(Note(Content("\n").join(lines)))

    async def _help(self, _: str) -> None:
        self._screen.app.action_help()

    async def _quit(self, _: str) -> None:
        self._screen.app.exit()


def _free_name(folder: Path) -> Path:
    """A name that is not taken; home, since nothing is ever written into a workspace by itself."""
    number = 1
    while (path := folder / f"codewitness-{number}.md").exists():
        number += 1
    return path


def _write_new(file: str, text: str) -> Path:
    """Write a file that did not exist; where it is. Raises: UserError."""
    path = (Path(file).expanduser() if file else _free_name(Path.home())).absolute()
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as problem:
        raise UserError(
            f"the conversation was not written to `{path}`",
            cause=problem.strerror or str(problem),
            hint="name a file that does not exist yet in a folder that does: `/export FILE`",
        ) from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(text)
    return path
