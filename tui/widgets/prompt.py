"""Where questions are typed: several lines, history, `@` for files and symbols, `/` for commands."""

from __future__ import annotations

import re
from typing import ClassVar, Literal, TypeAlias

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from tools.show import show
from tui.widgets.completions import Completions

_WORD = re.compile(r"(?:(?<=\s)|^)@([^\s@]*)$")
_COMMAND = re.compile(r"^/([a-z-]*)$")
_ARGUMENT = re.compile(r"^/((?:model|retry|theme|think|filter) .*)$")

Wanted: TypeAlias = Literal["command", "argument", "word", "report", ""]
"""What may be completed: a command, what follows one, an `@` word, a report that was pasted; "": nothing."""


class Prompt(TextArea):
    """Enter asks; Ctrl-J, Shift-Enter and Alt-Enter begin a new line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Ask", priority=True),
        Binding("ctrl+j,shift+enter,alt+enter", "newline", "New line", show=False),
        Binding("tab", "complete", "Complete", show=False),
        Binding("up", "earlier", "Earlier question", show=False),
        Binding("down", "later", "Later question", show=False),
    ]
    DEFAULT_CSS = """
    Prompt {
        height: auto; max-height: 8; padding: 0 1; border: round $foreground 30%; background: $background;
        &:focus { border: round $primary; background: $background; }
    }
    """

    class Submitted(Message):
        """The person asks this."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class CompletionWanted(Message):
        """What stands before the cursor may be completed."""

        def __init__(self, kind: Wanted, start: str) -> None:
            super().__init__()
            self.kind = kind
            self.start = start

    class Interrupted(Message):
        """Ctrl-C, with nothing selected that could be copied."""

    def __init__(self, completions: Completions, *, id: str) -> None:
        super().__init__(
            id=id,
            highlight_cursor_line=False,
            placeholder="Ask about this code.  @ file or symbol   / command   F1 help",
        )
        self.cursor_blink = False
        self.history_of_questions: list[str] = []
        self._at = 0
        """Place in the history, counted from its end; 0 is what is being typed."""
        self._typed = ""
        self._completions = completions
        self._pasted = False
        """Several lines were pasted into what stands there: it may be a report of a failure."""

    def action_submit(self) -> None:
        """Take the marked completion, else ask."""
        if self._take_completion() or not self.text.strip():
            return
        self.post_message(self.Submitted(self.text.strip()))

    def accept(self, text: str) -> None:
        """The question was taken: empty the prompt and remember it."""
        if not self.history_of_questions or self.history_of_questions[-1] != text:
            self.history_of_questions.append(text)
        self._at = 0
        self.write("")

    def write(self, text: str) -> None:
        """Put this in place of what stands there."""
        self._pasted = False
        self.load_text(show(text))
        self.move_cursor(self.document.end)

    def action_newline(self) -> None:
        """Begin a new line."""
        self.insert("\n")

    def action_complete(self) -> None:
        """Take the marked completion; without one, go on to the next widget."""
        if not self._take_completion():
            self.screen.focus_next()

    def action_earlier(self) -> None:
        """Up: in the list of completions, in the text, then in the history."""
        if self._completions.offers:
            self._completions.move(-1)
        elif self.cursor_location[0] > 0:
            self.action_cursor_up()
        else:
            self._recall(self._at + 1)

    def action_later(self) -> None:
        """Down: the same the other way."""
        if self._completions.offers:
            self._completions.move(1)
        elif self.cursor_location[0] < self.document.line_count - 1:
            self.action_cursor_down()
        else:
            self._recall(self._at - 1)

    def action_copy(self) -> None:
        """Copy what is selected; with nothing selected Ctrl-C means stop."""
        if self.selected_text:
            super().action_copy()
        else:
            self.post_message(self.Interrupted())

    async def _on_paste(self, event: events.Paste) -> None:
        """What is pasted comes from anywhere: make its hidden and acting characters visible."""
        event.stop()
        event.prevent_default()
        text = show(event.text.replace("\r\n", "\n").replace("\r", "\n"))
        self._pasted = "\n" in text
        self.insert(text)

    def on_text_area_changed(self) -> None:
        """Ask for completions of what stands before the cursor."""
        row, column = self.cursor_location
        before = self.document.get_line(row)[:column]
        if row == 0 and self.document.line_count == 1 and (command := _COMMAND.search(before)):
            self.post_message(self.CompletionWanted("command", command[1]))
        elif row == 0 and self.document.line_count == 1 and (argument := _ARGUMENT.search(before)):
            self.post_message(self.CompletionWanted("argument", argument[1]))
        elif self._pasted and not self.text.startswith("/"):
            self.post_message(self.CompletionWanted("report", self.text))
        elif word := _WORD.search(before):
            self.post_message(self.CompletionWanted("word", word[1]))
        else:
            self.post_message(self.CompletionWanted("", ""))

    def _recall(self, at: int) -> None:
        if not 0 <= at <= len(self.history_of_questions):
            return
        if self._at == 0:
            self._typed = self.text
        self._at = at
        self.write(self.history_of_questions[-at] if at else self._typed)

    def _take_completion(self) -> bool:
        chosen = self._completions.chosen
        if chosen is None:
            return False
        if chosen.sends:
            self._completions.offer(())
            self.post_message(self.Submitted(chosen.sends))
            return True
        row, column = self.cursor_location
        before = self.document.get_line(row)[:column]
        word = _WORD.search(before)
        start = word.start() if word else 0
        self._completions.offer(())
        if before[start:] == chosen.text:
            return False  # nothing is left to complete: Enter may as well ask
        self.replace(f"{chosen.text} ", (row, start), (row, column))
        return True
