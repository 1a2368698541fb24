"""The app on a scripted desk, driven by keys: no sleeps, everything waited for by what it leads to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from support.scripted_desk import ScriptedDesk, lay_out
from textual.pilot import Pilot

from tui.app import CodewitnessApp
from tui.screens.main import MainScreen

NARROW, WIDE = (80, 24), (140, 45)
PATIENCE_SECONDS = 20.0


def scripted(folder: Path, *scripts: list, **desk: object) -> ScriptedDesk:
    """A desk on the scripted workspace, laid out in a folder of its own."""
    return ScriptedDesk(lay_out(folder / "shop"), [list(script) for script in scripts], **desk)


def app_on(desk: ScriptedDesk, **options: object) -> CodewitnessApp:
    """The app, its clock standing still."""
    return CodewitnessApp(lambda tell, ask_consent: desk, clock=lambda: 0.0, **options)


@asynccontextmanager
async def opened(desk: ScriptedDesk, size: tuple[int, int] = WIDE) -> AsyncGenerator[Pilot]:
    """The app, with the workspace open and its state told."""
    app = app_on(desk)
    async with app.run_test(size=size) as pilot:
        await until(
            pilot,
            lambda: (
                main(pilot).query_one("StatusLine").backend or main(pilot).query_one("StatusLine").trouble
            ),
        )
        yield pilot


def main(pilot: Pilot) -> MainScreen:
    """The screen with the conversation."""
    return pilot.app._main


async def until(pilot: Pilot, reached: Callable[[], object]) -> None:
    """Let the app work until this is true."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not reached():
            await pilot.pause(0.01)


async def type_text(pilot: Pilot, text: str) -> None:
    """What is typed, as keys."""
    await pilot.press(*("space" if letter == " " else letter for letter in text))


async def ask(pilot: Pilot, question: str) -> None:
    """Type a question and send it; not its answer yet."""
    main(pilot).prompt.write(question)
    await pilot.press("enter")
    await until(pilot, lambda: not main(pilot).prompt.text)


async def answered(pilot: Pilot) -> None:
    """The end of the run, whichever it is, and all that it draws."""
    await until(pilot, lambda: main(pilot).conversation.newest and not main(pilot).running)
    await until(pilot, lambda: not main(pilot).query("ProgressLine"))
    await until(pilot, lambda: not reading(pilot) or main(pilot).pane.place)
    await pilot.pause()


def reading(pilot: Pilot) -> bool:
    """Whether the source is in sight."""
    return main(pilot).has_class("-reading")


def text_of(pilot: Pilot) -> str:
    """All that the screen on top shows, line by line."""
    screen = pilot.app.screen
    return "\n".join(
        "".join(segment.text for segment in strip).rstrip() for strip in screen._compositor.render_strips()
    )
