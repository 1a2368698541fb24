"""The `/` commands of the prompt: what each is called, what it says about itself, what it does."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from tools.errors import UserError
from tools.show import show_name
from tui.themes import OFFERED
from tui.widgets.note import Note
from tui.widgets.problem import Problem
from tui.widgets.status_line import StatusLine
from tui.widgets.welcome import Welcome

if TYPE_CHECKING:
    from agent.followed import Thinking
    from tui.screens.main import MainScreen
    from tui.widgets.exchange import Kind

BACKENDS = ("auto", "ollama", "openai", "extractive")
THINKING = ("on", "off", "low", "medium", "high", "max")
ONE_AT_A_TIME = "One question at a time: Esc stops the one that is being answered."
COMMAND_OF: Mapping[Kind, str] = {
    "ask": "",
    "explain": "/explain ",
    "test": "/explain ",
    "draft": "/draft-tests ",
}
"""How each kind of question is typed."""
MOST_REPORT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what may follow it, and what it does."""

    argument: str
    help: str


COMMANDS: Mapping[str, Command] = {
    "ask": Command("QUESTION", "answer a question (as typing it without /ask does)"),
    "explain": Command(
        "REPORT|FILE|TEST", "explain a failure: a pasted traceback, a file, or a test to be run"
    ),
    "draft-tests": Command("TARGET", "draft unit tests for `path:symbol`, or for `--changed [REVISION]`"),
    "search": Command("WORDS", "search without a model, results while you type"),
    "sessions": Command("", "earlier conversations: go on with one, or delete it"),
    "clear": Command("", "begin a new conversation"),
    "retry": Command("[MODEL]", "ask the last question again, with another model if named"),
    "edit": Command("", "put the last question back into the prompt"),
    "filter": Command(
        "[area:… language:… path:…]", "search these files only; nothing behind it lifts the filter"
    ),
    "model": Command("[NAME]", "who answers and who could; or let another model or backend answer"),
    "think": Command("[on|off|LEVEL]", "let the model think first; shown folded, unverified"),
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
        name, argument = parted(line)
        try:
            await getattr(self, f"_{name.replace('-', '_')}")(argument)
        except UserError as error:
            await self._screen.say(Problem(error))

    async def _ask(self, question: str, kind: Kind = "ask") -> None:
        if not question:
            await self._screen.say("/ask needs a question behind it")
        elif self._screen.running:
            await self._screen.say(ONE_AT_A_TIME)
        else:
            await self._screen.ask(question, kind)

    async def _explain(self, report: str) -> None:
        if not report:
            await self._screen.say(
                "/explain needs a traceback pasted behind it, a file that holds one, or a test (`tests/test_cart.py::test_total`)"
            )
        elif "\n" not in report and "::" in report and " " not in report:
            await self._ask(report, "test")
        else:
            root = (await self._screen.app.opened()).root
            await self._ask(await asyncio.to_thread(_report, root, report), "explain")

    async def _draft_tests(self, target: str) -> None:
        if target:
            await self._ask(target, "draft")
        else:
            await self._screen.say(
                "/draft-tests needs `path:symbol`, a path, a symbol, or `--changed [REVISION]`"
            )

    async def _edit(self, _: str) -> None:
        if newest := self._screen.conversation.newest:
            self._screen.edit(newest)
        else:
            await self._screen.say("there is no question yet to edit")

    async def _filter(self, typed: str) -> None:
        from tui.search_words import filters_of

        filters_of(typed)
        self._screen.keep_to(typed)

    async def _think(self, level: str) -> None:
        desk = await self._screen.app.opened()
        if level and level not in THINKING:
            await self._screen.say(f"/think takes {', '.join(THINKING)}")
            return
        if level:
            await desk.use_thinking(_thinking(level))
        now = desk.thinking if isinstance(desk.thinking, str) else "on" if desk.thinking else "off"
        await self._screen.say(
            f"thinking: {now} (of models that can; it is shown folded, and nothing in it is verified)"
        )

    async def _search(self, words: str) -> None:
        self._screen.app.action_search(words)

    async def _sessions(self, _: str) -> None:
        self._screen.app.action_sessions()

    async def _clear(self, _: str) -> None:
        if self._screen.running:
            await self._screen.say(ONE_AT_A_TIME)
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
        await self._screen.repeat(newest)

    async def _model(self, name: str) -> None:
        from tui.plain import described

        desk = await self._screen.app.opened()
        if not name:
            info = await desk.backend()
            more = "".join(f"\n{show_name(key)}: {show_name(value)}" for key, value in info.details.items())
            await self._screen.say(f"{described(info)} answers{more}\n{await self._others()}")
            return
        changes = {"backend": name, "name": ""} if name in BACKENDS else {"name": name}
        info = await desk.use_model(**changes)
        self._screen.app.refresh_status()
        await self._screen.say(f"{described(info)} answers from now on")

    async def _others(self) -> str:
        """Who else could answer, and how to get a model."""
        backends = f"backends: {', '.join(BACKENDS)}"
        try:
            models = await (await self._screen.app.opened()).models()
        except UserError as error:
            return f"{backends}\nno models are listed: {show_name(error.cause)}"
        listed = (
            ", ".join(map(show_name, models))
            or "none; `codewitness setup` in a terminal pulls one, with its size and progress"
        )
        return f"models here: {listed}\n{backends}"

    async def _index(self, _: str) -> None:
        from tui.index_lines import status_lines

        status = await (await self._screen.app.opened()).index_status()
        await self._screen.say("\n".join(status_lines(status)))
        if trouble := self._screen.query_one(StatusLine).index_trouble:
            await self._screen.say(Problem(trouble))

    async def _export(self, file: str) -> None:
        from tui.export import as_markdown

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


def parted(line: str) -> tuple[str, str]:
    """A command's name, and what stands behind it; lines of a report keep their indentation."""
    name, *rest = line[1:].split(maxsplit=1)
    return name, rest[0].rstrip() if rest else ""


def is_command(line: str) -> bool:
    """Whether this is a command; a path that begins with a slash is none."""
    return line.startswith("/") and bool(line[1:].split()) and parted(line)[0] in COMMANDS


def _thinking(level: str) -> Thinking:
    match level:
        case "low" | "medium" | "high" | "max":
            return level
        case _:
            return level == "on"


def _report(root: Path, text: str) -> str:
    """The report: the text itself, or what is in the file that it names. Raises: UserError."""
    if "\n" in text or len(text) > 1000:
        return text
    try:
        path = root / Path(text).expanduser()
        if not path.is_file():
            return text
        with path.open("rb") as file:
            return file.read(MOST_REPORT_BYTES).decode("utf-8", "replace").removeprefix("\ufeff")
    except (OSError, ValueError, RuntimeError) as problem:
        raise UserError(
            f"`{show_name(text)}` cannot be read",
            cause=str(problem),
            hint="paste the traceback behind /explain",
        ) from None


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
