"""Work that tells how far it is."""

import asyncio

import pytest

from agent.drafting.progress import Told
from agent.drafting.report import Drafting

STEP = Drafting("run", "a.py:f", 1, 2)


async def test_events_come_before_the_result():
    async def work(tell):
        tell(STEP)
        await asyncio.sleep(0)
        tell(STEP)
        return 7

    told = Told(work)
    assert [event async for event in told.events()] == [STEP, STEP]
    assert told.result == 7


async def test_what_the_work_raises_is_raised_after_its_events():
    async def work(tell):
        tell(STEP)
        raise ValueError("no")

    events = Told(work).events()
    assert await anext(events) == STEP
    with pytest.raises(ValueError, match="no"):
        await anext(events)


async def test_closing_ends_the_work():
    ended = asyncio.Event()

    async def work(tell):
        tell(STEP)
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    events = Told(work).events()
    assert await anext(events) == STEP
    await events.aclose()
    assert ended.is_set()
