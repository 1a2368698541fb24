"""Which model suits this machine, by the memory that it would have to fit into.

The table is for Qwen models on Ollama: the file, its window and a working reserve fit into the memory named. Memory
of a graphics card counts where it can be measured (NVIDIA's own tool, Apple's shared memory); without one the model
runs on the processor, where only small or sparse (mixture of experts) models answer in bearable time.
"""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass

import psutil

_GB = 1_000_000_000
_APPLE_SHARE = 0.67
"""What macOS lets the graphics part use of the memory that all share."""
_MARKETED = 0.9
"""A card or a computer sold as "16 GB" shows a little less."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The memory there is, in bytes."""

    memory: int
    graphics: int = 0
    """0: no graphics card whose memory could be measured."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A model to pull, and the window to load it with."""

    model: str
    num_ctx: int
    """0: what embeds has none to set."""
    download_gigabytes: float
    why: str


_ON_GRAPHICS = (
    (48, "qwen3.6:35b", 65_536, 24.0),
    (32, "qwen3.6:27b", 32_768, 17.0),
    (24, "qwen3.5:9b", 65_536, 6.6),
    (16, "qwen3.5:9b", 32_768, 6.6),
    (8, "qwen3.5:4b", 16_384, 3.4),
)
_ON_PROCESSOR = (
    (32, "qwen3:30b", 16_384, 19.0),
    (8, "qwen3.5:4b", 16_384, 3.4),
    (0, "qwen3.5:2b", 8_192, 2.7),
)


_EMBEDDING_GIGABYTES = (
    ("nomic-embed-text-v2-moe", 1.0),
    ("nomic-embed-text", 0.27),
    ("qwen3-embedding:0.6b", 0.64),
    ("qwen3-embedding:4b", 2.5),
    ("qwen3-embedding", 4.7),
    ("embeddinggemma", 0.62),
    ("bge-m3", 1.2),
    ("snowflake-arctic-embed2", 1.2),
    ("mxbai-embed-large", 0.67),
)


def embedding_download(model: str) -> float:
    """Gigabytes of an embedding model, as far as they are known; else 0."""
    return next((size for name, size in _EMBEDDING_GIGABYTES if model.lower().startswith(name)), 0.0)


def this_machine(graphics_tool_output: str = "") -> Machine:
    """What can be measured. `graphics_tool_output` is what `nvidia-smi` printed: MiB, one card a line."""
    memory = psutil.virtual_memory().total
    if sys.platform == "darwin" and platform.machine() == "arm64":
        return Machine(memory, int(memory * _APPLE_SHARE))
    cards = [int(line) for line in graphics_tool_output.split() if line.isdigit()]
    return Machine(memory, sum(cards) * 1024**2)


def recommended(machine: Machine) -> Recommendation:
    """The largest model of the table that fits."""
    for table, memory, place in (
        (_ON_GRAPHICS, machine.graphics, "graphics memory"),
        (_ON_PROCESSOR, machine.memory, "memory, on the processor alone"),
    ):
        for gigabytes, model, num_ctx, download in table:
            if memory >= gigabytes * _GB * _MARKETED:
                return Recommendation(model, num_ctx, download, f"{memory / _GB:.0f} GB of {place}")
    raise AssertionError("the last row takes every machine")
