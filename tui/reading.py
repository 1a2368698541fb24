"""Reads places for the evidence pane: which citation of how many, back to what was read before, whether a file changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tools.errors import UserError
from tui.desk import Desk
from tui.highlighting import safe_lines
from tui.places import Place

if TYPE_CHECKING:
    from agent.news import Enclosing
    from tui.widgets.evidence_pane import EvidencePane

MOST_STEPS_BACK = 50


class Reading:
    """What the pane shows, and how it came there. Used in the app's own thread, one call at a time."""

    def __init__(self, pane: EvidencePane) -> None:
        self._pane = pane
        self._places: list[Place] = []
        self._at = 0
        self._before: list[tuple[list[Place], int]] = []
        self._stamp: object = None

    @property
    def place(self) -> Place | None:
        """What is shown, or would be."""
        return self._places[self._at] if self._places else None

    @property
    def places(self) -> list[Place]:
        """What next and previous go through."""
        return self._places

    def offer(self, places: list[Place]) -> bool:
        """These can be read; nothing is shown yet. True when they are others than before, not only more of them."""
        others = self._places[:1] != places[:1]
        self._places = list(places)
        if others:
            self._at = 0
        return others

    async def open(self, desk: Desk, place: Place, among: list[Place]) -> None:
        """Show a place; next and previous go through the others, back to what was shown before."""
        if self._pane.place is not None and self._places:
            self._before = [*self._before, (self._places, self._at)][-MOST_STEPS_BACK:]
        self._places = among if place in among else [place]
        self._at = self._places.index(place)
        await self.show(desk)

    async def turn(self, desk: Desk, by: int) -> None:
        """The next or previous one, around the ends."""
        if self._places:
            self._at = (self._at + by) % len(self._places)
            await self.show(desk)

    async def back(self, desk: Desk) -> None:
        """What was shown before."""
        if self._before:
            self._places, self._at = self._before.pop()
            await self.show(desk)

    async def check(self, desk: Desk) -> bool:
        """Show the file anew if it changed since it was read; whether it did."""
        place = self._pane.place
        if place is None or self._stamp is None or await desk.stamp(place.path) == self._stamp:
            return False
        await self.show(desk)
        return True

    async def show(self, desk: Desk) -> None:
        """Read the file and show it, then say what the lines are part of; the colours follow."""
        from tools.workspace import Unreadable  # its libraries come after the first paint

        place = self.place
        if place is None:
            return
        try:
            self._stamp = await desk.stamp(place.path)
            file = await desk.read(place.path)
        except Unreadable as error:
            self._stamp = None
            self._pane.show_nothing(place, f"this file cannot be read: {error.reason}")
            return
        lines = await asyncio.to_thread(safe_lines, file.lines)
        stale = _is_stale(place, file.lines, file.sha256)
        self._pane.show_place(place, lines, stale=stale, number=self._at + 1, count=len(self._places))
        self._pane.say_where(await _enclosing(desk, place))
        self._pane.colour(place, lines)


async def _enclosing(desk: Desk, place: Place) -> Enclosing | None:
    try:
        return await desk.enclosing(place.path, place.first_line)
    except UserError:  # the index is not there: only the heading is poorer
        return None


def _is_stale(place: Place, lines: tuple[str, ...], sha256: str) -> bool:
    """Whether the lines that were shown are no longer what stands there. A change elsewhere in the file is none."""
    if not place.sha256 or place.sha256 == sha256:
        return False
    return "\n".join(lines[place.first_line - 1 : place.last_line]) != place.text
