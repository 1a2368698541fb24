"""Where text goes: stdout holds the answer and nothing else, stderr holds everything else.

Every string of a workspace, a model or a server passes `show()` or `show_name()` before it comes here, and is
printed as plain `Text`: no markup of any kind is ever read from it. Colour is off for pipes, `TERM=dumb` and
`NO_COLOR`, and no meaning hangs on it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from tools.errors import UserError
from tools.show import show
from tui.exits import AnswerUnwritable


class Output:
    """The two streams of one command."""

    def __init__(
        self,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
        *,
        json: bool = False,
        quiet: bool = False,
        verbose: bool = False,
    ) -> None:
        self.stdout = _console(stdout or sys.stdout)
        self.stderr = _console(stderr or sys.stderr)
        self.json = json
        self.quiet = quiet
        self.verbose = verbose

    @property
    def live(self) -> bool:
        """Whether a moving progress display can be drawn on stderr."""
        return self.stderr.is_terminal and not self.stderr.is_dumb_terminal and not self.quiet

    def answer(self, line: str | Text = "", style: str = "") -> None:
        """One line of the answer, for people; with `--json` the document is all there is on stdout."""
        if not self.json:
            with _written():
                _print(self.stdout, line, style)

    def document(self, document: Mapping[str, Any]) -> None:
        """The one JSON document of this command: pure ASCII, so that nothing in it can drive a terminal."""
        with _written():
            self.stdout.file.write(as_json(document) + "\n")
            self.stdout.file.flush()

    def say(self, line: str | Text = "", style: str = "") -> None:
        """One line about the work, unless the person asked for quiet."""
        if not self.quiet:
            _print(self.stderr, line, style)

    def ask(self, line: str) -> None:
        """One line of a question to the person, also where they asked for quiet."""
        _print(self.stderr, line)

    def raw(self, text: str) -> None:
        """Text for another program to read, as it is: bytes of UTF-8, no line end changed."""
        with _written():
            stream = getattr(self.stdout.file, "buffer", None)
            if stream is None:
                self.stdout.file.write(text)
            else:
                self.stdout.file.flush()
                stream.write(text.encode("utf-8", "surrogateescape"))
            self.stdout.file.flush()

    def detail(self, line: str | Text, style: str = "dim") -> None:
        """One line for those who asked for more (`-v`)."""
        if self.verbose:
            self.say(line, style)

    def error(self, error: UserError) -> None:
        """What failed, why, and what to do next."""
        head = Text.assemble(("error", "bold red"), f": {show(error.what)}")
        _print(self.stderr, head)
        _print(self.stderr, f"  cause: {show(error.cause)}")
        _print(self.stderr)
        _print(self.stderr, Text.assemble(("hint", "bold"), f": {show(error.hint)}"))

    def trace(self, text: str) -> None:
        """A traceback, on request."""
        _print(self.stderr, show(text))


@contextmanager
def _written() -> Generator[None]:
    """What cannot be written to stdout is an error of its own; a reader who has left is none.

    Raises: AnswerUnwritable, BrokenPipeError.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise AnswerUnwritable(problem) from problem


def as_json(document: Mapping[str, Any]) -> str:
    """The document as ASCII; `json` leaves DEL as it is, we do not."""
    return json.dumps(document, ensure_ascii=True, indent=2).replace("\x7f", "\\u007f")


class _Console(Console):
    """Rich's console, but one that tells the caller that nobody reads any more instead of ending the program."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _console(stream: TextIO) -> Console:
    # An old code page, or a locale of bytes, must not turn an answer into a crash.
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return _Console(file=stream, markup=False, emoji=False, highlight=False, soft_wrap=True)


def _print(console: Console, line: str | Text = "", style: str = "") -> None:
    text = line if isinstance(line, Text) else Text(line, style)
    console.print(text, soft_wrap=True, no_wrap=True, crop=False, overflow="ignore")
