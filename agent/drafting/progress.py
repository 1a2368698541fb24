"""Work that tells how far it is by calling back, as events one by one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeVar

from agent.drafting.report import Drafting

Result = TypeVar("Result")
Tell = Callable[[Drafting], None]


class Told(Generic[Result]):
    """One piece of work; its `result` is there when its events have ended."""

    result: Result

    def __init__(self, work: Callable[[Tell], Awaitable[Result]]) -> None:
        self._work = work

    async def events(self) -> AsyncGenerator[Drafting, None]:
        """The events; what the work raises is raised here. Closing this ends the work."""
        steps: asyncio.Queue[Drafting | None] = asyncio.Queue()
        working = asyncio.ensure_future(self._work(steps.put_nowait))
        working.add_done_callback(lambda _: steps.put_nowait(None))
        try:
            while (step := await steps.get()) is not None:
                yield step
            self.result = await working
        finally:
            working.cancel()
            await asyncio.wait([working])
