"""The prompts, one Markdown file each. No prompt text stands in code."""

from __future__ import annotations

from importlib.resources import files


def prompt(name: str) -> str:
    """The text of `NAME.md` in this folder, without its final newline."""
    return files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").rstrip("\n")
