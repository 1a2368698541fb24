"""How every screen and state looks, narrow and wide, dark and light. `make snapshots` accepts what has changed."""

import asyncio

import pytest
from support.app_driving import answered, app_on, ask, main, reading, scripted, text_of, type_text, until
from support.scripted_desk import QUESTION, answering, finding_nothing, kept, looking

from agent.errors import ModelUnavailable

GONE = ModelUnavailable(
    "the model server at `http://127.0.0.1:11434` stopped answering",
    cause="the connection was reset",
    hint="start it with `ollama serve`, then /retry",
)
KEPT = [
    kept("a", "How is the session cookie signed?", "And who calls it?"),
    kept("b", "Where is VAT decided?"),
]
LOOKS = [
    ((80, 24), "codewitness-dark"),
    ((140, 45), "codewitness-dark"),
    ((80, 24), "codewitness-light"),
    ((140, 45), "codewitness-light"),
]


async def empty(pilot): ...


async def an_answer(pilot):
    await ask(pilot, QUESTION)
    await answered(pilot)
    if reading(pilot):
        await until(pilot, lambda: main(pilot).pane.source._coloured)


async def the_source(pilot):
    await an_answer(pilot)
    await pilot.press("ctrl+o")
    source = main(pilot).pane.source
    await until(pilot, lambda: source.has_focus and source._coloured)
    await pilot.press("down", "down", "right")


async def running(pilot):
    await ask(pilot, QUESTION)
    await until(pilot, lambda: "15 results" in text_of(pilot))


async def withheld(pilot):
    await an_answer(pilot)
    await pilot.press("f4")


async def search(pilot):
    await pilot.press("ctrl+f")
    await until(pilot, lambda: pilot.app.screen.query("#preview"))
    await type_text(pilot, "sign")
    preview = pilot.app.screen.query_one("#preview")
    await until(pilot, lambda: "2 places" in text_of(pilot) and preview._coloured)


async def sessions(pilot):
    await pilot.press("ctrl+r")
    await until(pilot, lambda: "2 conversations" in text_of(pilot))


async def help_page(pilot):
    await pilot.press("f1")


async def completing(pilot):
    await type_text(pilot, "what is @se")
    await until(pilot, lambda: "class in" in text_of(pilot))


async def commands(pilot):
    await pilot.press("slash")
    await until(pilot, lambda: "without a model" in text_of(pilot))


STATES = {
    "empty": (empty, []),
    "answer": (an_answer, [answering()]),
    "source": (the_source, [answering()]),
    "no_evidence": (an_answer, [finding_nothing()]),
    "running": (running, [[*looking(), "wait"]]),
    "failed": (an_answer, [[*looking(), GONE]]),
    "withheld": (withheld, [answering()]),
    "search": (search, []),
    "sessions": (sessions, []),
    "help": (help_page, []),
    "completing": (completing, []),
    "commands": (commands, []),
}
MATTERS_MOST = ("answer", "source")
"""Drawn in every size and theme; the others narrow and dark, wide and light."""
CASES = [
    pytest.param(state, size, theme, id=f"{state}-{size[0]}x{size[1]}-{theme.removeprefix('codewitness-')}")
    for state in STATES
    for size, theme in (LOOKS if state in MATTERS_MOST else (LOOKS[0], LOOKS[3]))
]


@pytest.mark.parametrize(("state", "size", "theme"), CASES)
def test_it_looks_as_accepted(state, size, theme, tmp_path, snap_compare):
    reach, scripts = STATES[state]

    async def before(pilot):
        status = main(pilot).query_one("StatusLine")
        await until(pilot, lambda: status.backend and status.index)
        await reach(pilot)
        await pilot.pause()

    steps = [[asyncio.Event() if step == "wait" else step for step in script] for script in scripts]
    app = app_on(scripted(tmp_path, *steps, kept=list(KEPT)), theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=before)
