"""What a whole answer adds below its claims: steps, files to review, how it came about."""

from __future__ import annotations

from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from agent.answer import Answer
from tools.show import show, show_name
from tui.places import Place
from tui.plain import summary_lines
from tui.prose import prose
from tui.spoken import Spoken
from tui.widgets.place_link import PlaceLink


class Closing(Vertical):
    """The end of an answer."""

    DEFAULT_CSS = """
    Closing {
        height: auto;
        Static { height: auto; }
        .section { text-style: bold; }
        .list { margin-bottom: 1; padding-left: 2; }
        .note { color: $text-muted; }
        PlaceLink { margin-left: 1; }
    }
    """

    def __init__(self, answer: Answer, spoken: Spoken) -> None:
        super().__init__()
        self._answer = answer
        self._spoken = spoken

    def compose(self) -> ComposeResult:
        answer = self._answer
        if answer.steps:
            yield Static(Content(self._spoken.steps), classes="section")
            steps = [Content.assemble(f"{n}. ", prose(step)) for n, step in enumerate(answer.steps, 1)]
            yield Static(Content("\n").join(steps), classes="list")
        if answer.files_to_review:
            yield Static(Content(self._spoken.files_to_review), classes="section")
            for file in answer.files_to_review:
                yield PlaceLink(Place(file.path, 1, 1), file.why)
            yield Static()
        if answer.notice:
            yield Static(Content(show(answer.notice)), classes="note")
        told_below = replace(answer, withheld=())  # by a line that unfolds
        for line in summary_lines(told_below, verbose=True):
            yield Static(Content(show_name(line)), classes="note")
