"""The steps of `codewitness setup` as lines on stdout, and its download as a bar on stderr."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any, assert_never

from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from agent.backends.ollama_pull import Pulling
from agent.backends.recommend import Recommendation
from agent.setup import (
    EmbedderOptional,
    EmbeddersFound,
    Embeds,
    ModelMissing,
    ModelsFound,
    ServerFound,
    Step,
    Tried,
    Trying,
    Warmed,
    Warming,
)
from tools.show import show_name
from tui.console import Output

SECONDS_BETWEEN_LINES = 10.0
MOST_MODELS = 5


class SetupRun:
    """Prints one run as it happens."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self._last_line = 0.0
        self.steps: list[Step] = []

    def show(self, step: Step) -> None:
        """Print what one step tells."""
        self.steps.append(step)
        if isinstance(step, Pulling):
            self._pulling(step)
            return
        self.close()
        for line in lines(step):
            self._output.answer(line)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _pulling(self, step: Pulling) -> None:
        if self._output.live:
            if self._bar is None:
                self._bar = _bar(self._output)
                self._task = self._bar.add_task("", total=None)
                self._bar.start()
            status = show_name(step.status)
            self._bar.update(
                self._task, description=status, completed=step.completed, total=step.total or None
            )
            return
        now = time.monotonic()
        if now - self._last_line >= SECONDS_BETWEEN_LINES or step.status == "success":
            self._last_line = now
            share = f" {100 * step.completed // step.total} %" if step.total else ""
            self._output.say(f"pulling {show_name(step.model)}: {show_name(step.status)}{share}")


def lines(step: Step) -> list[str]:
    """What a person reads about one step."""
    match step:
        case ServerFound(url, version, cloud_disabled):
            found = f"server    Ollama {show_name(version)} at {show_name(url)}"
            advice = (
                "          it may ask a cloud by itself: `OLLAMA_NO_CLOUD=1` in its environment prevents that"
            )
            return [found] if cloud_disabled is not False else [found, advice]
        case ModelsFound(names):
            return [f"models    {_listed(names) or 'none that is local and can call tools'}"]
        case EmbeddersFound(names):
            return [f"embedding {_listed(names)}"] if names else []
        case EmbedderOptional(recommendation, used):
            return _optional(recommendation, used)
        case Embeds(name, seconds, dimension):
            return [f"embeds    {show_name(name)}: a text in {seconds:.1f} s, {dimension} numbers"]
        case ModelMissing(recommendation):
            return [f"missing   {_wanted(recommendation)}"]
        case Pulling(model, status):
            return [f"pulling   {show_name(model)}: {show_name(status)}"]
        case Warming(model):
            return [f"loading   {show_name(model)}"]
        case Warmed():
            return [f"loaded    {_loaded(step)}"]
        case Trying(question):
            return [f"trying    {question}"]
        case Tried():
            return _tried(step)
        case _:
            assert_never(step)


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - MOST_MODELS} more" if len(names) > MOST_MODELS else ""
    return ", ".join(map(show_name, names[:MOST_MODELS])) + more


def _optional(wanted: Recommendation, used: str) -> list[str]:
    size = f", about {wanted.download_gigabytes:g} GB to download" if wanted.download_gigabytes else ""
    instead = "" if used == "none" else f" in place of {show_name(used)}"
    setting = f"`index.embedder` to `ollama:{show_name(wanted.model)}`"
    return [
        f"optional  {show_name(wanted.model)}{size} ({wanted.why}), to let the server embed{instead}:",
        f"          set {setting}, then run this again",
    ]


def _wanted(wanted: Recommendation) -> str:
    size = f", about {wanted.download_gigabytes:g} GB to download" if wanted.download_gigabytes else ""
    window = f"; set `model.num_ctx` to {wanted.num_ctx}" if size and wanted.num_ctx else ""
    return f"{show_name(wanted.model)}{size} ({wanted.why}{window})"


def _loaded(warmed: Warmed) -> str:
    window = f", a window of {warmed.num_ctx} tokens" if warmed.num_ctx else ""
    place = f", {warmed.share_on_graphics:.0%} of it in graphics memory" if warmed.share_on_graphics else ""
    return f"in {warmed.seconds:.1f} s{window}{place}"


def _tried(tried: Tried) -> list[str]:
    usage = tried.answer.usage
    took = f"{usage.seconds:.1f} s, {usage.model_turns} turns, {usage.tool_calls} look-ups"
    if tried.passed:
        return [f"ready     {tried.answer.backend.model} answered with verified lines ({took})"]
    return [
        f"warning   {tried.answer.backend.model} answered, but nothing it said could be verified ({took})",
        "          a larger model may do better: `codewitness setup --model NAME`",
    ]


def setup_document(steps: list[Step]) -> dict[str, Any]:
    """`codewitness.setup/1`."""
    document: dict[str, Any] = {"schema": "codewitness.setup/1", "ready": True}
    for step in steps:
        match step:
            case ServerFound():
                document["server"] = asdict(step)
            case ModelsFound(names):
                document["models"] = list(names)
            case EmbeddersFound(names):
                document["embedding_models"] = list(names)
            case Pulling(model, status) if status == "success":
                document.setdefault("pulled", []).append(model)
            case Embeds():
                document["embeds"] = asdict(step) | {"seconds": round(step.seconds, 3)}
            case Warmed():
                document["loaded"] = asdict(step) | {"seconds": round(step.seconds, 3)}
            case Tried(answer):
                document["trial"] = {
                    "passed": step.passed,
                    "claims": len(answer.observed),
                    "usage": asdict(answer.usage),
                }
            case _:
                pass
    return document


def _bar(output: Output) -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=output.stderr,
        transient=True,
        refresh_per_second=5,
    )
